//! A server that falls silent while a payment is on the screen (H2). The minute is a real one: nothing shortens it in any
//! build, so everything that it can show is asked in one wait.

use std::time::{Duration, Instant};

use e2e::bus::Bus;
use e2e::server::{Server, ServerOptions};
use e2e::walk::{self, CUSTOMER};
use e2e::window::{Launch, Window};
use e2e::{folder, planted, wait};
use testkit::node::Litecoind;

/// What a person pays by.
const PAYABLE: [&str; 5] = ["slip-qr", "slip-copy-address", "slip-copy-amount", "slip-open-wallet", "slip-address"];
/// After so long without an answer the instructions are taken back.
const SILENCE: Duration = Duration::from_secs(60);
/// The server may have been heard for the last time so long before it was stopped.
const HEARD_BEFORE: Duration = Duration::from_secs(21);
/// What a loaded machine may add.
const SLACK: Duration = Duration::from_secs(12);

/// What would be lost: money sent by instructions that nobody stands behind any more, and a word that the customer gave while
/// nobody listened.
#[test]
fn after_a_minute_of_silence_nothing_can_be_paid_and_a_notice_is_kept_and_sent_once() {
    let node = Litecoind::start().unwrap();
    let mut server = Server::start(&node, &ServerOptions::default());
    let (bus, data) = (Bus::start(), folder::temporary());
    let window = Window::open(&Launch { data: data.path(), server: &server.url, bus: Some(&bus) });
    walk::register(&window, CUSTOMER);
    let ordered = walk::order(&window, "b200", 1);
    walk::get_instructions(&window);
    window.wait_attr("slip", "data-state", "open");
    PAYABLE.iter().for_each(|id| window.wait_for(id));
    let address = walk::slip_address(&window);
    let plain = |window: &Window| window.page_text().split_whitespace().collect::<String>();
    assert!(plain(&window).contains(&address), "this search finds the address while it is there");

    server.stop();
    let stopped = Instant::now();
    notice_not_sent(&window);
    // Shorter silences are the network's everyday hiccups.
    assert_eq!(window.attr("slip", "data-state").as_deref(), Some("open"));
    let withdrawn = || (window.attr("slip", "data-state")? == "withdrawn").then_some(());
    if wait::within(SILENCE + SLACK, withdrawn).is_none() {
        window.fail("the slip to be withdrawn: the server has been silent for over a minute and can still be paid by");
    }
    let after = stopped.elapsed();
    assert!(after + HEARD_BEFORE >= SILENCE, "taken back after {after:?} already");
    for id in PAYABLE {
        assert!(!window.has(id), "«{id}» is still there");
    }
    assert!(!plain(&window).contains(&address), "the address is still on the page");
    let why = window.text("slip-withdrawn");
    assert!(why.contains("server was last heard") && why.contains("do not pay again"), "it does not say why: {why}");
    assert!(window.has("offline-strip") && window.text("offline-strip").contains("Offline"));
    assert_eq!(window.attr("notice-said", "data-unsent").as_deref(), Some("true"), "the word is lost");

    server.resume();
    window.wait_attr("slip", "data-state", "open");
    PAYABLE.iter().for_each(|id| window.wait_for(id));
    assert_eq!(walk::slip_address(&window), address);
    window.wait_attr("notice-said", "data-unsent", "false");
    window.wait_gone("unsent-count");
    walk::open_order(&window, &ordered);
    window.wait_text("timeline", |text| text.contains("paid"));
    assert_eq!(window.timeline().iter().filter(|kind| *kind == "notice").count(), 1);
    window.close();
    server.stop();
    assert_eq!(server.number("SELECT count(*) FROM timeline WHERE kind = 'notice'"), 1);
    assert_eq!(server.number("SELECT count(*) FROM payment WHERE notice_at IS NOT NULL"), 1);
}

/// The word is given twice, and waits once.
fn notice_not_sent(window: &Window) {
    for _ in 0..2 {
        window.click("notice-button");
        window.wait_attr("notice-said", "data-unsent", "true");
    }
    assert!(window.text("notice-said").contains("Not sent"), "{}", window.text("notice-said"));
    window.wait_text("unsent-count", |text| text.contains('1'));
}

#[test]
fn a_client_that_does_not_notice_the_silence_is_caught() {
    let test = "silence::after_a_minute_of_silence_nothing_can_be_paid_and_a_notice_is_kept_and_sent_once";
    planted::run(test, &[faults::SILENCE_IGNORED]).is_red(&["in vain for the slip to be withdrawn"]);
}
