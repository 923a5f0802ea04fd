//! The sale in real windows: the customer's and the operator's, each on a display of its own.

use e2e::walk::{self, Access, CUSTOMER, Ordered};
use e2e::window::{Launch, Window};
use e2e::{addresses, folder, wallet};

use crate::scene::Sale;
use crate::signing_out::leave_nothing;

/// What would be lost: the whole promise. A customer who pays what the screen shows must end with access, must be able to
/// read it without the server, and must leave nothing behind after signing out.
#[test]
fn a_first_sale_from_the_window_to_the_disk() {
    let mut sale = Sale::prepared();
    let window = sale.window();
    let before = sale.held();
    walk::register(&window, CUSTOMER);
    let ordered = order_two_lots(&window);
    walk::get_instructions(&window);
    pay_from_the_screen(&sale, &window);
    hand_over(&sale, &ordered);
    read_access(&window, &ordered);
    let copy = sale.data.path().join("copy");
    window.close();
    folder::copy(&sale.data.path().join("data"), &copy);
    let window = read_offline(&mut sale, &ordered);
    sale.server.resume();
    leave_nothing(&sale, window, &before, &copy, &[CUSTOMER.2, Access::EXAMPLE.password, Access::EXAMPLE.host]);
    assert_eq!(sale.server.differences(), Vec::<String>::new(), "the books don't fit");
}

fn order_two_lots(window: &Window) -> Ordered {
    walk::configure(window, "b200", 2);
    assert_eq!(window.wait_text("figure-gpus", |text| text.contains('4')).matches(char::is_numeric).count(), 1);
    assert!(window.text("figure-lots").contains('2'));
    assert!(window.page_text().contains("4 GPUs") || window.text("figure-gpus").contains('4'));
    window.click("configure-review");
    window.wait_text("review-gpus", |text| text.trim() == "4");
    walk::place_order(window)
}

/// The QR is read by another program, its text by a wallet's library, and the node pays what that understood.
fn pay_from_the_screen(sale: &Sale, window: &Window) {
    window.wait_attr("slip", "data-state", "open");
    let (address, amount) = (walk::slip_address(window), window.text("slip-amount"));
    let picture = window.folder().join("slip.png");
    window.qr(&picture);

    walk::notice(window);
    assert_eq!(window.attr("payment-headline", "data-kind").as_deref(), Some("waiting"), "a notice proves nothing");
    assert_eq!(window.attr("slip", "data-state").as_deref(), Some("open"));

    let (understood, _) = wallet::pay_from_picture(&sale.node, &picture);
    assert!(addresses::known_to(&sale.node, &address));
    assert_eq!(understood.address, address, "what is scanned and what is read differ");
    let coins = |text: &str| domain::BaseUnits::parse_coins(text, 8).unwrap();
    assert_eq!(coins(&understood.amount), coins(&amount));
    assert!(understood.others.is_empty(), "the payment's text says more than it must: {understood:?}");

    window.wait_attr("payment-headline", "data-kind", "seen");
    assert!(!window.has("slip-qr"), "what is on its way could be paid twice");
    sale.node.mine(1).unwrap();
    window.wait_attr("payment-headline", "data-kind", "confirming");
    sale.node.mine(1).unwrap();
    window.wait_attr("payment-headline", "data-kind", "paid");
}

/// The operator works in a second window with data of its own.
fn hand_over(sale: &Sale, ordered: &Ordered) {
    let data = folder::temporary();
    let window = Window::open(&Launch { data: data.path(), server: &sale.server.url, bus: Some(&sale.bus) });
    walk::sign_in_operator(&window, &sale.operator);
    walk::open_work(&window, &ordered.id);
    walk::prepare(&window);
    walk::accept(&window, 4, "NVIDIA B200", 183_359);
    window.wait_attr("accept-result", "data-passed", "true");
    walk::hand_over(&window, &Access::EXAMPLE);
    walk::sign_out(&window);
    window.close();
}

fn read_access(window: &Window, ordered: &Ordered) {
    walk::open_order(window, ordered);
    window.wait_attr("order-fulfilment", "data-state", "active");
    assert_access(window);
    for kind in ["order_placed", "notice", "seen", "preparing", "ready"] {
        assert!(window.timeline().iter().any(|found| found == kind), "{kind} is not in {:?}", window.timeline());
    }
}

fn assert_access(window: &Window) {
    let Access { host, user, password, .. } = Access::EXAMPLE;
    assert!(!window.source().contains(password), "access is on the page before anybody asked for it");
    assert_eq!(walk::show_access(window), (host.to_owned(), user.to_owned(), password.to_owned()));
}

/// With the server stopped and the program started again, everything is readable and its age is on the screen.
fn read_offline(sale: &mut Sale, ordered: &Ordered) -> Window {
    sale.server.stop();
    let window = sale.window();
    window.wait_attr("frame", "data-role", "customer");
    window.wait_for("offline-strip");
    window.wait_attr("sync-age", "data-online", "false");
    assert!(window.attr("sync-age", "data-synced-at").is_some_and(|at| at.parse::<i64>().is_ok()), "no age");
    walk::open_order(&window, ordered);
    window.wait_attr("order-payment", "data-kind", "paid");
    window.wait_attr("order-fulfilment", "data-state", "active");
    assert_access(&window);
    window.click("order-open-payment");
    window.wait_attr("slip", "data-state", "closed");
    window
}
