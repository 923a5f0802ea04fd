//! The server killed at random moments while customers buy and an operator hands over. This shows atomicity, not
//! durability: the machine itself goes on, and so does PostgreSQL.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use api::ErrorCode;
use api::host::{Host, RegisterForm};
use api::server::ListRequest;
use e2e::addresses::Signing;
use e2e::desktop::{Device, PASSWORD, email};
use e2e::operator::Operator;
use e2e::server::{Server, ServerOptions};
use e2e::wait;
use e2e::walk_without_window::{insist, sell};
use store::Engine;
use testkit::node::Litecoind;

use crate::halves;

const KILLS: usize = 50;
/// The longest time before a kill: about as long as a sale takes, so that every step of one is hit.
const LONGEST_LIFE_MS: u64 = 1_800;
/// Of so many kills one is counted from the start of the program and not from its first answer, so that starting is hit too.
const STARTING: u64 = 5;
/// Sales of one customer. Registering is limited by network, and tried again after each kill that hits it.
const SALES_EACH: i64 = 10;

/// What would be lost: money counted twice or not at all, an order made twice, a machine handed over and not noted.
#[test]
fn fifty_kills_on_sqlite_leave_nothing_half_done_and_nothing_doubled() {
    kills_during_sales(Engine::Sqlite);
}

#[test]
fn fifty_kills_on_postgres_leave_nothing_half_done_and_nothing_doubled() {
    kills_during_sales(Engine::Postgres);
}

fn kills_during_sales(engine: Engine) {
    let node = Litecoind::start().unwrap();
    node.mine(20).unwrap();
    let addresses = Some(Signing { count: 200, ..Signing::default() });
    let mut server = Server::prepared(&node, &ServerOptions { poll_ms: 50, addresses, ..ServerOptions::on(engine) });
    assert_eq!(server.tamper("UPDATE offer SET lots_total = 1000 WHERE id = 'b200'"), 1);
    let operator = server.add_operator("administrator");
    let started = Instant::now();
    let (url, done, abandoned) = (server.url.clone(), AtomicBool::new(false), Arc::new(AtomicBool::new(false)));
    let (sales, kills, broken) = thread::scope(|scope| {
        let sales = scope.spawn(|| {
            wait::unless_abandoned(Arc::clone(&abandoned));
            sell_until(&done, &url, &node, &operator)
        });
        let (kills, broken) = kill_again_and_again(&mut server, &|| sales.is_finished());
        done.store(true, Ordering::SeqCst);
        abandoned.store(!broken.is_empty(), Ordering::SeqCst);
        if broken.is_empty() {
            // The programs belong to this thread: they end with it.
            server.resume();
        }
        (sales.join(), kills, broken)
    });
    assert_eq!(broken, Vec::<String>::new(), "after {kills} kills on {engine:?}");
    let sales = sales.unwrap_or_else(|_| panic!("a sale failed after {kills} kills on {engine:?}"));
    println!("{engine:?}: {sales} sales, {kills} kills, {} s", started.elapsed().as_secs());
    assert_eq!(kills, KILLS);
    check(&mut server, sales);
}

/// Starts and kills, and looks at the database after each kill: how many there were, and what the last one left half done.
fn kill_again_and_again(server: &mut Server, is_over: &dyn Fn() -> bool) -> (usize, Vec<String>) {
    for kills in 1..=KILLS {
        if random().is_multiple_of(STARTING) {
            server.launch();
        } else {
            server.start_only();
        }
        thread::sleep(Duration::from_millis(random() % LONGEST_LIFE_MS));
        server.kill();
        let broken = halves::found(server);
        if !broken.is_empty() || is_over() {
            return (kills, broken);
        }
    }
    (KILLS, Vec::new())
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
        sell(&customer, &operator, node);
        sales += 1;
    }
    let list = ListRequest { list: "all".into(), search: String::new(), cursor: None };
    let log = insist("reading the audit log", || operator.host().audit(&(), list.clone()));
    assert!(log.verified, "the audit log's chain is broken");
    sales
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
    server.stop();
    assert_eq!(halves::found(server), Vec::<String>::new(), "after the last sale");
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
