//! The sale as libraries: the desktop's own library against the real server program and a real Litecoin node.

use api::host::{Host, Slip};
use api::server::{ListRequest, PaymentRequest};
use api::views::{FulfilmentState, Headline, OrderState};
use e2e::desktop::{Device, email, open_slip};
use e2e::server::{Server, ServerOptions};
use e2e::walk_without_window::{access, fulfil};
use e2e::{addresses, wallet};
use store::Engine;
use testkit::node::Litecoind;

/// What would be lost: the sale. Money that was sent to the address on the slip must become an order, and the order access.
#[test]
fn a_sale_on_sqlite_from_registration_to_access() {
    a_sale_from_registration_to_access(Engine::Sqlite);
}

#[test]
fn a_sale_on_postgres_from_registration_to_access() {
    a_sale_from_registration_to_access(Engine::Postgres);
}

fn a_sale_from_registration_to_access(engine: Engine) {
    let node = Litecoind::start().unwrap();
    let mut server = Server::prepared(&node, &ServerOptions::on(engine));
    let account = server.add_operator("fulfilment");
    server.resume();
    let (customer, operator) = (Device::new(&server.url), Device::new(&server.url));
    customer.register(&email("ada"));
    let order = customer.order("b200", 2).unwrap();
    assert_eq!((order.lots, order.gpus), (2, 4));
    let screen = customer.instructions(&order).unwrap();
    let (address, amount, uri) = open_slip(&screen);
    assert!(addresses::known_to(&node, &address));
    let understood = wallet::understand(&uri);
    assert_eq!(understood.address, address);
    assert!(understood.others.is_empty(), "the payment's text says more than it must: {understood:?}");

    let payment_id = screen.payment.id;
    let told = customer.host().notice(&(), PaymentRequest { payment_id: payment_id.clone() }).unwrap();
    assert!(told.payment.notice_at.is_some());
    assert_eq!(told.payment.headline, Headline::Waiting, "a notice proves nothing");

    node.send(&understood.address, &understood.amount).unwrap();
    let seen = customer
        .until_payment(&payment_id, "the payment to be seen", |screen| screen.payment.headline == Headline::Seen);
    assert!(matches!(seen.slip, Slip::Closed { .. }), "what is paid can't be paid twice: {:?}", seen.slip);
    let coins = |text: &str| domain::BaseUnits::parse_coins(text, 8).unwrap();
    assert_eq!(coins(&seen.payment.facts.received), coins(&amount));
    node.mine(1).unwrap();
    let confirming = Headline::Confirming { confirmations: 1, required: 2 };
    customer.until_payment(&payment_id, "one confirmation of two", |screen| screen.payment.headline == confirming);
    node.mine(1).unwrap();
    customer.until_payment(&payment_id, "the payment to be final", |screen| screen.payment.headline == Headline::Paid);
    let paid = customer.until_order(&order.id, "the order to be settled", |order| order.state == OrderState::Settled);
    assert_eq!(paid.fulfilment.state, FulfilmentState::NotStarted);

    let refused = operator.sign_in(&account.email, &account.password, None).unwrap_err();
    assert_eq!(refused.error, api::ErrorCode::AuthenticatorCodeNeeded);
    operator.sign_in(&account.email, &account.password, Some(account.code())).unwrap();
    let list = ListRequest { list: "to_prepare".into(), search: String::new(), cursor: None };
    let work = operator.host().operator_orders(&(), list).unwrap();
    assert!(work.orders.iter().any(|row| row.order.id == order.id), "the paid order is not in the work list");
    fulfil(&operator, &order.id, order.gpus);

    let ready = customer.until_order(&order.id, "access", |order| order.access.is_some());
    assert_eq!(ready.fulfilment.state, FulfilmentState::Active);
    assert_eq!(ready.access.unwrap(), access());
    assert!(server.differences().is_empty(), "the books don't fit");
}
