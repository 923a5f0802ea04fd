//! A sale from registration to access, over HTTP, with the simulated network.

use api::server::*;
use api::views::{FulfilmentState, Headline, MethodReason, OrderState};
use server::AlarmTarget;
use server::testing::TestServer;
use testkit::http_stub::{Answer, HttpStub};

use crate::support::*;

/// Everything that the account holds, as a new device would get it.
fn rows(server: &TestServer, token: &str) -> Vec<SyncRow> {
    let (mut rows, mut cursor) = (Vec::new(), None);
    loop {
        let page = server.call::<Sync>(Some(token), &SyncRequest { cursor }).unwrap();
        rows.extend(page.rows);
        if !page.more {
            return rows;
        }
        cursor = Some(page.cursor);
    }
}

fn a_customer_pays_gets_access_and_finds_it_again_after_a_restart(engine: Engine) {
    let mut server = start(engine);
    let maria = register(&server, "maria@example.com");
    let token = maria.token.clone();
    let order = place(&server, &token, "b200");
    assert_eq!((order.lots, order.gpus), (1, 2));
    let payment = instructions(&server, &token, &order);
    let notice = PaymentCommand { command_id: command_id(), payment_id: payment.id.clone() };
    server.call::<Notice>(Some(&token), &notice).unwrap();
    assert_eq!(shown(&server, &token, &payment).headline, Headline::Waiting);
    pay(&server, &token, &payment);
    server.until("paid", |server| shown(server, &token, &payment).headline == Headline::Paid);
    assert_eq!(order_of(&server, &token, &order.id).state, OrderState::Settled);

    let operator = server.operator("olga@example.com", Role::Fulfilment);
    let olga = server.sign_in_operator(&operator).unwrap().token;
    let prepare = PrepareRequest { command_id: command_id(), order_id: order.id.clone(), expected_at: None };
    server.call::<StartPreparing>(Some(&olga), &prepare).unwrap();
    let checked = server.call::<RecordAcceptance>(Some(&olga), &acceptance(&order)).unwrap();
    assert!(checked.acceptance.passed, "{:?}", checked.acceptance.differences);
    let handed = server.call::<HandOver>(Some(&olga), &hand_over(&order, server.clock.now())).unwrap();
    assert_eq!(handed.order.access, None);

    server.restart();
    let after = order_of(&server, &token, &order.id);
    // Three days: all of them are its last 72 hours.
    assert_eq!(after.fulfilment.state, FulfilmentState::Ending);
    assert_eq!(after.access.unwrap().user, "maria");
    let held = rows(&server, &token);
    let found = held.iter().find(|row| row.kind == "order" && row.id == order.id).unwrap();
    assert_eq!(found.body["access"]["user"], "maria");
    assert!(held.iter().any(|row| row.kind == "payment" && row.id == payment.id));
    assert!(held.iter().any(|row| row.kind == "account" && row.body["email"] == "maria@example.com"));
}

fn a_reorganisation_takes_the_headline_back_and_forward_again(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    let order = place(&server, &maria.token, "b200");
    let payment = instructions(&server, &maria.token, &order);
    let send = SandboxSendRequest { address: address(&payment), amount: payment.amount.clone() };
    server.call::<SandboxSend>(None, &send).unwrap();
    let headline = || shown(&server, &maria.token, &payment).headline;
    let mine = |blocks, undo| server.call::<SandboxMine>(None, &SandboxMineRequest { blocks, undo }).unwrap();
    server.until("seen", |_| headline() == Headline::Seen);
    mine(3, 0);
    server.until("confirming", |_| matches!(headline(), Headline::Confirming { confirmations: 3, .. }));
    mine(0, 3);
    server.until("seen again", |_| headline() == Headline::Seen);
    mine(12, 0);
    server.until("paid", |_| headline() == Headline::Paid);
}

fn alarms(server: &TestServer) -> usize {
    server.app().store.read(store::repo::installation::standing).unwrap().len()
}

fn a_method_whose_node_is_down_is_not_offered_and_says_so(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    let order = place(&server, &maria.token, "b200");
    instructions(&server, &maria.token, &order);
    let reason = || {
        let request = OrderRequest { order_id: order.id.clone() };
        let methods = server.call::<Methods>(Some(&maria.token), &request).unwrap().methods;
        methods.into_iter().find(|choice| choice.method == "litecoin:ltc").unwrap().unavailable
    };
    server.network.set_reachable(false);
    // Longer than a node may be silent.
    server.advance_seconds(61);
    server.until("node down", |_| reason() == Some(MethodReason::NodeDown));
    server.network.set_reachable(true);
    server.until("node back", |_| reason().is_none());
}

/// An outage that nobody hears of costs every payment that comes in meanwhile; one that is told every second is not heard either.
fn each_outage_is_told_to_the_operators_once(engine: Engine) {
    let stub = HttpStub::start(|_| Answer::ok("")).unwrap();
    let target = AlarmTarget { url: format!("{}/alarms", stub.url()), server: "test".into() };
    let server = start_with(engine, |parts| parts.alarms = Some(target));
    for outage in 1..=2 {
        server.network.set_reachable(false);
        server.until("alarm", |server| alarms(server) == 1);
        server.until("told", |_| stub.requests().len() >= outage);
        server.network.set_reachable(true);
        server.until("no alarm", |server| alarms(server) == 0);
    }
    assert_eq!(stub.requests().len(), 2, "{:?}", stub.requests());
}

on_both_engines![
    a_customer_pays_gets_access_and_finds_it_again_after_a_restart,
    a_reorganisation_takes_the_headline_back_and_forward_again,
    a_method_whose_node_is_down_is_not_offered_and_says_so,
    each_outage_is_told_to_the_operators_once,
];
