//! The server program, run as an operator runs it: from a configuration file, with everything done at its command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use store::{Engine, Settings, Store, StoreError, Tx};
use tempfile::TempDir;
use testkit::node::Litecoind;
use testkit::postgres::Postgres;
use testkit::sandbox_keys;

use crate::addresses::{self, Signing};
use crate::operator::Operator;
use crate::process::Running;
use crate::programs::{self, program};
use crate::{folder, planted, wait};

/// How long an orderly stop may take.
const STOP: Duration = Duration::from_secs(30);

/// What a test may choose.
#[derive(Clone)]
pub struct ServerOptions {
    /// What the database is kept in.
    pub engine: Engine,
    /// Confirmations asked of litecoin, whatever the sum.
    pub confirmations: u32,
    /// Between two looks at the node.
    pub poll_ms: u32,
    /// The lines of `[prices]`.
    pub prices: String,
    /// Addresses to import before the first start; none, where the test imports its own.
    pub addresses: Option<Signing>,
}

impl ServerOptions {
    /// The usual, on an engine.
    pub fn on(engine: Engine) -> Self {
        Self { engine, ..Self::default() }
    }
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            engine: Engine::Sqlite,
            confirmations: 2,
            poll_ms: 200,
            prices: "made_up = true".into(),
            addresses: Some(Signing::default()),
        }
    }
}

