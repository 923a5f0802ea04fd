//! What only a server can do to its clients.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use store::{Settings, Store, StoreError, params};
use testkit::postgres::Postgres;

use crate::cases::{cents_now, put_now};
use crate::place::MIGRATIONS;

fn open(server: &Postgres) -> (Store, String) {
    let url = server.database();
    (Store::open_with(&Settings::Postgres { url: url.clone() }, MIGRATIONS).unwrap(), url)
}

const COUNT: &str = "SELECT COUNT(*) AS n FROM note";

/// A restart of the database in the middle of the day must cost nobody their order and need nobody's help.
#[test]
fn the_store_comes_back_after_a_restart_of_the_server() {
    let mut server = Postgres::start();
    let (store, _) = open(&server);
    let stop = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(AtomicU32::new(0));
    let writers: Vec<_> = (0..4_i64)
        .map(|number| {
            let (store, stop, answered) = (store.clone(), Arc::clone(&stop), Arc::clone(&answered));
            std::thread::spawn(move || {
                let mut id = number;
                while !stop.load(Ordering::SeqCst) {
                    // Its cause is its id: a second run after a lost answer finds the first one's row.
                    let sql = "INSERT INTO note (id, title) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING";
                    store.write_job(move |tx| tx.execute(sql, params![id, id.to_string()])).unwrap();
                    answered.fetch_add(1, Ordering::SeqCst);
                    id += 4;
                }
            })
        })
        .collect();
    wait_for(|| answered.load(Ordering::SeqCst) > 50);
    server.pause();
    let before = answered.load(Ordering::SeqCst);
    server.resume();
    wait_for(|| answered.load(Ordering::SeqCst) > before + 50);
    stop.store(true, Ordering::SeqCst);
    writers.into_iter().for_each(|writer| writer.join().unwrap());
    let rows = store.read(|tx| tx.query_one(COUNT, &[])).unwrap().get::<u32>("n").unwrap();
    assert_eq!(rows, answered.load(Ordering::SeqCst));
}

/// A person at the desk is told within seconds that the server is away; nothing hangs.
#[test]
fn a_request_gives_up_and_a_job_waits_while_the_server_is_away() {
    let mut server = Postgres::start();
    let (store, _) = open(&server);
    server.pause();
    let started = Instant::now();
    let outcome = store.write(|tx| tx.execute("INSERT INTO note (id, title) VALUES (1, 'request')", &[]));
    assert!(matches!(outcome, Err(StoreError::Disconnected { .. })), "{outcome:?}");
    assert!(started.elapsed() < store::REQUEST_PATIENCE + Duration::from_secs(6), "{:?}", started.elapsed());
    let waiting = store.clone();
    let job = std::thread::spawn(move || {
        waiting.write_job(|tx| tx.execute("INSERT INTO note (id, title) VALUES (2, 'job')", &[]))
    });
    server.resume();
    assert_eq!(job.join().unwrap(), Ok(1));
    assert_eq!(store.read(|tx| tx.query_one(COUNT, &[])).unwrap().get::<u32>("n"), Ok(1));
}

/// A connection cut from the server's side in the middle of a use case: it runs again, and counts once.
#[test]
fn a_use_case_whose_connection_is_cut_runs_again() {
    let server = Postgres::start();
    let (store, url) = open(&server);
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let outcome = store.write::<_, StoreError>(move |tx| {
        let first = counted.fetch_add(1, Ordering::SeqCst) == 0;
        tx.execute("INSERT INTO note (id, title) VALUES (1, 'once')", &[])?;
        if first {
            let mine = tx.query_one("SELECT CAST(pg_backend_pid() AS BIGINT) AS pid", &[])?.get::<i64>("pid")?;
            let mut other = postgres::Client::connect(&url, postgres::NoTls).unwrap();
            other.execute("SELECT pg_terminate_backend($1::bigint::int)", &[&mine]).unwrap();
        }
        tx.execute("INSERT INTO note (id, title) VALUES (2, 'twice')", &[])
    });
    assert_eq!(outcome, Ok(1));
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert_eq!(store.read(|tx| tx.query_one(COUNT, &[])).unwrap().get::<u32>("n"), Ok(2));
}

