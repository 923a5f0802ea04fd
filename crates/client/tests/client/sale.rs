//! One customer's way from registering to paying, and reading it all again without a network.

use api::ErrorCode;
use api::host::{ExportFormat, ExportRequest, FiguresRequest, Host, OrderForm, PaymentForm, Slip, SlipRefusal};
use api::server::{Nothing, OrderRequest, PaymentRequest};
use api::views::{OrderView, Preparation};
use api::wire::Usd;
use client::Desktop;
use domain::uri::PaymentUri;
use domain::{Cents, Method};
use testkit::proxy::HarmfulProxy;

use crate::support::{PASSWORD, Stub, desktop, register_form, sign_in_form, signed_record};

pub const TOTAL: Usd = Usd(Cents::new(278_000));

pub fn two_lots() -> OrderForm {
    OrderForm {
        offer_id: "b200".into(),
        lots: 2,
        days: 3,
        preparation: Preparation::Pytorch,
        ssh_public_key: None,
        confirmed_total: TOTAL,
    }
}

pub fn pay(order: &OrderView) -> PaymentForm {
    PaymentForm { order_id: order.id.clone(), method: Method::LtcLitecoin.code().into(), confirmed_total: TOTAL }
}

pub fn payment(desktop: &Desktop, id: &str) -> api::host::PaymentScreen {
    desktop.payment(&(), PaymentRequest { payment_id: id.into() }).unwrap()
}

#[test]
fn two_lots_of_b200_are_four_gpus_and_one_exact_total() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let desktop = desktop(folder.path(), &stub.url());
    let ask = |lots| desktop.figures(&(), FiguresRequest { offer_id: "b200".into(), lots, days: 3 });
    let figures = ask(2).unwrap();
    assert_eq!((figures.lots, figures.gpus, figures.total), (2, 4, TOTAL));
    assert!(!figures.beyond_one_machine && ask(5).unwrap().beyond_one_machine);
    assert!(matches!(ask(11).unwrap_err().error, ErrorCode::FieldRefused { .. }));
}

#[test]
fn a_sale_is_paid_from_the_slip_and_read_again_without_a_network() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let url = format!("http://{}", proxy.address());
    let program = desktop(folder.path(), &url);
    let session = program.register(&(), register_form("ada@example.com")).unwrap();
    assert_eq!(session.account.unwrap().first_name, "Ada");
    let order = program.place_order(&(), two_lots()).unwrap();
    let screen = program.create_payment(&(), pay(&order)).unwrap();
    let Slip::Open { address, amount, uri, .. } = screen.slip else { panic!("{:?}", screen.slip) };
    let read = PaymentUri::parse(&uri).unwrap();
    assert_eq!((read.method(), read.address(), amount.as_str()), (Method::LtcLitecoin, address.as_str(), "28.367347"));
    let id = screen.payment.id;
    let noticed = program.notice(&(), PaymentRequest { payment_id: id.clone() }).unwrap();
    assert!(noticed.payment.notice_at.is_some() && !noticed.notice_unsent);
    assert!(matches!(noticed.slip, Slip::Open { .. }), "a notice proves nothing");

    drop(program);
    drop(proxy);
    let program = desktop(folder.path(), &url);
    let offline = |password| program.sign_in(&(), sign_in_form("Ada@Example.com", password)).map(|_| ());
    assert_eq!(offline("another long password").unwrap_err().error, ErrorCode::Offline);
    offline(PASSWORD).unwrap();
    let session = program.session(&(), Nothing {}).unwrap();
    assert!(!session.online && session.synced_at.is_some() && session.clock_offset_micros.is_some());
    assert_eq!(program.orders(&(), Nothing {}).unwrap().orders.len(), 1);
    let held = program.order(&(), OrderRequest { order_id: order.id }).unwrap();
    assert_eq!(held.payment_ids, std::slice::from_ref(&id));
    assert_eq!(payment(&program, &id).slip, Slip::Withdrawn {}, "nothing is paid without the server");
    let csv = program.export_history(&(), ExportRequest { format: ExportFormat::Csv }).unwrap();
    assert!(csv.text.contains("K4RM-X7TP") && csv.text.contains("28.367347"), "{}", csv.text);
    assert_eq!(program.place_order(&(), two_lots()).unwrap_err().error, ErrorCode::Offline);
}