/// A server of its own: database, keys and port.
pub struct Server {
    process: Option<Running>,
    folder: TempDir,
    arguments: Vec<String>,
    database: Settings,
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
        let database = empty_database(options.engine, folder.path());
        let server = Self::configured(node, options, folder, database);
        programs::run(&mut server.preparing(&["new-key"]));
        server.with_store(|store| {
            store.write(|tx| backend::catalogue::install_starter(tx, now())).unwrap();
        });
        if let Some(signing) = &options.addresses {
            server.import_signed("first", signing);
        }
        server
    }

    /// A second server on this one's database (PostgreSQL: the file of SQLite serves one), on a port of its own.
    pub fn beside(&self, node: &Litecoind, options: &ServerOptions) -> Self {
        self.of_same_installation(node, options, |_| self.database.clone())
    }

    /// The same installation in another place: its configuration and sealing key with a database that is empty.
    pub fn elsewhere(&self, node: &Litecoind, options: &ServerOptions) -> Self {
        self.of_same_installation(node, options, |folder| empty_database(options.engine, folder))
    }

    fn of_same_installation(
        &self,
        node: &Litecoind,
        options: &ServerOptions,
        database: impl FnOnce(&Path) -> Settings,
    ) -> Self {
        let folder = folder::temporary();
        let database = database(folder.path());
        fs::copy(self.folder.path().join("sealing.key"), folder.path().join("sealing.key")).unwrap();
        Self::configured(node, options, folder, database)
    }

    /// A server whose configuration is written and nothing else.
    fn configured(node: &Litecoind, options: &ServerOptions, folder: TempDir, database: Settings) -> Self {
        let port = testkit::port::free_port().unwrap();
        let config = folder.path().join("server.toml");
        fs::write(folder.path().join("litecoin.password"), &node.rpc.password).unwrap();
        fs::write(&config, configuration(port, node, options, &database)).unwrap();
        let arguments = ["serve", "--config", &config.display().to_string()].map(str::to_owned).to_vec();
        let url = format!("http://127.0.0.1:{port}");
        Self { process: None, folder, arguments, database, url }
    }

    /// A sandbox: simulated network, made-up prices, on this data folder.
    pub fn sandbox(data: &Path) -> Self {
        let folder = folder::temporary();
        let database = Settings::Sqlite { path: data.join("server.db") };
        let port = testkit::port::free_port().unwrap();
        let listen = format!("127.0.0.1:{port}");
        let data = data.display().to_string();
        // No blocks by themselves: whoever walks through it mines them.
        let arguments = ["sandbox", "--data", &data, "--listen", &listen, "--block-seconds", "0"].map(str::to_owned);
        let url = format!("http://{listen}");
        let mut server = Self { process: None, folder, arguments: arguments.to_vec(), database, url };
        server.resume();
        server
    }

    /// Starts it on its data and port, and waits until its watchers have read to their tips: until then no method is offered.
    pub fn resume(&mut self) {
        self.start_only();
        wait::until("watchers that keep up", || {
            let networks = self.networks();
            let all =
                networks.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(|one| one["healthy"] == true));
            all.then_some(())
        });
    }

    /// Starts it and waits until it answers, whatever its watchers still have to read.
    pub fn start_only(&mut self) {
        let started = Instant::now();
        loop {
            match self.started() {
                Ok(process) => return self.process = Some(process),
                // Somebody else had its port for a moment: another test that looked for one.
                Err(said) if said.contains("can't listen") && started.elapsed() < wait::PATIENCE => {}
                Err(said) => panic!("the server ended:\n{said}"),
            }
        }
    }

    /// Starts it and waits for nothing.
    pub fn launch(&mut self) {
        self.process = Some(Running::start(&program("kernodeck-server"), &self.log(), |command| {
            command.args(&self.arguments);
        }));
    }

    /// A process that answers, or what it said before it ended.
    fn started(&mut self) -> Result<Running, String> {
        let before = fs::metadata(self.log()).map_or(0, |log| log.len());
        self.launch();
        let mut process = self.process.take().unwrap();
        let http = reqwest::blocking::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap();
        let ready = format!("{}/readyz", self.url);
        wait::until("a ready server", || {
            if process.ended().is_some() {
                return Some(Err(process.said().split_off(usize::try_from(before).unwrap())));
            }
            http.get(&ready).send().is_ok_and(|answer| answer.status().is_success()).then_some(Ok(()))
        })
        .map(|()| process)
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("server.log")
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

    /// All that it has said, in all its lives.
    pub fn said(&self) -> String {
        fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// Height of the last block that its watcher read.
    pub fn watched_height(&self) -> u64 {
        self.networks()[0]["height"].as_u64().unwrap()
    }

    /// What it says of its watchers.
    fn networks(&self) -> serde_json::Value {
        let http = reqwest::blocking::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap();
        let asked = http.post(format!("{}/v1/status", self.url)).body("{}").send().unwrap();
        asked.json::<serde_json::Value>().unwrap()["networks"].take()
    }

    /// Where its database is.
    pub fn database(&self) -> &Settings {
        &self.database
    }

    /// A folder for files of this test.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Imports a signed file.
    pub fn import(&self, file: &Path) {
        programs::run(self.preparing(&["addresses", "import"]).arg(file));
    }

    /// Signs and imports more addresses.
    pub fn import_signed(&self, name: &str, signing: &Signing) {
        self.import(&addresses::sign(self.folder.path(), name, signing));
    }

    /// Writes a backup, whether it runs or not; what the program said.
    pub fn backup(&self, to: &Path) -> Output {
        programs::output(self.command(&["backup"]).arg(to))
    }

    /// Restores a backup into its database, which must be empty; what the program said.
    pub fn restore(&self, from: &Path) -> Output {
        programs::output(self.command(&["restore"]).arg(from))
    }

    /// Opens the database of a server that does not run.
    pub fn with_store<T>(&self, work: impl FnOnce(&Store) -> T) -> T {
        assert!(self.process.is_none(), "the server runs");
        let store = Store::open(&self.database).unwrap();
        let done = work(&store);
        store.close();
        done
    }

    /// Changes rows of a server that does not run, as somebody could who broke in.
    pub fn tamper(&self, sql: &str) -> u64 {
        let sql = sql.to_owned();
        self.with_store(|store| store.write::<_, StoreError>(move |tx| tx.execute(&sql, &[])).unwrap())
    }

    /// A number from the database of a server that does not run.
    pub fn number(&self, sql: &str) -> i64 {
        self.with_store(|store| store.read(|tx| number(tx, sql)).unwrap())
    }

    /// Stops it, compares the books and answers every difference that is found.
    pub fn differences(&mut self) -> Vec<String> {
        self.stop();
        self.with_store(|store| store.read(backend::reconcile::differences).unwrap())
    }

    /// Makes an operator.
    pub fn add_operator(&self, role: &str) -> Operator {
        let (email, password) = (format!("{role}@example.org"), "three quiet harbours wait".to_owned());
        let mut command = self.preparing(&["operator", "add", "--email", &email, "--role", role]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{password}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "operator add: {said}{}", String::from_utf8_lossy(&output.stderr));
        let secret = said.split(|letter: char| !letter.is_ascii_alphanumeric()).find(|word| is_secret(word));
        let secret = secret.unwrap_or_else(|| panic!("no authenticator secret in: {said}")).to_owned();
        Operator { email, password, role: role.to_owned(), secret }
    }

    /// A command by which the test prepares what it is about: no fault is switched on in it.
    fn preparing(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.env_remove(planted::FAULTS);
        command
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

/// A number that a query answers. A sum is a decimal on PostgreSQL.
///
/// # Errors
/// The store's.
pub fn number(tx: &mut Tx<'_>, sql: &str) -> Result<i64, StoreError> {
    tx.query_one(&format!("SELECT CAST(({sql}) AS BIGINT) AS number"), &[])?.get("number")
}

/// A database that nobody has used: a file that does not exist yet, or one without tables on this program's PostgreSQL.
fn empty_database(engine: Engine, folder: &Path) -> Settings {
    match engine {
        Engine::Sqlite => Settings::Sqlite { path: folder.join("kernodeck.db") },
        Engine::Postgres => Settings::Postgres { url: Postgres::of_this_program().database() },
    }
}

fn configuration(port: u16, node: &Litecoind, options: &ServerOptions, database: &Settings) -> String {
    let ServerOptions { confirmations, poll_ms, prices, .. } = options;
    let key = |seed| manifest::SigningKey::from_seed(seed).public_key().unwrap().to_hex();
    let (current, next) = (key(sandbox_keys::CURRENT_SEED), key(sandbox_keys::NEXT_SEED));
    let (url, user) = (&node.rpc.url, &node.rpc.user);
    let database = match database {
        Settings::Sqlite { path } => format!("sqlite = \"{}\"", path.display()),
        Settings::Postgres { url } => format!("postgres = \"{url}\""),
    };
    format!(
        r#"
environment = "regtest"
listen = "127.0.0.1:{port}"
public_base = "http://127.0.0.1:{port}"

[database]
{database}

[log]
filter = "info,kernodeck_server::jobs=debug"

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