/// Cuts the first connection on which a COMMIT is sent, before the server gets it or after it was done; then lets
/// everything through, or nobody in any more.
fn cut_a_commit(url: &str, deliver: bool, then_away: bool) -> String {
    let upstream = url.split('@').nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let cut = Arc::new(AtomicBool::new(false));
    let proxied = url.replace(&upstream, &address);
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            if then_away && cut.load(Ordering::SeqCst) {
                return;
            }
            let server = TcpStream::connect(&upstream).unwrap();
            let (mut answers, mut back) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            let hold = Arc::new(AtomicBool::new(false));
            let held = Arc::clone(&hold);
            std::thread::spawn(move || {
                let mut piece = [0; 4096];
                while let Ok(length @ 1..) = answers.read(&mut piece) {
                    // The answer to the COMMIT arrives here and goes no further.
                    if held.load(Ordering::SeqCst) || back.write_all(&piece[..length]).is_err() {
                        break;
                    }
                }
                let _ = back.shutdown(Shutdown::Both);
            });
            let cut = Arc::clone(&cut);
            std::thread::spawn(move || {
                let (mut client, mut server) = (client, server);
                let mut piece = [0; 4096];
                while let Ok(length @ 1..) = client.read(&mut piece) {
                    let commit = piece[..length].windows(7).any(|window| window == b"COMMIT\0");
                    if commit && !cut.swap(true, Ordering::SeqCst) {
                        hold.store(true, Ordering::SeqCst);
                        if !deliver {
                            break;
                        }
                    }
                    if server.write_all(&piece[..length]).is_err() {
                        break;
                    }
                }
                let _ = server.shutdown(Shutdown::Both);
            });
        }
    });
    proxied
}

/// Pays once: its cause is the id, so a second run finds what a first one did.
fn pay_once(store: &Store, runs: &Arc<AtomicU32>) -> Result<u64, StoreError> {
    let runs = Arc::clone(runs);
    store.write(move |tx| {
        runs.fetch_add(1, Ordering::SeqCst);
        let first = tx.execute("INSERT INTO note (id, title) VALUES (1, 'cause') ON CONFLICT (id) DO NOTHING", &[])?;
        if first == 1 {
            tx.execute("UPDATE purse SET cents = cents - 5 WHERE id = 'a'", &[])?;
        }
        Ok(first)
    })
}

/// The connection breaks during COMMIT: whether it happened or not, the customer pays once and is told so.
#[test]
fn a_commit_whose_answer_is_lost_counts_once() {
    let server = Postgres::start();
    for (deliver, first) in [(true, 0), (false, 1)] {
        let (store, url) = open(&server);
        put_now(&store, "a", 20);
        let proxied = Settings::Postgres { url: cut_a_commit(&url, deliver, false) };
        let through = Store::open_with(&proxied, MIGRATIONS).unwrap();
        let runs = Arc::new(AtomicU32::new(0));
        assert_eq!(pay_once(&through, &runs), Ok(first), "delivered: {deliver}");
        assert_eq!(runs.load(Ordering::SeqCst), 2);
        assert_eq!(cents_now(&store, "a"), Some(15));
    }
}

/// The answer to a COMMIT is lost and the server stays away: «nothing was done» would be a lie, and the customer would pay
/// a second time elsewhere. The caller is told that nobody knows.
#[test]
fn an_outcome_that_stays_unknown_is_called_so() {
    let server = Postgres::start();
    let (store, url) = open(&server);
    put_now(&store, "a", 20);
    let proxied = Settings::Postgres { url: cut_a_commit(&url, true, true) };
    let through = Store::open_with(&proxied, MIGRATIONS).unwrap();
    let outcome = pay_once(&through, &Arc::new(AtomicU32::new(0)));
    assert!(matches!(outcome, Err(StoreError::CommitUnknown { .. })), "{outcome:?}");
    assert_eq!(cents_now(&store, "a"), Some(15), "paid once however often it was tried");
}

/// The server's main thread drives asynchronous tasks and may drop the store last; it must not stop there with a panic.
#[test]
fn a_store_may_be_dropped_among_asynchronous_tasks() {
    let server = Postgres::start();
    let (store, _) = open(&server);
    put_now(&store, "a", 1);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    runtime.block_on(async move { drop(store) });
}

/// A sum that PostgreSQL makes a NUMERIC would fail in front of a customer; the check of statements finds it before.
#[test]
fn types_that_sqlite_lacks_are_found_by_the_check() {
    let server = Postgres::start();
    let (store, _) = open(&server);
    for sql in [
        "SELECT SUM(cents) FROM purse",
        "SELECT now()",
        "SELECT id FROM purse WHERE $1",
        "SELECT AVG(cents) FROM purse",
    ] {
        assert!(matches!(store.check(sql), Err(StoreError::Type { .. })), "{sql}: {:?}", store.check(sql));
    }
}

/// Lists would come in another order than on SQLite, and pages would skip rows.
#[test]
fn a_database_that_sorts_by_language_is_refused() {
    let server = Postgres::start();
    let mut admin = postgres::Client::connect(&server.url("postgres"), postgres::NoTls).unwrap();
    admin
        .batch_execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
        .unwrap();
    let refused = Store::open_with(&Settings::Postgres { url: server.url("latin") }, MIGRATIONS).err();
    assert!(matches!(refused, Some(StoreError::Unfit { .. })), "{refused:?}");
}

fn wait_for(condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(30), "nothing moved for 30 s");
        std::thread::sleep(Duration::from_millis(5));
    }
}
