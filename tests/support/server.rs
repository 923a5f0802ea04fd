//! The server program, run as an operator runs it: from a configuration file, with everything done at its command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use store::{Settings, Store};
use tempfile::TempDir;
use testkit::node::Litecoind;
use testkit::sandbox_keys;

use crate::addresses::{self, Signing};
use crate::operator::Operator;
use crate::process::Running;
use crate::programs::{self, program};
use crate::{folder, wait};

/// How long an orderly stop may take.
const STOP: Duration = Duration::from_secs(30);

/// How long the watchers may take to reach their tips.
const WATCHERS: Duration = Duration::from_secs(15);

/// What a test may choose.
#[derive(Clone)]
pub struct ServerOptions {
    /// Confirmations asked of litecoin, whatever the sum.
    pub confirmations: u32,
    /// Between two looks at the node.
    pub poll_ms: u32,
    /// The lines of `[prices]`.
    pub prices: String,
    /// Addresses to import before the first start; none, where the test imports its own.
    pub addresses: Option<Signing>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self { confirmations: 2, poll_ms: 200, prices: "made_up = true".into(), addresses: Some(Signing::default()) }
    }
}

/// A server of its own: database, keys and port.
pub struct Server {
    process: Option<Running>,
    folder: TempDir,
    arguments: Vec<String>,
    /// `http://127.0.0.1:port`.
    pub url: String,
}

impl Server {
    /// A server for a node's private test chain.
    pub fn start(node: &Litecoind, options: &ServerOptions) -> Self {
        let mut server = Self::prepared(node, options);
        server.resume();
        server
    }

    /// Everything but the start, so that operators can be made and files imported.
    pub fn prepared(node: &Litecoind, options: &ServerOptions) -> Self {
        let folder = folder::temporary();
        let port = testkit::port::free_port().unwrap();
        let config = folder.path().join("server.toml");
        fs::write(folder.path().join("litecoin.password"), &node.rpc.password).unwrap();
        fs::write(&config, configuration(port, node, options)).unwrap();
        let arguments = ["serve", "--config", &config.display().to_string()].map(str::to_owned).to_vec();
        let url = format!("http://127.0.0.1:{port}");
        let server = Self { process: None, folder, arguments, url };
        programs::run(&mut server.command(&["new-key"]));
        server.with_store(|store| {
            store.write(|tx| backend::catalogue::install_starter(tx, now())).unwrap();
        });
        if let Some(signing) = &options.addresses {
            server.import_signed("first", signing);
        }
        server
    }

    /// A sandbox: simulated network, made-up prices, on this data folder.
    pub fn sandbox(data: &Path) -> Self {
        let folder = folder::temporary();
        let port = testkit::port::free_port().unwrap();
        let listen = format!("127.0.0.1:{port}");
        let data = data.display().to_string();
        // No blocks by themselves: whoever walks through it mines them.
        let arguments = ["sandbox", "--data", &data, "--listen", &listen, "--block-seconds", "0"].map(str::to_owned);
        let url = format!("http://{listen}");
        let mut server = Self { process: None, folder, arguments: arguments.to_vec(), url };
        server.resume();
        server
    }

    /// Starts it on its data and port, and waits until its watcher keeps up with the node.
    pub fn resume(&mut self) {
        self.start_only();
        wait::until("a watcher that keeps up", || (self.network()["healthy"] == true).then_some(()));
    }

    /// Starts it and waits until it answers, whatever its watcher still has to read.
    pub fn start_only(&mut self) {
        let log = self.folder.path().join("server.log");
        let mut process = Running::start(&program("kernodeck-server"), &log, |command| {
            command.args(&self.arguments);
        });
        let ready = format!("{}/readyz", self.url);
        let http = reqwest::blocking::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap();
        wait::until("a ready server", || {
            assert!(process.ended().is_none(), "the server ended:\n{}", process.said());
            http.get(&ready).send().is_ok_and(|answer| answer.status().is_success()).then_some(())
        });
        self.process = Some(process);
        self.wait_for_watchers(&http);
    }

    /// Waits until every watcher has read to its tip: until then no method is offered. A node that a test keeps away is not
    /// waited for beyond a while.
    fn wait_for_watchers(&self, http: &reqwest::blocking::Client) {
        let status = format!("{}/v1/status", self.url);
        wait::within(WATCHERS, || {
            let answer = http.post(&status).body("{}").send().ok()?.text().ok()?;
            let answer: api::server::StatusAnswer = serde_json::from_str(&answer).ok()?;
            let all = !answer.networks.is_empty() && answer.networks.iter().all(|network| network.healthy);
            all.then_some(())
        });
    }

