//! The programs that people install: they hold no test key, know no test network, and show no test address.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod planted;

use std::path::{Path, PathBuf};
use std::process::Command;

use e2e::desktop::{Device, PASSWORD, email, open_slip};
use e2e::process::Running;
use e2e::reds::Reds;
use e2e::server::{Server, ServerOptions};
use e2e::{folder, programs, wait};
use serde_json::{Value, json};
use testkit::node::Litecoind;
use testkit::sandbox_keys::{CURRENT_SEED, NEXT_SEED};

/// What must not be in a production program: by name, the bytes.
fn forbidden() -> Vec<(String, Vec<u8>)> {
    let mut found = vec![("tltc".into(), b"tltc".to_vec()), ("rltc".into(), b"rltc".to_vec())];
    for seed in [CURRENT_SEED, NEXT_SEED] {
        let public = manifest::SigningKey::from_seed(seed).public_key().unwrap().to_hex();
        found.push((format!("seed {}", String::from_utf8_lossy(seed)), seed.to_vec()));
        found.push((format!("public key {public}, raw"), hex::decode(&public).unwrap()));
        found.push((format!("public key {public}"), public.into_bytes()));
    }
    found
}

fn names_in(file: &Path) -> Vec<String> {
    found_in(file, forbidden())
}

/// Which of these a file holds, in one pass over its bytes.
fn found_in(file: &Path, mut wanted: Vec<(String, Vec<u8>)>) -> Vec<String> {
    let bytes = std::fs::read(file).unwrap();
    let mut begins = [false; 256];
    wanted.iter().for_each(|(_, wanted)| begins[usize::from(wanted[0])] = true);
    let mut found = Vec::new();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| begins[usize::from(**byte)]) {
        let here = wanted.iter().position(|(_, wanted)| bytes[at..].starts_with(wanted));
        found.extend(here.map(|here| wanted.remove(here).0));
    }
    found
}

/// The pages are packed into the program; they are looked at as they lie before that.
fn page_files() -> Vec<PathBuf> {
    let pages = programs::checkout().join("ui/build");
    let files: Vec<_> =
        folder::listing(&pages).into_iter().map(|path| pages.join(path)).filter(|path| path.is_file()).collect();
    assert!(!files.is_empty(), "no pages: `./x test` builds them before the tests");
    files
}

/// What would be lost: everybody can sign with the test keys, so a program that knew them would show anybody's address.
#[test]
fn no_test_key_and_no_test_network_is_in_the_program() {
    let sandbox = names_in(&programs::program("kernodeck"));
    for wanted in ["tltc", "rltc"] {
        assert!(
            sandbox.iter().any(|name| name == wanted),
            "the same search does not find {wanted} in the sandbox build"
        );
    }
    assert_eq!(sandbox.iter().filter(|name| name.starts_with("public key")).count(), 2, "{sandbox:?}");
    assert_eq!(names_in(&programs::production("kernodeck")), Vec::<String>::new());
    for file in page_files() {
        assert_eq!(names_in(&file), Vec::<String>::new(), "{}", file.display());
    }
}

/// What would be lost: every check, to whoever can set a variable for the program. Only what is put aside for tests reads it.
#[test]
fn no_fault_can_be_planted_into_the_programs_that_people_get() {
    let switch = || vec![("the switch".to_owned(), b"KERNODECK_FAULTS".to_vec())];
    let reads_it = |program: PathBuf| !found_in(&program, switch()).is_empty();
    for name in ["kernodeck", "kernodeck-server", "kernodeck-webhost"] {
        assert!(reads_it(programs::aside(programs::PLANTED, name)), "the same search does not find it in {name}");
    }
    let mut reds = Reds::default();
    for name in ["kernodeck", "kernodeck-webhost"] {
        reds.hold(name, !reads_it(programs::production(name)), "the production build takes planted faults");
    }
    for name in ["kernodeck", "kernodeck-server", "kernodeck-keytool"] {
        reds.hold(name, !reads_it(programs::program(name)), "it takes planted faults");
    }
    reds.none();
}

