//! A server in a thread for tests: temporary database, simulated network, made-up prices, a clock that can be moved.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::server::{Role, SignIn, SignInRequest, SignedIn};
use api::{ApiError, Command, ErrorCode};
use backend::Policy;
use backend::accounts::totp;
use backend::seal::Sealer;
use chains::{ChainReader, SimNetwork};
use domain::time::SECOND_MICROS;
use domain::{Environment, Network};
use rates::MadeUpSources;
use reqwest::blocking::Client;
use store::{Settings, Store};
use tempfile::TempDir;

use crate::app::{App, Serving};
use crate::clock::Clock;
use crate::control::{NewOperatorForm, make};
use crate::jobs::PriceFeed;
use crate::run::{self, Parts, Running};
use crate::sandbox::{self, Sandbox};

/// A good password of nobody's.
pub const PASSWORD: &str = "seven purple otters";
/// Time that a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a test changes before the server starts.
type Change<'a> = dyn FnOnce(&mut Parts) + 'a;

/// A running server with its folder.
pub struct TestServer {
    /// The simulated network.
    pub network: SimNetwork,
    /// The server's clock.
    pub clock: Clock,
    running: Option<Running>,
    client: Client,
    database: Settings,
    _folder: TempDir,
}

/// An operator of a test.
pub struct TestOperator {
    /// Email.
    pub email: String,
    /// Password.
    pub password: String,
    /// Authenticator secret.
    pub secret: [u8; totp::SECRET_BYTES],
}

/// What a refused command was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The status.
    pub status: u16,
    /// The code.
    pub error: ErrorCode,
}

impl TestServer {
    /// A sandbox server on a free port: starter catalogue, 500 test addresses, blocks only when asked for.
    pub fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// The same, with something changed.
    pub fn start_with(change: impl FnOnce(&mut Parts)) -> Self {
        Self::start_on(None, change)
    }

    /// The same on an empty database of PostgreSQL, if its address is given; else on a file of its own.
    pub fn start_on(postgres: Option<String>, change: impl FnOnce(&mut Parts)) -> Self {
        let folder = must(tempfile::tempdir());
        let clock = Clock::default();
        let chain_id = manifest::chain::sandbox_chain_id(Network::Litecoin);
        let network = SimNetwork::new(1, &chain_id, clock.now());
        let database = match postgres {
            Some(url) => Settings::Postgres { url },
            None => Settings::Sqlite { path: folder.path().join("server.db") },
        };
        let running = launch(&database, &network, &clock, Box::new(change));
        let client = must(Client::builder().no_proxy().timeout(PATIENCE).build());
        Self { network, clock, running: Some(running), client, database, _folder: folder }
    }

    /// Stops the server gracefully and starts it again on the same database, network and clock, on another port.
    pub fn restart(&mut self) {
        self.stop();
        self.running = Some(launch(&self.database, &self.network, &self.clock, Box::new(|_| {})));
    }

    /// Stops the server gracefully; its database stays.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop();
        }
    }

    /// What the running server shares.
    pub fn app(&self) -> &Arc<App> {
        must(self.running.as_ref().map(Running::app).ok_or("stopped"))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        must(self.running.as_ref().map(Running::address).ok_or("stopped"))
    }

    /// Its address as a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Where its database is.
    pub fn database(&self) -> &Settings {
        &self.database
    }

    /// Gives a command.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn call<C: Command>(&self, token: Option<&str>, request: &C::Request) -> Result<C::Answer, Refused> {
        let (status, body) = self.post(C::NAME, token, &must(serde_json::to_string(request)));
        if status == 200 {
            return Ok(must(serde_json::from_str(&body)));
        }
        let ApiError { error } = must(serde_json::from_str(&body));
        Err(Refused { status, error })
    }

    /// Posts a body as it is; status and answer.
    pub fn post(&self, command: &str, token: Option<&str>, body: &str) -> (u16, String) {
        let mut request = self.client.post(format!("{}/v1/{command}", self.url())).body(body.to_owned());
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let response = must(request.send());
        (response.status().as_u16(), must(response.text()))
    }

    /// A plain client for the other routes.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Makes an operator as the command line does.
    pub fn operator(&self, email: &str, role: Role) -> TestOperator {
        let form = NewOperatorForm {
            email: email.to_owned(),
            first_name: "Olga".to_owned(),
            last_name: "Operator".to_owned(),
            role,
            password: None,
        };
        let made = must(make(&self.app().store, &self.app().policy, self.clock.now(), form));
        TestOperator { email: email.to_owned(), password: made.password, secret: made.secret }
    }

    /// Signs an operator in with the code of now.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn sign_in_operator(&self, operator: &TestOperator) -> Result<SignedIn, Refused> {
        self.call::<SignIn>(
            None,
            &SignInRequest {
                email: operator.email.clone(),
                password: operator.password.clone(),
                authenticator_code: totp::code(&operator.secret, self.clock.now()),
                device_name: "test".to_owned(),
            },
        )
    }

    /// Moves the server's clock on.
    pub fn advance_seconds(&self, seconds: i64) {
        self.clock.advance_micros(seconds * SECOND_MICROS);
    }

    /// Waits until something holds.
    pub fn until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let started = Instant::now();
        while !holds(self) {
            must(if started.elapsed() < PATIENCE { Ok(()) } else { Err(format!("not in time: {what}")) });
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn launch(settings: &Settings, network: &SimNetwork, clock: &Clock, change: Box<Change<'_>>) -> Running {
    let policy: Policy = sandbox::policy(Arc::new(Sealer::new(&[7; 32])));
    let store = must(Store::open(settings));
    must(sandbox::install(&store, &policy, clock.now()));
    let simulated = Sandbox::unsaved(network.clone());
    let mut watcher = sandbox::watcher(&simulated);
    watcher.poll = Duration::from_millis(20);
    let mut parts = Parts {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        store,
        policy,
        clock: clock.clone(),
        serving: Serving::default(),
        watchers: vec![watcher],
        feed: PriceFeed::MadeUp(must(MadeUpSources::new(Environment::Sandbox))),
        alarms: None,
        sandbox: Some(simulated),
    };
    change(&mut parts);
    must(run::start(parts))
}

/// Puts another reader in the place of the simulated network's.
pub fn read_from(parts: &mut Parts, reader: Box<dyn ChainReader>) {
    if let Some(watcher) = parts.watchers.first_mut() {
        watcher.reader = reader;
    }
}

/// A test can't go on without it.
#[allow(clippy::panic)]
fn must<T, E: std::fmt::Debug>(outcome: Result<T, E>) -> T {
    outcome.unwrap_or_else(|error| panic!("{error:?}"))
}
