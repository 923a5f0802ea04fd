//! The server killed at random moments while customers buy and an operator hands over. This shows atomicity, not
//! durability: the machine itself goes on.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use api::ErrorCode;
use api::host::{Host, RegisterForm};
use api::server::ListRequest;
use api::views::{Headline, MethodReason, OrderState};
use e2e::addresses::Signing;
use e2e::desktop::{Device, PASSWORD, email, open_slip};
use e2e::operator::Operator;
use e2e::server::{Server, ServerOptions};
use e2e::walk_without_window::{fulfil, insist};
use testkit::node::Litecoind;

const KILLS: u32 = 50;
/// The longest time between a start and the next kill: about as long as a sale takes, so that every step of one is hit.
const LONGEST_LIFE_MS: u64 = 1_800;
/// Sales of one customer. Registering is limited by network, and tried again after each kill that hits it.
const SALES_EACH: i64 = 10;

/// What would be lost: money counted twice or not at all, an order made twice, a machine handed over and not noted.
#[test]
fn fifty_kills_during_sales_leave_nothing_half_done_and_nothing_doubled() {
    let node = Litecoind::start().unwrap();
    node.mine(20).unwrap();
    let addresses = Some(Signing { count: 600, ..Signing::default() });
    let mut server = Server::prepared(&node, &ServerOptions { poll_ms: 50, addresses, ..ServerOptions::default() });
    assert_eq!(server.tamper("UPDATE offer SET lots_total = 1000 WHERE id = 'b200'"), 1);
    let operator = server.add_operator("administrator");
    server.resume();
    let (url, done) = (server.url.clone(), AtomicBool::new(false));
    let sales = thread::scope(|scope| {
        let sales = scope.spawn(|| sell_until(&done, &url, &node, &operator));
        // The programs belong to this thread: they end with it.
        let lives: Vec<u64> = (0..KILLS).map(|_| random() % LONGEST_LIFE_MS).collect();
        for life in &lives {
            thread::sleep(Duration::from_millis(*life));
            server.kill();
            server.start_only();
        }
        done.store(true, Ordering::SeqCst);
        sales.join().unwrap_or_else(|_| panic!("a sale failed; lives of the server in ms: {lives:?}"))
    });
    eprintln!("{sales} sales, {KILLS} kills");
    check(&mut server, sales);
}

fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// One sale after the other; the last one is finished after the last kill.
fn sell_until(done: &AtomicBool, url: &str, node: &Litecoind, account: &Operator) -> i64 {
    let operator = Device::new(url);
    insist("the operator's sign-in", || {
        match operator.sign_in(&account.email, &account.password, Some(account.code())) {
            // The code of a sign-in whose answer was lost is used up: the next one comes within 30 seconds.
            Err(error) if error.error == ErrorCode::WrongCredentials => Err(ErrorCode::Offline.into()),
            other => other,
        }
    });
    let (mut sales, mut customer) = (0, Device::new(url));
    while !done.load(Ordering::SeqCst) {
        if sales % SALES_EACH == 0 {
            customer = Device::new(url);
            let email = email(&format!("customer{sales}"));
            insist("registering", || register(&customer, &email));
        }
        sell(&customer, node, &operator);
        sales += 1;
    }
    let list = ListRequest { list: "all".into(), search: String::new(), cursor: None };
    assert!(operator.host().audit(&(), list).unwrap().verified, "the audit log's chain is broken");
    sales
}

fn sell(customer: &Device, node: &Litecoind, operator: &Device) {
    let order = insist("ordering", || customer.order("b200", 1));
    let screen = insist("asking how to pay", || match customer.instructions(&order) {
        // Just started, the server has not asked its node yet.
        Err(error) if is_node_silent(&error.error) => Err(ErrorCode::Offline.into()),
        other => other,
    });
    let (address, amount, _) = open_slip(&screen);
    node.send(&address, &amount).unwrap();
    customer.until_payment(&screen.payment.id, "the payment to be seen", |screen| {
        screen.payment.headline != Headline::Waiting
    });
    node.mine(2).unwrap();
    customer.until_order(&order.id, "a settled order", |order| order.state == OrderState::Settled);
    fulfil(operator, &order.id, order.gpus);
    customer.until_order(&order.id, "access", |order| order.access.is_some());
}

fn is_node_silent(error: &ErrorCode) -> bool {
    matches!(error, ErrorCode::MethodUnavailable { reason: MethodReason::NodeDown | MethodReason::NodeLagging, .. })
}

/// An account whose registration was answered into the void exists: then its owner signs in.
fn register(customer: &Device, email: &str) -> Result<(), api::ApiError> {
    let form = RegisterForm {
        first_name: "Ada".into(),
        last_name: "Teste".into(),
        email: email.into(),
        password: PASSWORD.into(),
    };
    match customer.host().register(&(), form) {
        Err(error) if error.error == ErrorCode::RegistrationRefused => customer.sign_in(email, PASSWORD, None),
        other => other.map(drop),
    }
}

/// Whole sales and nothing else, in the database itself.
fn check(server: &mut Server, sales: i64) {
    assert_eq!(server.differences(), Vec::<String>::new(), "the books don't fit");
    let count = |sql: &str| server.number(sql);
    assert_eq!(count("SELECT count(*) FROM account WHERE role = 'customer'"), (sales + SALES_EACH - 1) / SALES_EACH);
    assert_eq!(count("SELECT count(*) FROM rental_order"), sales);
    assert_eq!(count("SELECT count(*) FROM rental_order WHERE settled_at IS NULL OR ready_at IS NULL"), 0);
    assert_eq!(count("SELECT count(*) FROM payment"), sales);
    assert_eq!(count("SELECT count(*) FROM transfer"), sales);
    assert_eq!(count("SELECT count(DISTINCT payment_id) FROM address WHERE payment_id IS NOT NULL"), sales);
    assert_eq!(count("SELECT count(*) FROM credit WHERE undone = 1"), 0, "nothing was ever lost by the chain");
    let received = count("SELECT coalesce(sum(cents), 0) FROM ledger_balance WHERE account LIKE 'received:%'");
    let revenue = count("SELECT coalesce(sum(cents), 0) FROM ledger_balance WHERE account = 'revenue'");
    let asked = count("SELECT sum(asked_cents) FROM payment");
    assert_eq!((received, revenue), (asked, asked), "received, earned and asked differ");
    assert!(sales >= 3, "only {sales} sales: the kills hit too little of them");
}
