//! Instructions that the server can't give: the window says which part is missing, and gets them once it is there.

use std::time::Duration;

use e2e::addresses::Signing;
use e2e::desktop::{Device, email, open_slip};
use e2e::prices::Prices;
use e2e::reds::Reds;
use e2e::server::{Server, ServerOptions};
use e2e::walk::{self, CUSTOMER, Ordered};
use e2e::window::{Launch, Window};
use e2e::{folder, wait};
use testkit::node::Litecoind;

/// How long it takes at most until a node counts as silent: the configuration's seconds, and a loaded machine.
const SILENT: Duration = Duration::from_secs(30);
/// How long the page may take to tell what the server knows already.
const KNOWN: Duration = Duration::from_secs(10);
/// Prices are asked for every twenty seconds.
const BACK: Duration = Duration::from_secs(90);

/// A customer with an order to pay, and what did not hold.
struct Scene {
    window: Window,
    ordered: Ordered,
    reds: Reds,
}

/// What would be lost: an order that can't be paid and doesn't say why, or another payment's address in its place (P2).
#[test]
fn what_is_missing_is_named_and_no_address_is_shown_in_its_place() {
    let mut node = Litecoind::start().unwrap();
    let prices = Prices::start();
    let addresses = Some(Signing { count: 1, ..Signing::default() });
    let mut server =
        Server::start(&node, &ServerOptions { prices: prices.configuration(), addresses, ..ServerOptions::default() });
    let data = folder::temporary();
    let mut scene = Scene::start(Window::open(&Launch { data: data.path(), server: &server.url, bus: None }));

    give_instructions(&server, "b200", 1);
    scene.missing("no_address", KNOWN);

    server.stop();
    server.import_signed("later", &Signing { from: 100, ..Signing::default() });
    prices.set_stale(true);
    let asked = prices.asked();
    server.resume();
    wait::until("the stale prices to be read", || (prices.asked() >= asked + 4).then_some(()));
    scene.missing("no_rate", KNOWN);
    prices.set_stale(false);
    scene.available();

    node.stop().unwrap();
    scene.missing("node_down", SILENT);
    node.restart().unwrap();
    scene.available();

    // The same harness sees the address of the good one.
    walk::get_instructions(&scene.window);
    scene.window.wait_attr("slip", "data-state", "open");
    assert!(walk::slip_address(&scene.window).starts_with("rltc1"));
    scene.reds.none();
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
    let mut reds = Reds::default();

    give_instructions(&server, "b200", 2);
    walk::get_instructions(&window);
    reds.hold("sold_out", !window.has("slip"), "an address is shown");
    if window.has("error") {
        window.wait_attr("error", "data-code", "sold_out");
        assert!(!window.source().contains("ltc1"), "an address is on the page");
    }

    walk::configure(&window, "b200", 2);
    window.click("configure-review");
    window.click("place-order");
    window.wait_for_any(&["error", "get-instructions"]);
    reds.hold("sold_out", window.attr("error", "data-code").as_deref() == Some("sold_out"), "it can be ordered");
    walk::go(&window, "nav-orders");
    let rows = window.ids("order-row-");
    reds.hold("sold_out", rows == [format!("order-row-{}", ordered.id)], format!("ordered: {}", rows.len()));
    reds.none();
}

/// Another customer asks how to pay.
fn give_instructions(server: &Server, offer: &str, lots: u32) {
    let other = Device::new(&server.url);
    other.register(&email("second"));
    let order = wait::until("the second customer's order", || other.order(offer, lots).ok());
    let (address, _, _) = open_slip(&other.instructions(&order).unwrap());
    assert!(address.starts_with("rltc1"));
}

impl Scene {
    fn start(window: Window) -> Self {
        walk::register(&window, CUSTOMER);
        let ordered = walk::order(&window, "b200", 1);
        Self { window, ordered, reds: Reds::default() }
    }

    fn open_methods(&self) {
        walk::open_order(&self.window, &self.ordered);
        self.window.click("order-pay");
        self.window.wait_for("method-litecoin:ltc");
    }

    /// Waits until the page of methods gives this reason; nothing can be asked for then, and nothing can be paid.
    fn missing(&mut self, reason: &str, patience: Duration) {
        let named = wait::within(patience, || {
            self.open_methods();
            (self.window.attr("method-litecoin:ltc", "data-unavailable")? == reason).then_some(())
        });
        if named.is_none() {
            return self.offered(reason);
        }
        let window = &self.window;
        assert!(!window.text("method-reason-litecoin:ltc").trim().is_empty());
        assert_eq!(window.attr("get-instructions", "aria-disabled").as_deref(), Some("true"));
        assert!(!window.has("slip-address") && !window.source().contains("ltc1"), "{reason}: an address is shown");
    }

    /// Asks for what should not be offered, to tell what comes; then begins anew, so that the other reasons are told too.
    fn offered(&mut self, reason: &str) {
        let window = &self.window;
        let offered = window.attr("method-litecoin:ltc", "data-unavailable").unwrap_or_default();
        if !offered.is_empty() {
            return self.reds.note(reason, format!("another reason is given: {offered}"));
        }
        walk::get_instructions(window);
        if window.has("slip-address") {
            self.reds.note(reason, format!("an address is shown: {}", walk::slip_address(window)));
        } else {
            let code = window.attr("error", "data-code").unwrap_or_default();
            self.reds.note(reason, format!("litecoin is offered, and asking for it ends in «{code}»"));
        }
        walk::cancel(window, &self.ordered);
        self.ordered = walk::order(window, "b200", 1);
    }

    fn available(&self) {
        let offered = wait::within(BACK, || {
            self.open_methods();
            self.window.attr("method-litecoin:ltc", "data-unavailable")?.is_empty().then_some(())
        });
        offered.unwrap_or_else(|| self.window.fail("a method that can be chosen"));
        assert_eq!(self.window.attr("get-instructions", "aria-disabled").as_deref(), Some("false"));
    }
}