#[test]
fn a_server_that_hands_out_one_address_twice_is_caught() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let desktop = desktop(folder.path(), &stub.url());
    desktop.register(&(), register_form("ada@example.com")).unwrap();
    let first = desktop.place_order(&(), two_lots()).unwrap();
    let first = desktop.create_payment(&(), pay(&first)).unwrap();
    assert!(matches!(first.slip, Slip::Open { .. }));
    stub.state().record_instead = Some(signed_record(1));
    let second = desktop.place_order(&(), two_lots()).unwrap();
    let second = desktop.create_payment(&(), pay(&second)).unwrap();
    assert_eq!(second.slip, Slip::Refused { reason: SlipRefusal::AddressReused });
    assert!(matches!(payment(&desktop, &first.payment.id).slip, Slip::Open { .. }), "the first stays good");
    let third = desktop.place_order(&(), two_lots()).unwrap();
    assert!(matches!(desktop.create_payment(&(), pay(&third)).unwrap().slip, Slip::Open { .. }));
}

#[test]
fn a_server_that_asks_for_more_than_was_confirmed_is_caught() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let desktop = desktop(folder.path(), &stub.url());
    let account = desktop.register(&(), register_form("ada@example.com")).unwrap().account.unwrap().id;
    let order = desktop.place_order(&(), two_lots()).unwrap();
    let screen = desktop.create_payment(&(), pay(&order)).unwrap();
    let id = screen.payment.id.clone();
    let mut lie = screen.payment.clone();
    (lie.asked, lie.amount) = (Usd(Cents::new(556_000)), "56.734694".into());
    stub.state().touch(&account, "payment", &id, serde_json::to_value(&lie).unwrap());
    desktop.refresh(&(), Nothing {}).unwrap();
    assert_eq!(payment(&desktop, &id).slip, Slip::Refused { reason: SlipRefusal::WrongTotal });
    stub.state().touch(&account, "payment", &id, serde_json::to_value(&screen.payment).unwrap());
    desktop.refresh(&(), Nothing {}).unwrap();
    assert!(matches!(payment(&desktop, &id).slip, Slip::Open { .. }));
}

#[test]
fn the_wallet_is_opened_with_exactly_the_uri_of_the_slip() {
    use std::sync::{Arc, Mutex};
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let opened = Arc::new(Mutex::new(Vec::new()));
    let theirs = Arc::clone(&opened);
    let desktop = Desktop::open(client::Options {
        keeping: client::Keeping::PasswordOnly,
        opener: Box::new(move |uri| {
            let mut opened = theirs.lock().unwrap();
            opened.push(uri.to_owned());
            opened.len() == 1
        }),
        ..client::Options::new(folder.path().to_owned(), stub.url())
    })
    .unwrap();
    desktop.register(&(), register_form("ada@example.com")).unwrap();
    let order = desktop.place_order(&(), two_lots()).unwrap();
    let screen = desktop.create_payment(&(), pay(&order)).unwrap();
    let Slip::Open { uri, .. } = screen.slip else { panic!("open") };
    desktop.open_wallet(&(), PaymentRequest { payment_id: screen.payment.id.clone() }).unwrap();
    assert_eq!(*opened.lock().unwrap(), [uri]);
    // The second time no program takes it, and that is said as what it is.
    let nobody = desktop.open_wallet(&(), PaymentRequest { payment_id: screen.payment.id.clone() }).unwrap_err();
    assert_eq!(nobody.error, ErrorCode::NoWallet);
    // An hour later by the server's clock the deadline has passed, whatever this device's clock says.
    stub.state().ahead_seconds = 3_600;
    desktop.refresh(&(), Nothing {}).unwrap();
    let refused = desktop.open_wallet(&(), PaymentRequest { payment_id: screen.payment.id.clone() }).unwrap_err();
    assert_eq!(refused.error, ErrorCode::PaymentClosed);
    assert_eq!(opened.lock().unwrap().len(), 2);
}
