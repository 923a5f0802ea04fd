//! Lines that break: nothing is ordered twice, no word is lost, and nothing that was cut is believed.

use std::time::Duration;

use api::ErrorCode;
use api::host::{Host, Slip, SlipRefusal};
use api::server::{Nothing, OrderRequest, PaymentRequest};
use api::wire::Usd;
use domain::Cents;
use testkit::proxy::{Harm, HarmfulProxy};

use crate::sale::{pay, payment, two_lots};
use crate::support::{PASSWORD, Stub, desktop, register_form, sign_in_form};

#[test]
fn an_order_whose_answer_was_cut_is_one_order() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let desktop = desktop(folder.path(), &format!("http://{}", proxy.address()));
    desktop.register(&(), register_form("ada@example.com")).unwrap();
    for bytes in [0, 10, 60, 200] {
        proxy.set(Harm::CutAfter(bytes));
        let error = desktop.place_order(&(), two_lots()).unwrap_err().error;
        assert!(matches!(error, ErrorCode::Offline | ErrorCode::UnreadableAnswer), "{bytes}: {error:?}");
    }
    assert_eq!(stub.calls("place_order"), 4, "every press reached the server");
    proxy.set(Harm::None);
    let order = desktop.place_order(&(), two_lots()).unwrap();
    let orders = desktop.orders(&(), Nothing {}).unwrap().orders;
    assert_eq!(orders.iter().map(|order| &order.id).collect::<Vec<_>>(), [&order.id]);
    desktop.place_order(&(), two_lots()).unwrap();
    assert_eq!(desktop.orders(&(), Nothing {}).unwrap().orders.len(), 2, "a second order is a second order");
}

#[test]
fn instructions_whose_answer_was_cut_are_still_held_against_what_was_confirmed() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let desktop = desktop(folder.path(), &format!("http://{}", proxy.address()));
    let account = desktop.register(&(), register_form("ada@example.com")).unwrap().account.unwrap().id;
    let order = desktop.place_order(&(), two_lots()).unwrap();
    proxy.set(Harm::CutAfter(10));
    desktop.create_payment(&(), pay(&order)).unwrap_err();
    proxy.set(Harm::None);
    desktop.refresh(&(), Nothing {}).unwrap();
    let id = desktop.orders(&(), Nothing {}).unwrap().orders[0].payment_ids[0].clone();
    let good = payment(&desktop, &id);
    assert!(matches!(good.slip, Slip::Open { .. }));
    // The server makes order and payment agree with each other, but not with what the person saw.
    let (mut order, mut told) = (good.order.clone().unwrap(), good.payment.clone());
    (order.total, told.asked, told.amount) = (Usd(Cents::new(556_000)), Usd(Cents::new(556_000)), "56.734694".into());
    stub.state().touch(&account, "order", &order.id.clone(), serde_json::to_value(&order).unwrap());
    stub.state().touch(&account, "payment", &id, serde_json::to_value(&told).unwrap());
    desktop.refresh(&(), Nothing {}).unwrap();
    assert_eq!(payment(&desktop, &id).slip, Slip::Refused { reason: SlipRefusal::WrongTotal });
}

#[test]
fn order_and_instructions_are_held_although_the_line_breaks_right_behind_their_answer() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let desktop = desktop(folder.path(), &stub.url());
    desktop.register(&(), register_form("ada@example.com")).unwrap();
    stub.state().cut_behind = Some(("place_order", false));
    let order = desktop.place_order(&(), two_lots()).unwrap();
    assert!(stub.calls("sync") >= 2, "the pull behind it was not tried, so nothing was cut");
    assert_eq!(desktop.order(&(), OrderRequest { order_id: order.id.clone() }).unwrap(), order);
    stub.state().cut_behind = Some(("create_payment", false));
    let given = desktop.create_payment(&(), pay(&order)).unwrap();
    assert!(matches!(given.slip, Slip::Open { .. }), "{:?}", given.slip);
    let id = given.payment.id.clone();
    let again = payment(&desktop, &id);
    assert_eq!((&again.payment, again.order.map(|order| order.id)), (&given.payment, Some(order.id)));
    // The pages bring newer rows, and an answer that is repeated does not push them out.
    stub.state().cut_behind = None;
    desktop.notice(&(), PaymentRequest { payment_id: id.clone() }).unwrap();
    assert!(payment(&desktop, &id).payment.notice_at.is_some());
    assert_eq!(desktop.orders(&(), Nothing {}).unwrap().orders.len(), 1);
}

#[test]
fn a_notice_given_without_a_network_is_kept_over_a_restart_and_sent_once() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let url = format!("http://{}", proxy.address());
    let program = desktop(folder.path(), &url);
    program.register(&(), register_form("ada@example.com")).unwrap();
    let order = program.place_order(&(), two_lots()).unwrap();
    let id = program.create_payment(&(), pay(&order)).unwrap().payment.id;
    proxy.set(Harm::CutAfter(0));
    for _ in 0..3 {
        let screen = program.notice(&(), PaymentRequest { payment_id: id.clone() }).unwrap();
        assert!(screen.notice_unsent && screen.payment.notice_at.is_none());
    }
    assert_eq!(program.session(&(), Nothing {}).unwrap().unsent, 1);
    drop(program);
    let program = desktop(folder.path(), &url);
    program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    assert!(payment(&program, &id).notice_unsent);
    proxy.set(Harm::None);
    program.refresh(&(), Nothing {}).unwrap();
    let screen = payment(&program, &id);
    assert!(screen.payment.notice_at.is_some() && !screen.notice_unsent);
    assert_eq!(program.session(&(), Nothing {}).unwrap().unsent, 0);
    // The cut tries reached the server too: it took the first and recognised the others.
    assert_eq!(stub.state().notices[&id], 1);
}

#[test]
fn answers_that_come_late_or_twice_leave_the_history_as_the_server_has_it() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let desktop = desktop(folder.path(), &format!("http://{}", proxy.address()));
    desktop.register(&(), register_form("ada@example.com")).unwrap();
    stub.state().page_size = 2;
    for _ in 0..5 {
        desktop.place_order(&(), two_lots()).unwrap();
    }
    stub.state().generation += 1;
    for harm in [Harm::Repeat, Harm::CutAfter(700), Harm::Delay(Duration::from_millis(50)), Harm::None] {
        proxy.set(harm);
        desktop.refresh(&(), Nothing {}).unwrap();
    }
    let orders = desktop.orders(&(), Nothing {}).unwrap().orders;
    let mut ids: Vec<_> = orders.iter().map(|order| order.id.clone()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 5);
    assert!(orders.is_sorted_by(|newer, older| newer.placed_at >= older.placed_at));
}
