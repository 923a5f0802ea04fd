//! Sign-ins are renewed without anybody noticing: not by lost answers, not by kills, not by threads that race.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use api::ErrorCode;
use api::host::{Host, SignInEnd};
use api::server::Nothing;
use client::Desktop;
use testkit::proxy::{Harm, HarmfulProxy};

use crate::sale::two_lots;
use crate::support::{PASSWORD, Stub, desktop, listing, register_form, sign_in_form, wait_for};

/// Whether the server would have noticed anything.
fn undisturbed(stub: &Stub, program: &Desktop) {
    assert_eq!(stub.state().reused, Vec::<String>::new(), "a replaced token was used again");
    assert_eq!(program.session(&(), Nothing {}).unwrap().sign_in_ended, None);
}

fn renewed(stub: &Stub) -> usize {
    stub.state().replaced_tokens.len()
}

/// Opens what another run left: without a network by the password, and then with one again.
fn reopened(folder: &Path, proxy: &HarmfulProxy) -> Desktop {
    proxy.set(Harm::CutAfter(0));
    let program = desktop(folder, &format!("http://{}", proxy.address()));
    program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    proxy.set(Harm::None);
    program
}

#[test]
fn a_token_is_renewed_when_it_has_its_age_and_not_before() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let program = desktop(folder.path(), &stub.url());
    program.register(&(), register_form("ada@example.com")).unwrap();
    for _ in 0..3 {
        program.refresh(&(), Nothing {}).unwrap();
    }
    assert_eq!(stub.calls("renew_sign_in"), 0);
    stub.state().tokens.clear();
    program.refresh(&(), Nothing {}).unwrap();
    stub.state().renew_at_once = true;
    program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    for _ in 0..5 {
        program.refresh(&(), Nothing {}).unwrap();
    }
    program.place_order(&(), two_lots()).unwrap();
    assert_eq!(renewed(&stub), 6);
    undisturbed(&stub, &program);
}

#[test]
fn an_answer_that_is_lost_is_asked_for_again_with_the_same_token() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    stub.state().renew_at_once = true;
    stub.state().answers_lost_of = Some("renew_sign_in".into());
    let program = desktop(folder.path(), &format!("http://{}", proxy.address()));
    program.register(&(), register_form("ada@example.com")).unwrap();
    for _ in 0..3 {
        program.refresh(&(), Nothing {}).unwrap();
    }
    // The stub would have stopped at a second successor of the same token.
    assert_eq!((stub.calls("renew_sign_in"), renewed(&stub)), (4, 0));
    program.place_order(&(), two_lots()).unwrap();
    undisturbed(&stub, &program);
    // The program ends with the answer still lost, and the next run asks for the very same.
    drop(program);
    let program = reopened(folder.path(), &proxy);
    program.refresh(&(), Nothing {}).unwrap();
    stub.state().answers_lost_of = None;
    program.refresh(&(), Nothing {}).unwrap();
    assert_eq!(renewed(&stub), 1);
    assert_eq!(program.orders(&(), Nothing {}).unwrap().orders.len(), 1);
    undisturbed(&stub, &program);
}

#[test]
fn a_program_that_is_killed_while_it_renews_stays_signed_in() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    stub.state().renew_at_once = true;
    let program = desktop(folder.path(), &format!("http://{}", proxy.address()));
    program.register(&(), register_form("ada@example.com")).unwrap();
    drop(program);
    for kill in 0..10u64 {
        let before = renewed(&stub);
        proxy.set(Harm::CutAfter(0));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "renewing::child_renews", "--ignored", "--nocapture"])
            .env("TEST_FOLDER", folder.path())
            .env("TEST_URL", format!("http://{}", proxy.address()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for("the files to be open", || folder.path().join("open").exists());
        proxy.set(Harm::None);
        wait_for("a renewal", || renewed(&stub) > before);
        // Wherever it is by then: a round takes a few milliseconds.
        let until = Instant::now() + Duration::from_micros(kill * 1_700);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::remove_file(folder.path().join("open")).unwrap();
    }
    let program = reopened(folder.path(), &proxy);
    for _ in 0..2 {
        program.refresh(&(), Nothing {}).unwrap();
    }
    assert!(renewed(&stub) >= 10);
    undisturbed(&stub, &program);
}

