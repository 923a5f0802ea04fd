//! Instructions that nobody keeps current any more: the server answers, and tells this device nothing of its account.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use api::ErrorCode;
use api::host::{ChangePasswordForm, Host, SignInEnd, Slip};
use api::server::{Nothing, OrderRequest, PaymentRequest};
use api::views::OrderView;
use client::{Desktop, Keeping, Options};
use domain::time::SECOND_MICROS;

use crate::sale::{pay, payment, two_lots};
use crate::support::{PASSWORD, Stub, desktop, register_form, sign_in_form, wait_for};

/// A device whose clock goes on when it is told to, with an open payment, and a second device of the same account.
struct Scene {
    stub: Stub,
    ahead: Arc<AtomicI64>,
    changes: Arc<AtomicU32>,
    here: Desktop,
    there: Desktop,
    order: OrderView,
    payment_id: String,
    _folders: [tempfile::TempDir; 2],
}

fn on_clock(folder: &Path, url: String, ahead: &Arc<AtomicI64>, changes: &Arc<AtomicU32>) -> Desktop {
    let (ahead, changes, system) = (Arc::clone(ahead), Arc::clone(changes), client::clock::system());
    let options = Options {
        keeping: Keeping::PasswordOnly,
        clock: Arc::new(move || system().plus_micros(ahead.load(Ordering::SeqCst) * SECOND_MICROS)),
        on_changed: Box::new(move || {
            changes.fetch_add(1, Ordering::SeqCst);
        }),
        ..Options::new(folder.to_owned(), url)
    };
    Desktop::open(options).unwrap()
}

impl Scene {
    fn new() -> Self {
        let (stub, folders) = (Stub::start(), [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()]);
        let (ahead, changes) = (Arc::default(), Arc::default());
        let here = on_clock(folders[0].path(), stub.url(), &ahead, &changes);
        here.register(&(), register_form("ada@example.com")).unwrap();
        let order = here.place_order(&(), two_lots()).unwrap();
        let screen = here.create_payment(&(), pay(&order)).unwrap();
        assert!(matches!(screen.slip, Slip::Open { .. }), "{:?}", screen.slip);
        let there = desktop(folders[1].path(), &stub.url());
        there.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
        Self { stub, ahead, changes, here, there, order, payment_id: screen.payment.id, _folders: folders }
    }

    /// A round of the first device after so many seconds.
    fn round_after(&self, seconds: i64) -> Slip {
        self.ahead.fetch_add(seconds, Ordering::SeqCst);
        self.here.refresh(&(), Nothing {}).unwrap();
        assert!(self.here.session(&(), Nothing {}).unwrap().online, "the server answers");
        payment(&self.here, &self.payment_id).slip
    }

    fn wallet(&self) -> ErrorCode {
        self.here.open_wallet(&(), PaymentRequest { payment_id: self.payment_id.clone() }).unwrap_err().error
    }
}

/// Whoever was signed out can't be told that the order is cancelled or paid already: the money would go twice.
#[test]
fn a_sign_in_that_ended_elsewhere_takes_the_instructions_back_and_says_why() {
    let scene = Scene::new();
    let change = ChangePasswordForm {
        old_password: PASSWORD.into(),
        new_password: "another quiet lamp here".into(),
        authenticator_code: None,
    };
    scene.there.change_password(&(), change).unwrap();
    assert_eq!(scene.round_after(1), Slip::Withdrawn {});
    let session = scene.here.session(&(), Nothing {}).unwrap();
    assert_eq!(session.sign_in_ended, Some(SignInEnd::Expired));
    assert_eq!(scene.wallet(), ErrorCode::SignInExpired);
}

/// The line lets `/status` through and nothing of the account: an order cancelled elsewhere must not be paid from here.
#[test]
fn an_account_that_can_not_be_fetched_takes_the_instructions_back_within_a_minute() {
    let scene = Scene::new();
    scene.stub.state().answers_lost_of = Some("sync".into());
    scene.there.cancel_order(&(), OrderRequest { order_id: scene.order.id.clone() }).unwrap();
    assert!(matches!(scene.round_after(30), Slip::Open { .. }), "a short gap takes nothing back");
    assert_eq!(scene.round_after(31), Slip::Withdrawn {});
    let session = scene.here.session(&(), Nothing {}).unwrap();
    assert!(session.sign_in_ended.is_none() && session.synced_at.is_some(), "the window says how old it is");
    assert_eq!(scene.wallet(), ErrorCode::Offline);
    scene.stub.state().answers_lost_of = None;
    assert!(matches!(scene.round_after(1), Slip::Closed { .. }), "the order was cancelled meanwhile");
}

/// The window draws again only when it is told.
#[test]
fn the_window_is_told_when_the_account_falls_silent() {
    let scene = Scene::new();
    scene.here.start();
    wait_for("a round", || scene.changes.load(Ordering::SeqCst) > 3);
    scene.stub.state().answers_lost_of = Some("sync".into());
    scene.ahead.fetch_add(61, Ordering::SeqCst);
    let before = scene.changes.load(Ordering::SeqCst);
    wait_for("the window to be told", || scene.changes.load(Ordering::SeqCst) > before);
    wait_for("the slip to go", || payment(&scene.here, &scene.payment_id).slip == Slip::Withdrawn {});
}

#[test]
fn a_slip_that_stays_open_on_the_status_alone_is_caught() {
    for test in [
        "stale::a_sign_in_that_ended_elsewhere_takes_the_instructions_back_and_says_why",
        "stale::an_account_that_can_not_be_fetched_takes_the_instructions_back_within_a_minute",
    ] {
        let mut this = Command::new(std::env::current_exe().unwrap());
        this.args([test, "--exact"]).env("KERNODECK_FAULTS", faults::SLIP_ON_STATUS_ALONE);
        let said = this.output().unwrap();
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(!said.status.success() && text.contains("Withdrawn"), "the fault was not seen:\n{text}");
    }
}
