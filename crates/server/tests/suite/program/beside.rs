//! Commands beside a running server, through its door.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use api::server::{SandboxMine, SandboxMineRequest, SandboxSend, SandboxSendRequest};
use backend::accounts::totp;
use domain::{Environment, Network, Timestamp};
use manifest::{Day, KeyHash, SigningKey, Terms, sign_file};

use super::*;

const PATIENCE: Duration = Duration::from_secs(30);

struct Place {
    _folder: tempfile::TempDir,
    data: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { data: folder.path().join("sandbox"), _folder: folder }
    }

    fn text(&self) -> String {
        self.data.display().to_string()
    }

    fn socket(&self) -> PathBuf {
        self.data.join("server.db.control/socket")
    }

    fn add_operator(&self, email: &str) -> Output {
        run(&["operator", "add", "--data", &self.text(), "--email", email, "--role", "fulfilment"])
    }
}

fn now() -> Timestamp {
    server::clock::Clock::default().now()
}

/// The secret that an authenticator is given as base 32 (RFC 4648), as bytes.
fn secret(base32: &str) -> Vec<u8> {
    let digits =
        base32.bytes().filter_map(|letter| b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".iter().position(|one| *one == letter));
    let bits: String = digits.map(|digit| format!("{digit:05b}")).collect();
    bits.as_bytes()
        .chunks_exact(8)
        .map(|byte| u8::from_str_radix(std::str::from_utf8(byte).unwrap(), 2).unwrap())
        .collect()
}

/// Signs in with nothing but what the program printed.
fn sign_in_as_told(url: &str, email: &str, told: &str) -> SignedIn {
    let code = totp::code(&secret(&line_after(told, "authenticator: ")), now()).unwrap();
    sign_in(url, email, &line_after(told, "password: "), &code)
}

/// What would be lost: sales, for as long as the server has to be stopped to let a colleague in; and the colleague's password, if
/// it stood in a log.
#[test]
fn an_operator_made_beside_the_running_server_signs_in_and_no_log_knows_the_password() {
    let place = Place::new();
    let log = place.data.with_extension("log");
    let running = Running::start_logging(&place.text(), fs::File::create(&log).unwrap().into());
    let added = place.add_operator("o@example.com");
    let told = said(&added);
    assert!(added.status.success(), "{told}");
    assert_eq!(sign_in_as_told(&running.url, "o@example.com", &told).role, Role::Fulfilment);
    let again = place.add_operator("o@example.com");
    assert!(!again.status.success() && said(&again).contains("exists already"), "{}", said(&again));
    drop(running);
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("operator add"), "the log of the door is not looked at:\n{log}");
    let secrets = ["password: ", "authenticator: "].map(|name| line_after(&told, name));
    assert!(!secrets.iter().any(|secret| log.contains(secret)), "the log knows the password");
}

fn address(index: u32) -> String {
    let mut program = [7; 20];
    program[..4].copy_from_slice(&index.to_be_bytes());
    KeyHash::new(program).to_address(Network::Litecoin, Environment::Sandbox).unwrap()
}

fn signed(first_index: u32, count: u32) -> String {
    let today = Day::of(now());
    let terms = Terms {
        environment: Environment::Sandbox,
        network: Network::Litecoin,
        epoch: 1,
        signed_on: today,
        last_day: today,
        first_index,
        tokens: Vec::new(),
    };
    let addresses: Vec<String> = (first_index..first_index + count).map(address).collect();
    sign_file(&SigningKey::from_seed(server::sandbox::SIGNING_SEED), terms, &addresses).unwrap().to_text().unwrap()
}

fn figure(url: &str, name: &str) -> i64 {
    let client = reqwest::blocking::Client::builder().no_proxy().build().unwrap();
    let text = client.get(format!("{url}/metrics")).send().unwrap().text().unwrap();
    line_after(&text, &format!("kernodeck_{name} ")).parse().unwrap()
}

