//! Records, amounts and deadlines that the desktop must refuse although the server's answer carries them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use domain::Cents;
use e2e::addresses::{Signing, sign};
use e2e::reds::Reds;
use e2e::rewriting::Rewriting;
use e2e::server::{Server, ServerOptions};
use e2e::walk::{self, CUSTOMER};
use e2e::window::{Launch, Window};
use e2e::{folder, screen, wait};
use manifest::AddressFile;
use serde_json::{Map, Value, json};
use testkit::node::Litecoind;

/// Epoch of the good addresses, so that there is a lower one.
const EPOCH: u32 = 2;
/// Another total than any order's.
const ANOTHER_TOTAL: Cents = Cents::new(100);
/// How long a page that is drawn may take to be drawn as it stays.
const SETTLED: Duration = Duration::from_secs(5);
/// How long the page may take to close; the deadline is three seconds away.
const CLOSED: Duration = Duration::from_secs(20);

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
    let (mut reds, mut sentences) = (Reds::default(), BTreeMap::new());
    for (reason, change) in cases(server.folder(), good) {
        between.change(change);
        match refused(&window, reason) {
            Ok(sentence) => {
                if let Some(other) = sentences.insert(sentence, reason) {
                    reds.note(reason, format!("said in the same words as {other}"));
                }
            }
            Err(why) => reds.note(reason, why),
        }
        between.change_nothing();
    }
    if let Err(why) = closed(&window, &between) {
        reds.note("deadline", why);
    }
    reds.none();
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
    walk::cancel(window, &ordered);
    record
}

/// Orders, asks how to pay, and answers in which words that was refused, or what was seen instead.
fn refused(window: &Window, reason: &str) -> Result<String, String> {
    let ordered = walk::order(window, "b200", 1);
    walk::get_instructions(window);
    let sentence = sentence(window, reason);
    walk::cancel(window, &ordered);
    sentence
}

fn sentence(window: &Window, reason: &str) -> Result<String, String> {
    if window.wait_attr_any("slip", "data-state", &["refused", "open"]) == "open" {
        return Err(format!("an address is shown: {}", walk::slip_address(window)));
    }
    let said = || window.attr("slip-refused-reason", "data-reason");
    if wait::within(SETTLED, || said().filter(|said| said == reason)).is_none() {
        return Err(format!("refused for another reason: {}", said().unwrap_or_default()));
    }
    shows_no_address(window)?;
    let sentence = window.text("slip-refused-reason");
    if sentence.trim().is_empty() { Err("nothing is said".into()) } else { Ok(sentence) }
}

/// Nothing to copy, to scan or to read.
fn shows_no_address(window: &Window) -> Result<(), String> {
    nothing_to_pay_from(window)?;
    let source = window.source();
    if source.contains("ltc1") || source.contains("bcrt1") { Err("an address is on the page".into()) } else { Ok(()) }
}

fn nothing_to_pay_from(window: &Window) -> Result<(), String> {
    for id in ["slip-address", "slip-qr", "slip-copy-address", "slip-copy-amount", "slip-open-wallet"] {
        if window.has(id) {
            return Err(format!("{id} is shown"));
        }
    }
    let picture = window.folder().join("nothing.png");
    window.picture(&picture);
    screen::qr_in(&picture).map_or(Ok(()), |text| Err(format!("a QR code is shown: {text}")))
}

fn cases(folder: &Path, good: String) -> Vec<(&'static str, Change)> {
    // Each with an address of its own, so that none is refused for another's sake.
    let trusted = |from| Signing { epoch: EPOCH, from, count: 1, ..Signing::default() };
    let signed = |name: &str, signing: Signing| first_record(&sign(folder, name, &signing));
    let stranger = signed("stranger", Signing { seed: [7; 32], ..trusted(500) });
    let lower = signed("lower", Signing { epoch: EPOCH - 1, ..trusted(510) });
    let past = signed("past", Signing { signed_days_ago: 30, last_day_in_days: -1, ..trusted(520) });
    let bitcoin = signed("bitcoin", Signing { network: "bitcoin-regtest", ..trusted(530) });
    let production = signed("production", Signing { network: "litecoin", ..trusted(540) });
    let other = signed("other", trusted(550));
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
        (
            "wrong_total",
            Box::new(|payment| {
                payment["amount"] = json!(coins(&payment["quote"]["rate"], ANOTHER_TOTAL));
                payment["asked"] = json!(ANOTHER_TOTAL.to_string());
            }),
        ),
    ]
}

fn replaced(record: String) -> Change {
    Box::new(move |payment| payment["record"] = json!(record))
}

fn text(payment: &Map<String, Value>) -> String {
    payment["record"].as_str().unwrap().to_owned()
}

/// What a total is at a rate, so that nothing but the total is wrong.
fn coins(rate: &Value, total: Cents) -> String {
    let rate = domain::Rate::parse(rate.as_str().unwrap()).unwrap();
    rate.amount_ceil(total, 8, 6).unwrap().to_coins(8, 6)
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
fn closed(window: &Window, between: &Rewriting) -> Result<(), String> {
    between.change(|payment| payment["deadline"] = json!((e2e::server::now().micros() + 3_000_000).to_string()));
    let ordered = walk::order(window, "b200", 1);
    walk::get_instructions(window);
    let is_closed = || window.attr("slip", "data-state").filter(|state| state == "closed");
    let outcome = match wait::within(CLOSED, is_closed) {
        Some(_) => nothing_to_pay_from(window).map(|()| window.wait_for("slip-closed")),
        None => Err(format!("an address is shown after it: {}", walk::slip_address(window))),
    };
    between.change_nothing();
    walk::cancel(window, &ordered);
    outcome
}