#[test]
#[ignore = "a process that the test above kills"]
fn child_renews() {
    let given = |name: &str| std::env::var(name).unwrap();
    let program = desktop(Path::new(&given("TEST_FOLDER")), &given("TEST_URL"));
    program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    std::fs::write(Path::new(&given("TEST_FOLDER")).join("open"), "").unwrap();
    for _ in 0..100_000 {
        let _ = program.refresh(&(), Nothing {});
    }
}

/// Commands of the window and the background at once. The server's grace is for exactly this; a second successor of one token
/// would end the sign-in all the same.
#[test]
fn threads_that_race_agree_on_one_next_token() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    stub.state().renew_at_once = true;
    let program = desktop(folder.path(), &stub.url());
    program.register(&(), register_form("ada@example.com")).unwrap();
    program.start();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..15 {
                    program.refresh(&(), Nothing {}).unwrap();
                }
            });
        }
    });
    assert!(renewed(&stub) > 15, "{}", renewed(&stub));
    assert_eq!(program.session(&(), Nothing {}).unwrap().sign_in_ended, None);
    assert_eq!(stub.state().tokens.len(), 1, "one sign-in, one token");
}

#[test]
fn a_copied_sign_in_ends_with_its_own_reason_and_keeps_what_is_held() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let program = desktop(folder.path(), &stub.url());
    program.register(&(), register_form("ada@example.com")).unwrap();
    program.place_order(&(), two_lots()).unwrap();
    stub.state().tokens.clear();
    stub.state().ended_as = Some(ErrorCode::SignInCopied);
    let session = program.refresh(&(), Nothing {}).unwrap();
    assert_eq!(session.sign_in_ended, Some(SignInEnd::Copied));
    assert_eq!(program.orders(&(), Nothing {}).unwrap().orders.len(), 1, "what is held stays readable");
    // Once the server has forgotten why, this device still knows.
    stub.state().ended_as = Some(ErrorCode::NotSignedIn);
    assert_eq!(program.place_order(&(), two_lots()).unwrap_err().error, ErrorCode::NotSignedIn);
    assert_eq!(program.session(&(), Nothing {}).unwrap().sign_in_ended, Some(SignInEnd::Copied));
    stub.state().ended_as = None;
    program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    undisturbed(&stub, &program);
    assert_eq!(program.orders(&(), Nothing {}).unwrap().orders.len(), 1);
}

#[test]
fn a_removed_account_says_so_and_its_files_go_with_the_next_sign_in() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let program = desktop(folder.path(), &stub.url());
    program.register(&(), register_form("ada@example.com")).unwrap();
    let folders = || {
        let names = listing(&folder.path().join("accounts"));
        names.into_iter().filter(|name| !name.contains('/')).collect::<Vec<_>>()
    };
    let before = folders();
    // The server removes the account: nobody can sign in to it any more, and its email is free.
    stub.state().tokens.clear();
    stub.state().accounts.clear();
    stub.state().ended_as = Some(ErrorCode::AccountRemoved);
    let session = program.refresh(&(), Nothing {}).unwrap();
    assert_eq!(session.sign_in_ended, Some(SignInEnd::Removed));
    assert!(session.account.is_some(), "whose it was is still on the screen");
    assert!(program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).is_err());
    assert_eq!(folders(), before, "a failed try clears nothing");
    let again = program.register(&(), register_form("ada@example.com")).unwrap();
    assert_eq!((again.sign_in_ended, folders().len()), (None, 1));
    assert_ne!(folders(), before, "the files of the account that is gone are left");
    drop(program);
    assert_eq!(folders().len(), 1);
}
