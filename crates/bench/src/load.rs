//! Customers who ask the server over HTTP, each on a connection of its own, all at the same time.

use std::time::{Duration, Instant};

use api::Command;
use api::server::{
    CatalogueAnswer, CreatePayment, CreatePaymentRequest, PlaceOrder, PlaceOrderRequest, Register, RegisterRequest,
    SignedIn,
};
use api::views::{OrderView, Preparation};
use api::wire::Usd;
use domain::Method;
use reqwest::Client;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::{Fault, Outcome};

/// Customers at the same time.
pub const CLIENTS: usize = 64;
/// A password that everybody may know, of customers who are made up.
pub const PASSWORD: &str = "seven green kettles sing";
const PATIENCE: Duration = Duration::from_secs(30);

/// Something that is asked.
pub enum Call {
    /// A plain page.
    Get(&'static str),
    /// A command with its body.
    Post(&'static str, String),
}

impl Call {
    /// A command.
    ///
    /// # Errors
    /// When the request can't be written.
    pub fn of<C: Command>(request: &C::Request) -> Outcome<Self> {
        Ok(Self::Post(C::NAME, serde_json::to_string(request)?))
    }
}

/// What came of asking.
pub struct Rush {
    /// From the first question to the last answer.
    pub wall: Duration,
    /// Each question's own time.
    pub waits: Vec<Duration>,
    /// Answers by client, in the order of the questions.
    pub answers: Vec<Vec<String>>,
}

/// A customer who is signed in.
#[derive(Clone)]
pub struct Customer {
    /// The secret of the sign-in.
    pub token: String,
    /// The address that the proxy in front would name.
    address: String,
}

/// Customers of one server.
pub struct Load {
    runtime: Runtime,
    http: Client,
    url: String,
    /// Who they are.
    pub customers: Vec<Customer>,
}

impl Load {
    /// Nobody yet.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(url: &str) -> Outcome<Self> {
        // One thread: what the clients take is taken from the server on the same machine.
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let http = Client::builder().no_proxy().timeout(PATIENCE).pool_max_idle_per_host(CLIENTS).build()?;
        Ok(Self { runtime, http, url: url.to_owned(), customers: Vec::new() })
    }

    /// So many customers, registered one after the other.
    ///
    /// # Errors
    /// A refusal.
    pub fn registered(url: &str, count: usize) -> Outcome<Self> {
        let mut load = Self::new(url)?;
        for number in 0..count {
            load.customers.push(Customer { token: String::new(), address: address(number) });
            let signed_in: SignedIn = load.ask::<Register>(
                number,
                &RegisterRequest {
                    first_name: "Ada".into(),
                    last_name: "Teste".into(),
                    email: format!("client-{number}@example.org"),
                    password: PASSWORD.into(),
                    device_name: "bench".into(),
                },
            )?;
            load.customers[number].token = signed_in.token;
        }
        Ok(load)
    }

    /// One customer's sign-in used over many connections.
    pub fn shared(mut self, token: &str) -> Self {
        self.customers =
            (0..CLIENTS).map(|number| Customer { token: token.to_owned(), address: address(number) }).collect();
        self
    }

    /// Gives one command and reads its answer.
    ///
    /// # Errors
    /// A refusal.
    pub fn ask<C: Command>(&self, customer: usize, request: &C::Request) -> Outcome<C::Answer> {
        let body = serde_json::to_string(request)?;
        let customer = &self.customers[customer];
        let answer = self.runtime.block_on(send(&self.http, &self.url, Some(customer), &Call::Post(C::NAME, body)))?;
        Ok(serde_json::from_str(&answer)?)
    }

    /// The catalogue.
    ///
    /// # Errors
    /// A refusal.
    pub fn catalogue(&self) -> Outcome<CatalogueAnswer> {
        let answer = self.runtime.block_on(send(&self.http, &self.url, None, &Call::Get("/v1/catalogue")))?;
        Ok(serde_json::from_str(&answer)?)
    }

    /// Every client asks its questions one after the other, all clients at the same time.
    ///
    /// # Errors
    /// The first refusal.
    pub fn rush(&self, calls: Vec<Vec<Call>>) -> Outcome<Rush> {
        let started = Instant::now();
        let mut rush =
            Rush { wall: Duration::ZERO, waits: Vec::new(), answers: calls.iter().map(|_| Vec::new()).collect() };
        self.runtime.block_on(async {
            let mut clients = JoinSet::new();
            for (number, calls) in calls.into_iter().enumerate() {
                let (http, url) = (self.http.clone(), self.url.clone());
                let customer = self.customers.get(number).cloned();
                clients.spawn(async move {
                    Ok::<_, Fault>((number, ask_all(&http, &url, customer.as_ref(), &calls).await?))
                });
            }
            while let Some(done) = clients.join_next().await {
                let (number, answered) = done??;
                for (wait, answer) in answered {
                    rush.waits.push(wait);
                    rush.answers[number].push(answer);
                }
            }
            Ok::<_, Fault>(())
        })?;
        rush.wall = started.elapsed();
        Ok(rush)
    }
}

async fn ask_all(
    http: &Client,
    url: &str,
    customer: Option<&Customer>,
    calls: &[Call],
) -> Outcome<Vec<(Duration, String)>> {
    let mut answered = Vec::with_capacity(calls.len());
    for call in calls {
        let started = Instant::now();
        let answer = send(http, url, customer, call).await?;
        answered.push((started.elapsed(), answer));
    }
    Ok(answered)
}

async fn send(http: &Client, url: &str, customer: Option<&Customer>, call: &Call) -> Outcome<String> {
    let mut request = match call {
        Call::Get(path) => http.get(format!("{url}{path}")),
        Call::Post(name, body) => {
            http.post(format!("{url}/v1/{name}")).header("content-type", "application/json").body(body.clone())
        }
    };
    if let Some(customer) = customer {
        request = request.header("x-forwarded-for", &customer.address).bearer_auth(&customer.token);
    }
    let response = request.send().await?;
    let status = response.status();
    let answer = response.text().await?;
    if status.is_success() { Ok(answer) } else { Err(format!("refused with {status}: {answer}").into()) }
}

/// An address in a network of its own.
fn address(number: usize) -> String {
    format!("10.{}.{}.7", number / 256, number % 256)
}

/// A new command id.
fn command_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// One lot of an offer at the price that the catalogue shows; offers take turns.
///
/// # Errors
/// When the catalogue shows no price.
pub fn order(catalogue: &CatalogueAnswer, turn: usize) -> Outcome<PlaceOrderRequest> {
    let offers = &catalogue.catalogue.offers;
    let offer = offers.get(turn % offers.len().max(1)).ok_or("the catalogue is empty")?;
    let price = offer.prices.first().ok_or("an offer without a price")?;
    Ok(PlaceOrderRequest {
        command_id: command_id(),
        offer_id: offer.id.clone(),
        lots: 1,
        days: price.days,
        preparation: Preparation::Pytorch,
        ssh_public_key: None,
        confirmed_total: price.per_lot,
    })
}

/// So many orders of every client.
///
/// # Errors
/// When the catalogue shows no price.
pub fn orders(catalogue: &CatalogueAnswer, counts: &[usize]) -> Outcome<Vec<Vec<Call>>> {
    let of_client = |(client, count): (usize, &usize)| {
        (0..*count).map(|_| Call::of::<PlaceOrder>(&order(catalogue, client)?)).collect::<Outcome<Vec<_>>>()
    };
    counts.iter().enumerate().map(of_client).collect()
}

/// Instructions in litecoin for an order.
pub fn payment(order_id: &str, missing: Usd) -> CreatePaymentRequest {
    CreatePaymentRequest {
        command_id: command_id(),
        order_id: order_id.to_owned(),
        method: Method::LtcLitecoin.code().to_owned(),
        confirmed_total: missing,
    }
}

/// Instructions for orders that were placed, as the answers tell of them.
///
/// # Errors
/// When an answer can't be read.
pub fn payments(placed: &[Vec<String>]) -> Outcome<Vec<Vec<Call>>> {
    let of_order = |answer: &String| {
        let order: OrderView = serde_json::from_str(answer)?;
        Call::of::<CreatePayment>(&payment(&order.id, order.missing))
    };
    placed.iter().map(|answers| answers.iter().map(of_order).collect()).collect()
}
