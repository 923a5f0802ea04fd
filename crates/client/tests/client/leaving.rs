//! Signing out leaves nothing, also when the program is killed after any of its steps.

use std::path::Path;
use std::process::Command;

use api::ErrorCode;
use api::host::{Host, SignOutForm, UnsentChoice};
use api::server::{Nothing, PaymentRequest};
use rusqlite::Connection;
use testkit::proxy::{Harm, HarmfulProxy};

use crate::sale::{pay, two_lots};
use crate::support::{PASSWORD, Stub, desktop, listing, register_form, sign_in_form};

const ASK: SignOutForm = SignOutForm { unsent: UnsentChoice::Ask };

#[test]
fn after_signing_out_the_folder_is_as_before_registering() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let program = desktop(folder.path(), &stub.url());
    let before = listing(folder.path());
    assert_eq!(before, ["device.db"]);
    program.register(&(), register_form("ada@example.com")).unwrap();
    program.place_order(&(), two_lots()).unwrap();
    let copy = tempfile::tempdir().unwrap();
    let held: Vec<_> = listing(folder.path()).into_iter().filter(|name| name.ends_with(".db")).collect();
    assert_eq!(held.len(), 3, "{held:?}");
    for name in held.iter().filter(|name| name.contains("accounts")) {
        std::fs::copy(folder.path().join(name), copy.path().join(name.rsplit('/').next().unwrap())).unwrap();
    }
    let session = program.sign_out(&(), ASK).unwrap();
    assert_eq!(session.account, None);
    assert_eq!(listing(folder.path()), before);
    assert!(stub.state().tokens.is_empty(), "the server knows too");
    assert_eq!(program.orders(&(), Nothing {}).unwrap_err().error, ErrorCode::NotSignedIn);
    assert_unreadable(copy.path(), folder.path());
}

/// The copies that were made before open with nothing that is left: neither bare nor with any secret of the device file.
fn assert_unreadable(copies: &Path, left: &Path) {
    let device = Connection::open(left.join("device.db")).unwrap();
    let secret: [u8; 32] = device.query_row("SELECT secret FROM device", [], |row| row.get(0)).unwrap();
    let mut plain = 0;
    for name in ["cache.db", "outbox.db"] {
        for key in [None, Some(hex::encode(secret))] {
            let copy = Connection::open(copies.join(name)).unwrap();
            if let Some(key) = key {
                copy.execute_batch(&format!("PRAGMA key = \"x'{key}'\"; PRAGMA cipher_log_level = NONE;")).unwrap();
            }
            let read = copy.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
            plain += usize::from(read.is_ok());
        }
    }
    assert_eq!(plain, 0);
}

#[test]
fn what_is_unsent_is_asked_about_before_it_goes() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let program = desktop(folder.path(), &format!("http://{}", proxy.address()));
    let unsent = |program: &client::Desktop| {
        let order = program.place_order(&(), two_lots()).unwrap();
        let payment_id = program.create_payment(&(), pay(&order)).unwrap().payment.id;
        proxy.set(Harm::CutAfter(0));
        program.notice(&(), PaymentRequest { payment_id }).unwrap();
    };
    program.register(&(), register_form("ada@example.com")).unwrap();
    unsent(&program);
    assert_eq!(program.sign_out(&(), ASK).unwrap_err().error, ErrorCode::UnsentWork { count: 1 });
    let send = SignOutForm { unsent: UnsentChoice::Send };
    assert_eq!(program.sign_out(&(), send).unwrap_err().error, ErrorCode::Offline);
    assert!(program.session(&(), Nothing {}).unwrap().account.is_some(), "nothing is lost by a failed try");
    proxy.set(Harm::None);
    program.sign_out(&(), send).unwrap();
    assert_eq!(stub.state().notices.len(), 1);
    program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    unsent(&program);
    program.sign_out(&(), SignOutForm { unsent: UnsentChoice::Discard }).unwrap();
    assert_eq!(listing(folder.path()), ["device.db"]);
}

#[test]
fn a_sign_out_killed_after_any_step_is_finished_at_the_next_start() {
    let stub = Stub::start();
    let mut kills = 0;
    for step in 1.. {
        let folder = tempfile::tempdir().unwrap();
        let program = desktop(folder.path(), &stub.url());
        program.register(&(), register_form(&format!("ada-{step}@example.com"))).unwrap();
        drop(program);
        let survived = sign_out_in_another_process(folder.path(), &stub.url(), step);
        let program = desktop(folder.path(), &stub.url());
        assert_eq!(program.session(&(), Nothing {}).unwrap().account, None, "step {step}");
        assert_eq!(listing(folder.path()), ["device.db"], "step {step}");
        let device = Connection::open(folder.path().join("device.db")).unwrap();
        let rows: i64 = device.query_row("SELECT count(*) FROM account", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "step {step}");
        if survived {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 6, "only {kills} steps were there to be killed after");
}

/// Whether it got past its last step.
fn sign_out_in_another_process(folder: &Path, url: &str, kill_after: u32) -> bool {
    let email = format!("ada-{kill_after}@example.com");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "leaving::child_signs_out", "--ignored", "--nocapture"])
        .envs([("TEST_FOLDER", folder.to_str().unwrap()), ("TEST_URL", url), ("TEST_EMAIL", &email)])
        .env("TEST_KILL_AFTER", kill_after.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("signing out"), "{text} {}", String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

#[test]
#[ignore = "a process that the test above kills"]
fn child_signs_out() {
    let given = |name: &str| std::env::var(name).unwrap();
    let program = desktop(Path::new(&given("TEST_FOLDER")), &given("TEST_URL"));
    program.sign_in(&(), sign_in_form(&given("TEST_EMAIL"), PASSWORD)).unwrap();
    println!("signing out");
    let mut left: u32 = given("TEST_KILL_AFTER").parse().unwrap();
    program
        .sign_out_by_steps(ASK, &mut |_| {
            left -= 1;
            if left == 0 {
                std::process::abort();
            }
        })
        .unwrap();
}
