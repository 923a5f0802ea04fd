//! Hints: the desktop learns at once that something changed, and that the line lives.

use std::io::{BufRead, BufReader};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use server::testing::TestServer;

use crate::support::*;

/// Names of the events, as they come.
fn listen(server: &TestServer, token: &str) -> Receiver<String> {
    let response = server.client().get(format!("{}/v1/events", server.url())).bearer_auth(token).send().unwrap();
    assert_eq!(response.status().as_u16(), 200);
    let (say, said) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(response).lines() {
            let Ok(line) = line else { return };
            if let Some(name) = line.strip_prefix("event: ") {
                let _ = say.send(name.to_owned());
            }
        }
    });
    said
}

fn next(events: &Receiver<String>) -> Option<String> {
    events.recv_timeout(Duration::from_secs(20)).ok()
}

#[test]
fn a_payment_that_is_seen_reaches_the_customers_screen_and_nobody_elses() {
    let server = TestServer::start();
    let maria = register(&server, "maria@example.com");
    let other = register(&server, "other@example.com");
    let order = place(&server, &maria.token, "b200");
    let payment = instructions(&server, &maria.token, &order);
    let (events, others) = (listen(&server, &maria.token), listen(&server, &other.token));
    let mut first = [next(&events).unwrap(), next(&events).unwrap()];
    first.sort();
    assert_eq!(first, ["beat", "hint"]);
    let mut first = [next(&others).unwrap(), next(&others).unwrap()];
    first.sort();
    assert_eq!(first, ["beat", "hint"]);
    pay(&server, &maria.token, &payment);
    assert_eq!(next(&events).as_deref(), Some("hint"));
    assert!(others.try_recv().is_err());
}

#[test]
fn a_stream_needs_a_sign_in_and_ends_with_the_server() {
    let mut server = TestServer::start();
    let maria = register(&server, "maria@example.com");
    let refused = server.client().get(format!("{}/v1/events", server.url())).send().unwrap();
    assert_eq!(refused.status().as_u16(), 401);
    let events = listen(&server, &maria.token);
    assert!(next(&events).is_some());
    server.stop();
    while next(&events).is_some() {}
}
