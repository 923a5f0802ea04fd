//! Instructions that the server can't give: the window says which part is missing, and gets them once it is there.

use e2e::addresses::Signing;
use e2e::desktop::{Device, email, open_slip};
use e2e::prices::Prices;
use e2e::server::{Server, ServerOptions};
use e2e::walk::{self, CUSTOMER, Ordered};
use e2e::window::{Launch, Window};
use e2e::{folder, wait};
use testkit::node::Litecoind;

/// What would be lost: an order that can't be paid and doesn't say why, or another payment's address in its place (P2).
#[test]
fn what_is_missing_is_named_and_no_address_is_shown_in_its_place() {
    let mut node = Litecoind::start().unwrap();
    let prices = Prices::start();
    let options = ServerOptions { prices: prices.configuration(), addresses: None, ..ServerOptions::default() };
    let mut server = Server::start(&node, &options);
    let data = folder::temporary();
    let window = Window::open(&Launch { data: data.path(), server: &server.url, bus: None });
    walk::register(&window, CUSTOMER);
    let ordered = walk::order(&window, "b200", 1);

    unavailable(&window, &ordered, "no_address");
    server.stop();
    server.import_signed("later", &Signing::default());
    server.resume();
    available(&window, &ordered);

    prices.set_stale(true);
    unavailable(&window, &ordered, "no_rate");
    prices.set_stale(false);
    available(&window, &ordered);

    node.stop().unwrap();
    unavailable(&window, &ordered, "node_down");
    node.restart().unwrap();
    available(&window, &ordered);

    // The same harness sees the address of the good one.
    walk::get_instructions(&window);
    window.wait_attr("slip", "data-state", "open");
    assert!(walk::slip_address(&window).starts_with("rltc1"));
}

/// What would be lost: the last lots sold twice (C9). They are held from the moment at which somebody is told how to pay.
#[test]
fn lots_that_a_second_customer_took_meanwhile_can_be_neither_paid_nor_ordered() {
    let node = Litecoind::start().unwrap();
    let mut server = Server::prepared(&node, &ServerOptions::default());
    assert_eq!(server.tamper("UPDATE offer SET lots_total = 2 WHERE id = 'b200'"), 1);
    server.resume();
    let data = folder::temporary();
    let window = Window::open(&Launch { data: data.path(), server: &server.url, bus: None });
    walk::register(&window, CUSTOMER);
    let ordered = walk::order(&window, "b200", 2);

    let second = Device::new(&server.url);
    second.register(&email("second"));
    let order = wait::until("the second customer's order", || second.order("b200", 2).ok());
    let (address, _, _) = open_slip(&second.instructions(&order).unwrap());
    assert!(address.starts_with("rltc1"));

    walk::get_instructions(&window);
    window.wait_attr("error", "data-code", "sold_out");
    assert!(!window.has("slip") && !window.source().contains("ltc1"), "an address is shown");

    walk::configure(&window, "b200", 2);
    window.click("configure-review");
    window.click("place-order");
    window.wait_attr("error", "data-code", "sold_out");
    walk::go(&window, "nav-orders");
    assert_eq!(window.ids("order-row-"), [format!("order-row-{}", ordered.id)]);
}

fn open_methods(window: &Window, ordered: &Ordered) {
    walk::open_order(window, ordered);
    window.click("order-pay");
    window.wait_for("method-litecoin:ltc");
}

/// Waits until the page of methods gives this reason; nothing can be asked for then, and nothing can be paid.
fn unavailable(window: &Window, ordered: &Ordered, reason: &str) {
    wait::within(std::time::Duration::from_secs(90), || {
        open_methods(window, ordered);
        (window.attr("method-litecoin:ltc", "data-unavailable")? == reason).then_some(())
    })
    .unwrap_or_else(|| window.fail(reason));
    assert!(!window.text("method-reason-litecoin:ltc").trim().is_empty());
    assert_eq!(window.attr("get-instructions", "aria-disabled").as_deref(), Some("true"));
    assert!(!window.has("slip-address") && !window.source().contains("ltc1"), "{reason}: an address is shown");
}

fn available(window: &Window, ordered: &Ordered) {
    unavailable_no_more(window, ordered);
    assert_eq!(window.attr("get-instructions", "aria-disabled").as_deref(), Some("false"));
}

fn unavailable_no_more(window: &Window, ordered: &Ordered) {
    wait::within(std::time::Duration::from_secs(90), || {
        open_methods(window, ordered);
        window.attr("method-litecoin:ltc", "data-unavailable")?.is_empty().then_some(())
    })
    .unwrap_or_else(|| window.fail("a method that can be chosen"));
}