/// What would be lost: the window of a person who is being robbed, driven by another program.
#[test]
fn the_program_does_not_start_where_others_could_drive_its_window() {
    let data = folder::temporary();
    let log = data.path().join("log");
    let mut program = Running::start(&programs::production("kernodeck"), &log, |command| {
        command.env("TAURI_WEBVIEW_AUTOMATION", "true").env_remove("DISPLAY");
        command.arg("--data-dir").arg(data.path().join("data")).args(["--server", "http://127.0.0.1:9"]);
    });
    let ended = wait::until("the program to refuse", || program.ended());
    let refused = !ended.success() && program.said().contains("TAURI_WEBVIEW_AUTOMATION");
    assert!(refused, "it went on to open its window ({ended}): {}", program.said());
}

/// What would be lost: real money to an address of a test, or to one that anybody signed with the published keys.
#[test]
fn a_record_of_regtest_is_refused_and_the_sandbox_build_takes_it() {
    let node = Litecoind::start().unwrap();
    refuses(&Server::start(&node, &ServerOptions::default()));
}

/// The same for the network that is made up.
#[test]
fn a_record_of_the_sandbox_is_refused_and_the_sandbox_build_takes_it() {
    let data = folder::temporary();
    refuses(&Server::sandbox(data.path()));
}

fn refuses(server: &Server) {
    let device = Device::new(&server.url);
    device.register(&email("sandbox-build"));
    let order = device.order("b200", 1).unwrap();
    let (address, _, _) = open_slip(&device.instructions(&order).unwrap());
    let prefix = address.split_once('1').unwrap().0;

    let production = Production::start(&server.url);
    let build = production.register();
    let slip = production.slip_of_a_new_order();
    let mut reds = Reds::default();
    let said = slip["reason"].as_str().unwrap_or("no reason");
    reds.hold("record", slip["state"] == "refused", format!("accepted: the slip is {}", slip["state"]));
    reds.hold("reason", ["unknown_key", "wrong_environment"].contains(&said), said);
    reds.hold("address", !slip.to_string().contains(prefix), format!("shown: {}", slip["address"]));
    reds.hold("build", build == false, "it says that it is a sandbox");
    reds.none();
}

/// The production desktop without its window: the same host behind a loopback port.
struct Production {
    _process: Running,
    _data: tempfile::TempDir,
    url: String,
    http: reqwest::blocking::Client,
}

impl Production {
    fn start(server: &str) -> Self {
        let data = folder::temporary();
        let process = Running::start(
            &programs::production("kernodeck-webhost"),
            &data.path().join("log"),
            |command: &mut Command| {
                command.arg("--data-dir").arg(data.path().join("data")).args(["--server", server]);
            },
        );
        let url = wait::until("the production desktop", || {
            process.said().lines().find(|line| line.starts_with("http://")).map(str::to_owned)
        });
        let http = reqwest::blocking::Client::builder().no_proxy().build().unwrap();
        Self { _process: process, _data: data, url, http }
    }

    fn call(&self, command: &str, request: &Value) -> Value {
        let answer = self.http.post(format!("{}/host/{command}", self.url)).body(request.to_string()).send().unwrap();
        let status = answer.status();
        let text = answer.text().unwrap();
        assert!(status.is_success(), "{command}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Registers; answers whether the program says that it is a sandbox.
    fn register(&self) -> Value {
        let who = json!({"first_name": "Ada", "last_name": "Teste", "email": email("production-build"), "password": PASSWORD});
        self.call("register", &who)["sandbox_build"].clone()
    }

    fn slip_of_a_new_order(&self) -> Value {
        let choice = json!({"offer_id": "b200", "lots": 1, "days": 7});
        let total = self.call("figures", &choice)["total"].clone();
        let order = self.call("place_order", &json!({
            "offer_id": "b200", "lots": 1, "days": 7, "preparation": "pytorch", "ssh_public_key": null, "confirmed_total": total,
        }));
        let ask = json!({"order_id": order["id"], "method": "litecoin:ltc", "confirmed_total": total});
        self.call("create_payment", &ask)["slip"].clone()
    }
}