    /// Stops it as an operator would.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let ended = process.terminate(STOP);
            assert!(ended.success(), "the server did not stop in good order: {ended}\n{}", process.said());
        }
    }

    /// Kills it in the middle of whatever it does.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    /// The process, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Running::pid)
    }

    /// All that it has said.
    pub fn said(&self) -> String {
        self.process.as_ref().map(Running::said).unwrap_or_default()
    }

    /// Height of the last block that its watcher read.
    pub fn watched_height(&self) -> u64 {
        self.network()["height"].as_u64().unwrap()
    }

    /// What it says of its watcher.
    fn network(&self) -> serde_json::Value {
        let http = reqwest::blocking::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap();
        let asked = http.post(format!("{}/v1/status", self.url)).body("{}").send().unwrap();
        asked.json::<serde_json::Value>().unwrap()["networks"][0].clone()
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("kernodeck.db")
    }

    /// A folder for files of this test.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Imports a signed file.
    pub fn import(&self, file: &Path) {
        programs::run(self.command(&["addresses", "import"]).arg(file));
    }

    /// Signs and imports more addresses.
    pub fn import_signed(&self, name: &str, signing: &Signing) {
        self.import(&addresses::sign(self.folder.path(), name, signing));
    }

    /// Opens the database of a server that does not run.
    pub fn with_store<T>(&self, work: impl FnOnce(&Store) -> T) -> T {
        assert!(self.process.is_none(), "the server runs");
        let store = Store::open(&Settings::Sqlite { path: self.database() }).unwrap();
        let done = work(&store);
        store.close();
        done
    }

    /// Changes rows of a server that does not run, as somebody could who broke in.
    pub fn tamper(&self, sql: &str) -> usize {
        assert!(self.process.is_none(), "the server runs");
        let database = rusqlite::Connection::open(self.database()).unwrap();
        database.execute(sql, []).unwrap()
    }

    /// A number from the database of a server that does not run.
    pub fn number(&self, sql: &str) -> i64 {
        assert!(self.process.is_none(), "the server runs");
        let database = rusqlite::Connection::open(self.database()).unwrap();
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Stops it, compares the books and answers every difference that is found.
    pub fn differences(&mut self) -> Vec<String> {
        self.stop();
        self.with_store(|store| store.read(backend::reconcile::differences).unwrap())
    }

    /// Makes an operator.
    pub fn add_operator(&self, role: &str) -> Operator {
        let (email, password) = (format!("{role}@example.org"), "three quiet harbours wait".to_owned());
        let mut command = self.command(&["operator", "add", "--email", &email, "--role", role]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{password}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "operator add: {said}{}", String::from_utf8_lossy(&output.stderr));
        let secret = said.split(|letter: char| !letter.is_ascii_alphanumeric()).find(|word| is_secret(word));
        let secret = secret.unwrap_or_else(|| panic!("no authenticator secret in: {said}")).to_owned();
        Operator { email, password, role: role.to_owned(), secret }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program("kernodeck-server"));
        command.args(arguments).args(&self.arguments[1..]);
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// 160 bits in base32.
fn is_secret(word: &str) -> bool {
    word.len() == 32 && word.chars().all(|letter| matches!(letter, 'A'..='Z' | '2'..='7'))
}

fn configuration(port: u16, node: &Litecoind, options: &ServerOptions) -> String {
    let ServerOptions { confirmations, poll_ms, prices, .. } = options;
    let key = |seed| manifest::SigningKey::from_seed(seed).public_key().unwrap().to_hex();
    let (current, next) = (key(sandbox_keys::CURRENT_SEED), key(sandbox_keys::NEXT_SEED));
    let (url, user) = (&node.rpc.url, &node.rpc.user);
    format!(
        r#"
environment = "regtest"
listen = "127.0.0.1:{port}"
public_base = "http://127.0.0.1:{port}"

[litecoin]
url = "{url}"
user = "{user}"
timeout_seconds = 5
poll_milliseconds = {poll_ms}

[confirmations]
litecoin = [{{ blocks = {confirmations} }}]

[limits]
node_silent_seconds = 8
open_payments_per_account = 100
open_payments_per_network = 1000

[addresses]
current_key = "{current}"
next_key = "{next}"

[prices]
{prices}
"#
    )
}

/// This machine's clock.
pub fn now() -> domain::Timestamp {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    domain::Timestamp::from_micros(i64::try_from(now.as_micros()).unwrap())
}
