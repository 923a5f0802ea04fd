//! A real PostgreSQL server on a temporary folder, gone when the test is, however the test ends.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a server may take to accept connections.
const START: Duration = Duration::from_secs(60);
/// A port can be taken by somebody else between being found free and being used.
const START_ATTEMPTS: u32 = 5;

/// Runs the server until standard input ends, which it does when the test's process does, killed or not.
/// `$0` the program, `$1` the folder, `$2` the port.
const KEEPER: &str = r#"
"$0" -D "$1/data" -c listen_addresses=127.0.0.1 -p "$2" -c unix_socket_directories= -c fsync=off \
    -c full_page_writes=off -c max_connections=200 >>"$1/log" 2>&1 &
server=$!
read order
kill -INT "$server"
wait "$server"
[ "$order" = keep ] || rm -rf "$1"
"#;

/// A running server. Dropping it stops it and removes its data.
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    keeper: Option<Child>,
    databases: AtomicU32,
}

impl Postgres {
    /// Makes and starts a server. Panics with a sentence when PostgreSQL is missing: a test that needs it fails.
    pub fn start() -> Self {
        let programs = programs();
        let folder = folder();
        let data = folder.join("data");
        let init = as_postgres(&programs.join("initdb"))
            .args(["-A", "trust", "-U", "postgres", "-N", "-E", "UTF8", "--locale=C", "-D"])
            .arg(&data)
            .output();
        succeed("initdb", init);
        let mut server = Self { programs, folder, port: 0, keeper: None, databases: AtomicU32::new(0) };
        for _ in 1..START_ATTEMPTS {
            server.port = free_port();
            if server.launch() {
                return server;
            }
            server.end("keep\n");
        }
        server.port = free_port();
        server.resume();
        server
    }

    /// One server for all tests of this program, started by the first that asks. It ends with the program: nothing else ends
    /// what is never dropped.
    pub fn of_this_program() -> &'static Self {
        static SERVER: OnceLock<Postgres> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    /// Stops the server and keeps its data; connections break.
    pub fn pause(&mut self) {
        self.end("keep\n");
    }

    /// Starts the server again on the same port after [`Postgres::pause`].
    pub fn resume(&mut self) {
        assert!(self.launch(), "PostgreSQL's port was taken; its log ends:\n{}", self.log());
    }

    /// Starts the server; false when its port is somebody else's.
    fn launch(&mut self) -> bool {
        let _ = std::fs::remove_file(self.folder.join("log"));
        let keeper = as_postgres(Path::new("sh"))
            .args(["-c", KEEPER])
            .arg(self.programs.join("postgres"))
            .arg(&self.folder)
            .arg(self.port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.keeper = Some(keeper.unwrap_or_else(|error| panic!("PostgreSQL did not start: {error}")));
        let started = Instant::now();
        while !self.is_ready() {
            if self.log().contains("could not create any TCP/IP sockets") {
                return false;
            }
            assert!(started.elapsed() < START, "PostgreSQL did not start; its log ends:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }

    /// A new, empty database of its own; its address.
    pub fn database(&self) -> String {
        let name = format!("t{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let created = Command::new(self.programs.join("createdb"))
            .args(["-h", "127.0.0.1", "-U", "postgres", "-T", "template0", "-p", &self.port.to_string(), &name])
            .output();
        succeed("createdb", created);
        self.url(&name)
    }

    /// The address of a database by name.
    pub fn url(&self, database: &str) -> String {
        format!("postgresql://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Whether this very server answers, and not another one that took the port.
    fn is_ready(&self) -> bool {
        let asked = Command::new(self.programs.join("psql"))
            .args(["-h", "127.0.0.1", "-U", "postgres", "-p", &self.port.to_string(), "-XAtwc", "SHOW data_directory"])
            .output();
        let data = self.folder.join("data").display().to_string();
        asked.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == data)
    }

    fn log(&self) -> String {
        let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        log.lines().rev().take(8).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    fn end(&mut self, order: &str) {
        if let Some(mut keeper) = self.keeper.take() {
            if let Some(mut stdin) = keeper.stdin.take() {
                let _ = stdin.write_all(order.as_bytes());
            }
            let _ = keeper.wait();
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.end("");
    }
}

/// The folder of PostgreSQL's programs, the newest from version 15 on.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin"))))
        .filter(|(version, bin)| *version >= 15 && bin.join("initdb").exists())
        .max();
    match newest {
        Some((_, bin)) => bin,
        None => panic!(
            "PostgreSQL 15 or later is missing: install the package postgresql (its server is needed, not running)"
        ),
    }
}

/// A new folder that the server's user owns.
fn folder() -> PathBuf {
    let pattern = std::env::temp_dir().join("kernodeck-postgres-XXXXXXXX");
    let made = as_postgres(Path::new("mktemp")).arg("-d").arg(pattern).output();
    let made = made.unwrap_or_else(|error| panic!("mktemp could not be run: {error}"));
    let path = String::from_utf8_lossy(&made.stdout).trim().to_owned();
    succeed("mktemp", Ok(made));
    PathBuf::from(path)
}

/// The server refuses to run as root: root becomes the package's user, anyone else stays who they are.
fn as_postgres(program: &Path) -> Command {
    let root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let mut command = Command::new(if root { Path::new("runuser") } else { program });
    if root {
        command.args(["-u", "postgres", "--"]).arg(program);
    }
    command.current_dir("/");
    command
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener.unwrap_or_else(|error| panic!("no free port: {error}")).port()
}

fn succeed(what: &str, output: std::io::Result<Output>) {
    match output {
        Ok(output) if output.status.success() => (),
        Ok(output) => panic!("{what} failed: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => panic!("{what} could not be run: {error}"),
    }
}
