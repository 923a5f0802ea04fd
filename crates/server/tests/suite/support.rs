//! Customers, their orders and their money, as the tests need them.

use api::server::*;
use api::views::{AccessView, OrderView, PaymentView, Preparation};
use domain::Timestamp;
use domain::time::DAY_MICROS;
use server::Parts;
use server::testing::{PASSWORD, Refused, TestServer};
use sha2::{Digest, Sha256};
pub use store::Engine;
use store::Tx;
use store::repo::session::{self, SessionRow, TokenRow};
use testkit::postgres::Postgres;

/// Makes two tests of each case: `sqlite::name` and `postgres::name`.
macro_rules! on_both_engines {
    ($($case:ident),+ $(,)?) => {
        mod sqlite {
            $(#[test] fn $case() { super::$case(super::Engine::Sqlite); })+
        }
        mod postgres {
            $(#[test] fn $case() { super::$case(super::Engine::Postgres); })+
        }
    };
}
pub(crate) use on_both_engines;

/// A server on a database of its own.
pub fn start(engine: Engine) -> TestServer {
    start_with(engine, |_| {})
}

/// The same, with something changed.
pub fn start_with(engine: Engine, change: impl FnOnce(&mut Parts)) -> TestServer {
    let postgres = (engine == Engine::Postgres).then(|| Postgres::of_this_program().database());
    TestServer::start_on(postgres, change)
}

pub fn command_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

pub fn registration(email: &str, password: &str) -> RegisterRequest {
    RegisterRequest {
        first_name: "Maria".into(),
        last_name: "Oliveira".into(),
        email: email.into(),
        password: password.into(),
        device_name: "test".into(),
    }
}

pub fn register(server: &TestServer, email: &str) -> SignedIn {
    server.call::<Register>(None, &registration(email, PASSWORD)).unwrap()
}

pub fn sign_in(server: &TestServer, email: &str, password: &str) -> Result<SignedIn, Refused> {
    server.call::<SignIn>(
        None,
        &SignInRequest {
            email: email.into(),
            password: password.into(),
            authenticator_code: None,
            device_name: "test".into(),
        },
    )
}

/// A sign-in made past the password two days ago, for tests that are about something else.
pub fn token_for(server: &TestServer, account_id: &str, ended: bool) -> String {
    let token = hex::encode(Sha256::digest(command_id()));
    let now = server.clock.now();
    let row = SessionRow {
        id: command_id(),
        account_id: account_id.into(),
        device_name: "test".into(),
        token_number: 1,
        created_at: now.plus_micros(-2 * DAY_MICROS),
        last_used_at: now,
        expires_at: now.plus_micros(DAY_MICROS),
        ended_at: ended.then_some(now),
        ended_why: ended.then(|| "signed_out".into()),
    };
    let made = TokenRow {
        token_hash: Sha256::digest(&token).to_vec(),
        session_id: row.id.clone(),
        number: 1,
        made_at: row.created_at,
        replaced_at: None,
    };
    let insert = move |tx: &mut Tx<'_>| session::insert(tx, &row).and_then(|()| session::insert_token(tx, &made));
    server.app().store.write(insert).unwrap();
    token
}

/// A token that a device makes, and the hash under which it tells the server of it.
pub fn next_token(name: &str) -> (String, RenewSignInRequest) {
    let token = hex::encode(Sha256::digest(name));
    let next_hash = hex::encode(Sha256::digest(&token));
    (token, RenewSignInRequest { next_hash })
}

pub fn order_request(server: &TestServer, offer_id: &str) -> PlaceOrderRequest {
    let text = server.client().get(format!("{}/v1/catalogue", server.url())).send().unwrap().text().unwrap();
    let answer: CatalogueAnswer = serde_json::from_str(&text).unwrap();
    let offer = answer.catalogue.offers.iter().find(|offer| offer.id == offer_id).unwrap();
    let price = offer.prices.iter().find(|price| price.days == 3).unwrap();
    PlaceOrderRequest {
        command_id: command_id(),
        offer_id: offer_id.into(),
        lots: 1,
        days: 3,
        preparation: Preparation::Pytorch,
        ssh_public_key: None,
        confirmed_total: price.per_lot,
    }
}

pub fn place(server: &TestServer, token: &str, offer_id: &str) -> OrderView {
    server.call::<PlaceOrder>(Some(token), &order_request(server, offer_id)).unwrap()
}

pub fn payment_request(order: &OrderView) -> CreatePaymentRequest {
    CreatePaymentRequest {
        command_id: command_id(),
        order_id: order.id.clone(),
        method: "litecoin:ltc".into(),
        confirmed_total: order.total,
    }
}

/// Asks for instructions, as soon as the watcher keeps up and there are prices.
pub fn instructions(server: &TestServer, token: &str, order: &OrderView) -> PaymentView {
    server.until("litecoin on offer", |server| {
        let request = OrderRequest { order_id: order.id.clone() };
        let methods = server.call::<Methods>(Some(token), &request).unwrap().methods;
        methods.iter().any(|choice| choice.method == "litecoin:ltc" && choice.unavailable.is_none())
    });
    server.call::<CreatePayment>(Some(token), &payment_request(order)).unwrap()
}

pub fn address(payment: &PaymentView) -> String {
    let record: serde_json::Value = serde_json::from_str(&payment.record).unwrap();
    record["record"]["address"].as_str().unwrap().to_owned()
}

/// Pays exactly what was asked, and mines until it counts.
pub fn pay(server: &TestServer, token: &str, payment: &PaymentView) {
    let send = SandboxSendRequest { address: address(payment), amount: payment.amount.clone() };
    server.call::<SandboxSend>(None, &send).unwrap();
    server.until("seen", |server| !shown(server, token, payment).transfers.is_empty());
    server.call::<SandboxMine>(None, &SandboxMineRequest { blocks: 12, undo: 0 }).unwrap();
}

pub fn shown(server: &TestServer, token: &str, payment: &PaymentView) -> PaymentView {
    server.call::<Payment>(Some(token), &PaymentRequest { payment_id: payment.id.clone() }).unwrap()
}

pub fn order_of(server: &TestServer, token: &str, id: &str) -> OrderView {
    server.call::<Order>(Some(token), &OrderRequest { order_id: id.into() }).unwrap()
}

pub fn acceptance(order: &OrderView) -> RecordAcceptanceRequest {
    let gpu = &order.offer.gpu;
    let devices = order.gpus * gpu.devices_per_gpu;
    RecordAcceptanceRequest {
        command_id: command_id(),
        order_id: order.id.clone(),
        devices,
        device_names: vec![gpu.driver_names[0].clone(); devices as usize],
        memory_mib: vec![gpu.memory_gb_per_device * 1000; devices as usize],
        driver: "580.82.07".into(),
        unpartitioned: true,
        operator_access_removed: true,
    }
}

pub fn hand_over(order: &OrderView, now: Timestamp) -> HandOverRequest {
    HandOverRequest {
        command_id: command_id(),
        order_id: order.id.clone(),
        access: AccessView {
            host: "203.0.113.20".into(),
            port: 22,
            user: "maria".into(),
            host_key_fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDT4pJeMqv0GtJaVgY".into(),
            password: Some("correct-otter-battery-17".into()),
            notebook_url: None,
            notebook_token: None,
            notes: None,
        },
        login_verified_at: now.into(),
    }
}
