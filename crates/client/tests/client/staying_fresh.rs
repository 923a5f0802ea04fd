//! The background: what changes on the server reaches the window by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use api::host::Host;
use api::server::Nothing;
use client::{Desktop, Keeping, Options, StartError};

use crate::sale::two_lots;
use crate::support::{PASSWORD, Stub, desktop, register_form, sign_in_form, wait_for};

#[test]
fn a_hint_brings_what_another_device_did_and_tells_the_window() {
    let (stub, folder, elsewhere) = (Stub::start(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let changes = Arc::new(AtomicU32::new(0));
    let told = Arc::clone(&changes);
    let here = Desktop::open(Options {
        keeping: Keeping::PasswordOnly,
        on_changed: Box::new(move || {
            told.fetch_add(1, Ordering::Relaxed);
        }),
        ..Options::new(folder.path().to_owned(), stub.url())
    })
    .unwrap();
    here.register(&(), register_form("ada@example.com")).unwrap();
    here.start();
    wait_for("the line of events", || stub.listening() == 1);
    let there = desktop(elsewhere.path(), &stub.url());
    there.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    there.place_order(&(), two_lots()).unwrap();
    let (before, rounds) = (changes.load(Ordering::Relaxed), stub.calls("status"));
    stub.send_event("hint");
    wait_for("the other device's order", || here.orders(&(), Nothing {}).unwrap().orders.len() == 1);
    wait_for("the window to be told", || changes.load(Ordering::Relaxed) > before);
    assert!(stub.calls("status") <= rounds + 2, "one hint, one round");
}

#[test]
fn without_hints_the_desktop_asks_by_itself() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let program = desktop(folder.path(), &stub.url());
    program.start();
    wait_for("the first round", || stub.calls("status") >= 1);
    wait_for("the catalogue", || program.session(&(), Nothing {}).unwrap().online);
    let asked = stub.calls("catalogue");
    program.refresh(&(), Nothing {}).unwrap();
    assert_eq!(stub.calls("catalogue"), asked + 1);
    assert_eq!(program.catalogue(&(), Nothing {}).unwrap().offers.len(), 1);
}

#[test]
fn two_programs_never_work_on_one_folder() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let options = || Options { keeping: Keeping::PasswordOnly, ..Options::new(folder.path().to_owned(), stub.url()) };
    let first = Desktop::open(options()).unwrap();
    first.start();
    assert!(matches!(Desktop::open(options()), Err(StartError::InUse { .. })));
    drop(first);
    assert!(Desktop::open(options()).is_ok(), "the folder is free again at once");
}
