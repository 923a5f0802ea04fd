//! Starting, stopping, floods and clients that hang up.

use std::io::Write;
use std::net::TcpStream;
use std::thread;

use api::server::*;
use server::testing::{PASSWORD, TestServer};

use crate::support::*;

/// Sends a command and hangs up without waiting for its answer.
fn send_and_hang_up(server: &TestServer, command: &str, token: &str, body: &str) {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    write!(
        stream,
        "POST /v1/{command} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    stream.flush().unwrap();
    stream.shutdown(std::net::Shutdown::Both).unwrap();
}

/// A cut connection must not lose an order halfway, nor make it twice when the client sends it again.
fn a_client_that_hangs_up_finds_its_order_whole_and_once(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    let requests: Vec<PlaceOrderRequest> = (0..5).map(|_| order_request(&server, "b200")).collect();
    for request in &requests {
        send_and_hang_up(&server, "place_order", &maria.token, &serde_json::to_string(request).unwrap());
    }
    for request in &requests {
        let first = server.call::<PlaceOrder>(Some(&maria.token), request).unwrap();
        let again = server.call::<PlaceOrder>(Some(&maria.token), request).unwrap();
        assert_eq!(first, again);
    }
    let held = server.call::<Sync>(Some(&maria.token), &SyncRequest { cursor: None }).unwrap();
    assert_eq!(held.rows.iter().filter(|row| row.kind == "order").count(), requests.len());
}

/// Sign-ins by the hundred, most of them hung up: hashing stays within its permits, and whoever has a sign-in goes on working.
fn a_flood_of_sign_ins_leaves_the_others_served(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    let body = serde_json::to_string(&SignInRequest {
        email: "nobody@example.com".into(),
        password: PASSWORD.into(),
        authenticator_code: None,
        device_name: "test".into(),
    });
    let body = body.unwrap();
    for _ in 0..100 {
        send_and_hang_up(&server, "sign_in", "", &body);
    }
    let statuses = thread::scope(|scope| {
        let threads: Vec<_> = (0..20).map(|_| scope.spawn(|| server.post("sign_in", None, &body).0)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(statuses.iter().all(|status| [401, 429, 503].contains(status)), "{statuses:?}");
    assert!(server.call::<Sync>(Some(&maria.token), &SyncRequest { cursor: None }).is_ok());
}

/// A stop in the middle of many orders: each is there whole or not at all, and whoever got an answer finds it.
fn a_graceful_stop_loses_nothing_that_was_answered(engine: Engine) {
    let mut server = start(engine);
    let maria = register(&server, "maria@example.com");
    let requests: Vec<PlaceOrderRequest> = (0..40).map(|_| order_request(&server, "b200")).collect();
    let (client, url, token) = (server.client().clone(), server.url(), maria.token.clone());
    let asking = thread::spawn(move || {
        let ask = |request: &PlaceOrderRequest| {
            let body = serde_json::to_string(request).unwrap();
            client.post(format!("{url}/v1/place_order")).bearer_auth(&token).body(body).send()
        };
        let answered = requests.iter().filter_map(|request| ask(request).ok().map(|answer| answer.text().unwrap()));
        answered.collect::<Vec<String>>()
    });
    server.until("some orders", |server| {
        let held = server.call::<Sync>(Some(&maria.token), &SyncRequest { cursor: None }).unwrap();
        held.rows.iter().filter(|row| row.kind == "order").count() >= 3
    });
    server.restart();
    let answered = asking.join().unwrap();
    assert!(answered.len() >= 3);
    for answer in answered {
        let order: api::views::OrderView = serde_json::from_str(&answer).unwrap();
        assert_eq!(order_of(&server, &maria.token, &order.id).reference, order.reference);
    }
}

/// Two servers at one file would each believe that it alone writes there.
#[test]
fn a_file_serves_one_server_at_a_time() {
    let (mut first, second) = (start(Engine::Sqlite), start(Engine::Sqlite));
    assert_ne!(first.address(), second.address());
    let taken = store::Store::open(first.database());
    assert!(matches!(taken, Err(store::StoreError::InUse { .. })));
    drop(second);
    first.restart();
    first.stop();
    assert!(store::Store::open(first.database()).is_ok());
}

/// Sealed access would be lost without a word if a server wrote on under another key.
fn a_database_is_refused_under_another_sealing_key(engine: Engine) {
    let refused = std::panic::catch_unwind(|| {
        start_with(engine, |parts| {
            let policy = backend::Policy {
                sealer: std::sync::Arc::new(backend::seal::Sealer::new(&[7; 32])),
                ..parts.policy.clone()
            };
            let marked = server::start(server::Parts {
                listen: parts.listen,
                store: parts.store.clone(),
                policy,
                clock: parts.clock.clone(),
                serving: parts.serving.clone(),
                watchers: Vec::new(),
                feed: server::PriceFeed::Sources(Vec::new()),
                alarms: None,
                sandbox: None,
            });
            // Marked by the first start; not stopped, because that would close the database for the second.
            std::mem::forget(marked.unwrap());
            parts.policy.sealer = std::sync::Arc::new(backend::seal::Sealer::new(&[8; 32]));
        })
    });
    let message = refused.err().and_then(|panic| panic.downcast::<String>().ok()).unwrap();
    assert!(message.contains("another sealing key"), "{message}");
}

on_both_engines![
    a_client_that_hangs_up_finds_its_order_whole_and_once,
    a_flood_of_sign_ins_leaves_the_others_served,
    a_graceful_stop_loses_nothing_that_was_answered,
    a_database_is_refused_under_another_sealing_key,
];
