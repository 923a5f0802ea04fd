//! Hints: the desktop learns at once that something changed, and that the line lives.

use std::io::{BufRead, BufReader};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use server::testing::TestServer;

use crate::support::*;

/// Names of the events, as they come.
fn listen(server: &TestServer, token: &str) -> Receiver<String> {
    let asked = server.client().get(format!("{}/v1/events", server.url())).bearer_auth(token);
    // A stream outlasts the other requests' patience.
    let response = asked.timeout(Duration::from_secs(120)).send().unwrap();
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
    events.recv_timeout(Duration::from_secs(30)).ok()
}

/// The two events with which a stream begins.
fn begun(events: &Receiver<String>) {
    let mut first = [next(events).unwrap(), next(events).unwrap()];
    first.sort();
    assert_eq!(first, ["beat", "hint"]);
}

fn a_payment_that_is_seen_reaches_the_customers_screen_and_nobody_elses(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    let other = register(&server, "other@example.com");
    let order = place(&server, &maria.token, "b200");
    let payment = instructions(&server, &maria.token, &order);
    let (events, others) = (listen(&server, &maria.token), listen(&server, &other.token));
    begun(&events);
    begun(&others);
    pay(&server, &maria.token, &payment);
    // A beat may come in between, should this take long.
    let hinted = std::iter::from_fn(|| next(&events)).take(4).any(|name| name == "hint");
    assert!(hinted, "no hint came");
    assert!(!others.try_iter().any(|name| name == "hint"), "somebody else was told");
}

fn a_stream_needs_a_sign_in_and_ends_with_the_server(engine: Engine) {
    let mut server = start(engine);
    let maria = register(&server, "maria@example.com");
    let refused = server.client().get(format!("{}/v1/events", server.url())).send().unwrap();
    assert_eq!(refused.status().as_u16(), 401);
    let events = listen(&server, &maria.token);
    assert!(next(&events).is_some());
    server.stop();
    while next(&events).is_some() {}
}

on_both_engines![
    a_payment_that_is_seen_reaches_the_customers_screen_and_nobody_elses,
    a_stream_needs_a_sign_in_and_ends_with_the_server,
];
