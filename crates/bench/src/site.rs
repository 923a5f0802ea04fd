//! A server as an operator sets it up: configuration file, sealing key, signed addresses and a real Litecoin node on a
//! private test chain. The limits that would end a bench after thirty payments are raised, and the figures say so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use backend::Refusal;
use domain::time::DAY_MICROS;
use domain::{Environment, Network, Timestamp};
use manifest::{Day, KeyHash, SigningKey, Terms, sign_file};
use reqwest::blocking::Client;
use store::repo::catalogue;
use store::{Settings, Store};
use tempfile::TempDir;
use testkit::node::Litecoind;
use testkit::sandbox_keys::CURRENT_SEED;

use crate::process::{self, Program};
use crate::{Bench, Outcome};

/// What is set otherwise than for customers; printed beside every figure that it touches.
pub const RAISED: &str = "limits of P2 and C9 raised by configuration: open payments per account and per network, unpaid \
    holds, share of an offer, no addresses kept back; a million lots of every offer";
/// The node is looked at this often.
pub const NODE_POLL_MS: u64 = 200;

/// Lots of every offer.
const STOCK: u32 = 1_000_000;
const START: Duration = Duration::from_secs(60);
const STOP: Duration = Duration::from_secs(30);
/// Blocks beyond the first hundred, so that there are coins to send.
const SPENDABLE: u32 = 20;

/// A server of its own on the bench's disk.
pub struct Site {
    folder: TempDir,
    config: PathBuf,
    server: Option<Program>,
    /// Its node.
    pub node: Litecoind,
    /// `http://127.0.0.1:port`.
    pub url: String,
}

impl Site {
    /// Sets everything up, with so many signed addresses, and starts nothing but the node.
    ///
    /// # Errors
    /// Whatever a step said.
    pub fn prepare(bench: &Bench, addresses: u32) -> Outcome<Self> {
        let folder = tempfile::Builder::new().prefix("site-").tempdir_in(bench.folder.path())?;
        let node = Litecoind::start()?;
        node.mine(SPENDABLE)?;
        let port = testkit::port::free_port()?;
        let config = folder.path().join("server.toml");
        fs::write(folder.path().join("litecoin.password"), &node.rpc.password)?;
        fs::write(&config, configuration(port, &node)?)?;
        let site = Self { folder, config, server: None, node, url: format!("http://127.0.0.1:{port}") };
        process::run(&mut site.command(&["new-key"])?)?;
        stock(&site.database())?;
        let file = site.folder.path().join("addresses");
        fs::write(&file, signed(addresses)?)?;
        process::run(site.command(&["addresses", "import"])?.arg(&file))?;
        Ok(site)
    }

    /// Sets everything up and starts it.
    ///
    /// # Errors
    /// Whatever a step said.
    pub fn started(bench: &Bench, addresses: u32) -> Outcome<Self> {
        let mut site = Self::prepare(bench, addresses)?;
        site.start()?;
        Ok(site)
    }

    /// Starts the server; answers how long it took from spawning it to `200` on `/readyz`.
    ///
    /// # Errors
    /// What it said when it ended, or that it was not ready in time.
    pub fn start(&mut self) -> Outcome<Duration> {
        let http = Client::builder().no_proxy().timeout(Duration::from_secs(5)).build()?;
        let ready = format!("{}/readyz", self.url);
        let mut command = self.command(&["serve"])?;
        let started = Instant::now();
        let mut server = Program::start(command.stdin(Stdio::null()), self.folder.path().join("server.log"))?;
        let took = process::until("a ready server", START, || {
            server.lives()?;
            let answered = http.get(&ready).send().is_ok_and(|answer| answer.status().is_success());
            Ok(answered.then(|| started.elapsed()))
        })?;
        self.server = Some(server);
        Ok(took)
    }

    /// Stops the server as an operator would.
    ///
    /// # Errors
    /// That it did not stop in good order.
    pub fn stop(&mut self) -> Outcome<()> {
        self.server.take().map_or(Ok(()), |server| server.terminate(STOP))
    }

    /// The server's process.
    ///
    /// # Errors
    /// When none runs.
    pub fn pid(&self) -> Outcome<u32> {
        self.server.as_ref().map(Program::pid).ok_or_else(|| "the server does not run".into())
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("kernodeck.db")
    }

    fn command(&self, arguments: &[&str]) -> Outcome<Command> {
        let mut command = process::beside(&process::program("kernodeck-server")?);
        command.args(arguments).arg("--config").arg(&self.config);
        Ok(command)
    }
}

/// The starter catalogue with enough lots of everything.
///
/// # Errors
/// The store's.
pub fn stock(database: &Path) -> Outcome<()> {
    let store = Store::open(&Settings::Sqlite { path: database.to_owned() })?;
    let at = now()?;
    store.write(move |tx| {
        backend::catalogue::install_starter(tx, at)?;
        for offer in catalogue::offers(tx)? {
            catalogue::set_stock(tx, &offer.id, STOCK)?;
        }
        Ok::<_, Refusal>(())
    })?;
    store.close();
    Ok(())
}

/// The time.
///
/// # Errors
/// When the system's clock stands before 1970 or beyond all bounds.
pub fn now() -> Outcome<Timestamp> {
    let micros = SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros();
    Ok(Timestamp::from_micros(i64::try_from(micros)?))
}

/// A signed file of addresses that nobody has keys to: coins sent there are lost on a chain of test coins.
fn signed(count: u32) -> Outcome<String> {
    let (environment, network, at) = (Environment::Regtest, Network::Litecoin, now()?);
    let terms = Terms {
        environment,
        network,
        epoch: 1,
        signed_on: Day::of(at),
        last_day: Day::of(at.plus_micros(30 * DAY_MICROS)),
        first_index: 0,
        tokens: Vec::new(),
    };
    let address = |index: u32| {
        let mut program = *b"kernodeck bench 0000";
        program[16..].copy_from_slice(&index.to_be_bytes());
        KeyHash::new(program).to_address(network, environment)
    };
    let addresses = (0..count).map(address).collect::<Result<Vec<_>, _>>()?;
    Ok(sign_file(&SigningKey::from_seed(CURRENT_SEED), terms, &addresses)?.to_text()?)
}

fn configuration(port: u16, node: &Litecoind) -> Outcome<String> {
    let (url, user) = (&node.rpc.url, &node.rpc.user);
    let key = SigningKey::from_seed(CURRENT_SEED).public_key()?.to_hex();
    let many = u32::MAX;
    // One proxy in front: every client of the bench comes from a network of its own, as customers do.
    Ok(format!(
        r#"environment = "regtest"
listen = "127.0.0.1:{port}"
public_base = "http://127.0.0.1:{port}"
forwarded_hops = 1

[litecoin]
url = "{url}"
user = "{user}"
poll_milliseconds = {NODE_POLL_MS}

[prices]
made_up = true

[confirmations]
litecoin = [{{ blocks = 1 }}]

[limits]
open_payments_per_account = {many}
open_payments_per_network = {many}
pool_reserve_percent = 0
unpaid_holds_before_first_payment = {many}
several_holds_percent = 100

[addresses]
current_key = "{key}"
"#
    ))
}