fn until(url: &str, name: &str, wanted: i64) {
    let started = Instant::now();
    while figure(url, name) != wanted {
        assert!(started.elapsed() < PATIENCE, "{name} is {} and not {wanted}", figure(url, name));
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn pay(url: &str, address: String) {
    post::<SandboxSend>(url, &SandboxSendRequest { address, amount: "1".into() });
    let height = post::<SandboxMine>(url, &SandboxMineRequest { blocks: 1, undo: 0 }).height;
    until(url, "watcher_height{network=\"litecoin\"}", height.into());
}

/// What would be lost: a payment to an address that the server was given while it ran, and does not watch.
#[test]
fn addresses_imported_beside_the_running_server_are_in_the_pool_and_watched_at_once() {
    let place = Place::new();
    let running = Running::start(&place.text());
    let url = &running.url;
    until(url, "alarms", 0);
    let (few, free) = (7, figure(url, "addresses_free{network=\"litecoin\"}"));
    pay(url, address(10_000));
    assert_eq!(figure(url, "alarms"), 0, "money at an address that is nobody's");
    let file = place.data.with_extension("addresses");
    fs::write(&file, signed(10_000, few)).unwrap();
    let arguments = ["addresses", "import", "--data", &place.text(), &file.display().to_string()];
    let imported = run(&arguments);
    assert!(imported.status.success() && said(&imported).contains("7 added"), "{}", said(&imported));
    assert_eq!(figure(url, "addresses_free{network=\"litecoin\"}"), free + i64::from(few));
    pay(url, address(10_001));
    until(url, "alarms", 1);
    let refused = fs::write(&file, signed(10_000, few).replace("\"epoch\":1", "\"epoch\":2")).map(|()| run(&arguments));
    assert!(!refused.unwrap().status.success(), "the running server takes a file that nobody signed");
}

/// What would be lost: the next start, or the next command, after a power cut.
#[test]
fn what_a_killed_server_leaves_hinders_neither_the_next_command_nor_the_next_start() {
    let place = Place::new();
    let mut killed = Running::start(&place.text());
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    assert!(place.socket().exists(), "nothing was left: this test shows nothing");
    let alone = place.add_operator("alone@example.com");
    assert!(alone.status.success(), "{}", said(&alone));
    let mut next = Running::start(&place.text());
    let beside = place.add_operator("beside@example.com");
    assert!(beside.status.success(), "{}", said(&beside));
    for (email, added) in [("alone@example.com", alone), ("beside@example.com", beside)] {
        sign_in_as_told(&next.url, email, &said(&added));
    }
    assert!(next.terminate().success());
    assert!(!place.socket().parent().unwrap().exists(), "a server that ended in order left its door");
}

/// What would be lost: one of two changes, or the wrong one's answer.
#[test]
fn two_commands_at_once_are_both_carried_out_with_a_server_and_without() {
    let place = Place::new();
    let mut running = Running::start(&place.text());
    let both = |[first, second]: [&str; 2]| {
        std::thread::scope(|scope| {
            let threads = [first, second].map(|email| scope.spawn(|| place.add_operator(email)));
            threads.map(|thread| thread.join().unwrap())
        })
    };
    for (email, added) in ["a@example.com", "b@example.com"].iter().zip(both(["a@example.com", "b@example.com"])) {
        sign_in_as_told(&running.url, email, &said(&added));
    }
    assert!(running.terminate().success());
    for added in both(["c@example.com", "d@example.com"]) {
        assert!(added.status.success(), "{}", said(&added));
    }
}

/// What would be lost: everything, if any user of the machine could make operators. And the server must not need to be trusted about
/// a file's mode: the folder around it is closed as well.
#[test]
fn the_door_is_closed_to_other_users_of_the_machine() {
    let place = Place::new();
    let left = place.socket();
    fs::create_dir_all(left.parent().unwrap()).unwrap();
    fs::set_permissions(left.parent().unwrap(), fs::Permissions::from_mode(0o777)).unwrap();
    fs::write(&left, "somebody's").unwrap();
    let _running = Running::start(&place.text());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&left), mode(left.parent().unwrap())), (0o600, 0o700));
}

/// What would be lost: an hour of somebody who does not know why. A socket's name has room for about a hundred bytes.
#[test]
fn a_path_too_long_for_a_socket_is_said_and_the_server_runs_without_a_door() {
    let mut place = Place::new();
    place.data = place.data.join("a".repeat(120));
    let mut running = Running::start(&place.text());
    let refused = place.add_operator("o@example.com");
    assert!(!refused.status.success() && said(&refused).contains("too long"), "{}", said(&refused));
    assert!(running.terminate().success());
    assert!(place.add_operator("o@example.com").status.success());
}
