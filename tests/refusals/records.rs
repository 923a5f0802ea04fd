//! Records, amounts and deadlines that the desktop must refuse although the server's answer carries them.

use std::collections::BTreeMap;
use std::path::Path;

use e2e::addresses::{Signing, sign};
use e2e::rewriting::Rewriting;
use e2e::server::{Server, ServerOptions};
use e2e::walk::{self, CUSTOMER, Ordered};
use e2e::window::{Launch, Window};
use e2e::{folder, screen};
use manifest::AddressFile;
use serde_json::{Map, Value, json};
use testkit::node::Litecoind;

/// Epoch of the good addresses, so that there is a lower one.
const EPOCH: u32 = 2;

type Change = Box<dyn Fn(&mut Map<String, Value>) + Send>;

/// What would be lost: the claim that a breached server can't make the window show an address that the owner did not sign.
#[test]
fn a_record_that_does_not_check_shows_no_address() {
    let node = Litecoind::start().unwrap();
    let addresses = Some(Signing { epoch: EPOCH, ..Signing::default() });
    let server = Server::start(&node, &ServerOptions { addresses, ..ServerOptions::default() });
    let between = Rewriting::start(&server.url);
    let data = folder::temporary();
    let window = Window::open(&Launch { data: data.path(), server: &between.url, bus: None });
    walk::register(&window, CUSTOMER);

    let good = good_one(&window, &between);
    let mut sentences = BTreeMap::new();
    for (reason, change) in cases(server.folder(), good) {
        between.change(change);
        let sentence = refused(&window, reason);
        if let Some(other) = sentences.insert(sentence, reason) {
            panic!("{other} and {reason} are said in the same words");
        }
        between.change_nothing();
    }
    closed(&window, &between);
}

/// The harness sees a good one: address, QR, and the record that came with it.
fn good_one(window: &Window, between: &Rewriting) -> String {
    let ordered = walk::order(window, "b200", 1);
    walk::get_instructions(window);
    window.wait_attr("slip", "data-state", "open");
    let address = walk::slip_address(window);
    assert!(address.starts_with("rltc1"), "{address}");
    assert!(window.qr(&window.folder().join("good.png")).contains(&address));
    let record = between.last_record();
    assert!(record.contains(&address));
    cancel(window, &ordered);
    record
}

fn cancel(window: &Window, ordered: &Ordered) {
    walk::open_order(window, ordered);
    window.click("order-cancel");
    window.click("order-cancel-confirm");
    window.wait_attr("order-state", "data-state", "cancelled");
}

/// Orders, asks how to pay, and answers in which words that was refused.
fn refused(window: &Window, reason: &str) -> String {
    let ordered = walk::order(window, "b200", 1);
    walk::get_instructions(window);
    window.wait_attr("slip", "data-state", "refused");
    window.wait_attr("slip-refused-reason", "data-reason", reason);
    let sentence = window.text("slip-refused-reason");
    assert!(!sentence.trim().is_empty());
    shows_no_address(window, reason);
    cancel(window, &ordered);
    sentence
}

/// Nothing to copy, to scan or to read.
fn shows_no_address(window: &Window, reason: &str) {
    for id in ["slip-address", "slip-qr", "slip-copy-address", "slip-copy-amount", "slip-open-wallet"] {
        assert!(!window.has(id), "{reason}: {id} is shown");
    }
    let source = window.source();
    assert!(!source.contains("ltc1") && !source.contains("bcrt1"), "{reason}: an address is on the page");
    let picture = window.folder().join("refused.png");
    window.picture(&picture);
    assert_eq!(screen::qr_in(&picture), None, "{reason}");
}

fn cases(folder: &Path, good: String) -> Vec<(&'static str, Change)> {
    let trusted = Signing { epoch: EPOCH, from: 500, count: 4, ..Signing::default() };
    let signed = |name: &str, signing: Signing| first_record(&sign(folder, name, &signing));
    let stranger = signed("stranger", Signing { seed: [7; 32], ..trusted.clone() });
    let lower = signed("lower", Signing { epoch: EPOCH - 1, ..trusted.clone() });
    let past = signed("past", Signing { signed_days_ago: 30, last_day_in_days: -1, ..trusted.clone() });
    let bitcoin = signed("bitcoin", Signing { network: "bitcoin-regtest", ..trusted.clone() });
    let production = signed("production", Signing { network: "litecoin", ..trusted.clone() });
    let other = signed("other", trusted);
    vec![
        ("bad_signature", Box::new(move |payment| payment["record"] = json!(with_address_of(&text(payment), &other)))),
        ("bad_record", Box::new(|payment| payment["record"] = json!(text(payment).replace("\"epoch\"", "\"Epoch\"")))),
        ("unknown_key", replaced(stranger)),
        ("old_epoch", replaced(lower)),
        ("past_last_day", replaced(past)),
        ("wrong_network", replaced(bitcoin)),
        ("wrong_environment", replaced(production)),
        ("address_reused", replaced(good)),
        ("wrong_amount", Box::new(|payment| payment["amount"] = json!(more(&payment["amount"])))),
        ("wrong_total", Box::new(|payment| payment["asked"] = json!("1.00"))),
    ]
}

fn replaced(record: String) -> Change {
    Box::new(move |payment| payment["record"] = json!(record))
}

fn text(payment: &Map<String, Value>) -> String {
    payment["record"].as_str().unwrap().to_owned()
}

/// One more in the last digit.
fn more(amount: &Value) -> String {
    let units = domain::BaseUnits::parse_coins(amount.as_str().unwrap(), 8).unwrap();
    domain::BaseUnits::new(units.get() + 100).to_coins(8, 6)
}

/// The first record of a signed file, as it travels with a payment.
fn first_record(file: &Path) -> String {
    let file = AddressFile::parse(&std::fs::read_to_string(file).unwrap()).unwrap();
    file.record(&file.entries[0]).to_line().unwrap()
}

/// A record whose address was exchanged for another, its signature left as it was.
fn with_address_of(record: &str, other: &str) -> String {
    let mut changed = manifest::SignedRecord::from_line(record).unwrap();
    changed.record.address = manifest::SignedRecord::from_line(other).unwrap().record.address;
    changed.to_line().unwrap()
}

/// After the deadline everything that could be paid from is gone; what stays is readable and says that it is closed.
fn closed(window: &Window, between: &Rewriting) {
    between.change(|payment| payment["deadline"] = json!((e2e::server::now().micros() + 3_000_000).to_string()));
    let ordered = walk::order(window, "b200", 1);
    walk::get_instructions(window);
    window.wait_attr("slip", "data-state", "closed");
    for id in ["slip-address", "slip-qr", "slip-copy-address", "slip-copy-amount", "slip-open-wallet"] {
        assert!(!window.has(id), "after the deadline {id} is shown");
    }
    let picture = window.folder().join("closed.png");
    window.picture(&picture);
    assert_eq!(screen::qr_in(&picture), None);
    window.wait_for("slip-closed");
    between.change_nothing();
    cancel(window, &ordered);
}
