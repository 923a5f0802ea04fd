//! The customer's way: register, configure, order, ask how to pay, read the access, sign out.

use crate::desktop::PASSWORD;
use crate::wait;
use crate::window::Window;

/// Names and email of a customer who is made up.
pub const CUSTOMER: (&str, &str, &str) = ("Ada", "Teste", "ada@example.org");

/// An order as the window names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// The id in the page's path.
    pub id: String,
    /// The reference that is read aloud.
    pub reference: String,
}

/// Fills in the form and registers. The welcome page, if it is there, is left first.
pub fn register(window: &Window, (first, last, email): (&str, &str, &str)) {
    window.wait_for_any(&["welcome-register", "review-register", "register-email", "nav-catalogue"]);
    if window.has("welcome-register") {
        window.click("welcome-register");
    } else if window.has("review-register") {
        window.click("review-register");
    }
    window.type_into("register-first-name", first);
    window.type_into("register-last-name", last);
    window.type_into("register-email", email);
    window.type_into("register-password", PASSWORD);
    window.click("register-submit");
    window.wait_gone("register-submit");
    window.wait_attr("frame", "data-role", "customer");
}

/// Chooses lots of an offer for seven days and goes on to the review.
pub fn configure(window: &Window, offer_id: &str, lots: u32) {
    crate::walk::go(window, "nav-catalogue");
    window.click(&format!("configure-{offer_id}"));
    window.wait_text("lots-value", |text| text.trim() == "1");
    for wanted in 2..=lots {
        window.click("lots-more");
        window.wait_text("lots-value", |text| text.trim() == wanted.to_string());
    }
    window.choose("days-7");
    window.choose("preparation-pytorch");
    window.wait_text("figure-lots", |text| text.contains(&lots.to_string()));
}

/// Reviews what was configured and orders it; the page that follows asks for the method.
pub fn place_order(window: &Window) -> Ordered {
    window.wait_for("review-total");
    window.click("place-order");
    window.wait_for("get-instructions");
    // `/orders/<id>/method`
    let id = window.path().split('/').nth(2).unwrap().to_owned();
    crate::walk::go(window, "nav-orders");
    let reference = window.text(&format!("order-row-{id}")).split_whitespace().next().unwrap().to_owned();
    let ordered = Ordered { id, reference };
    open_order(window, &ordered);
    window.click("order-pay");
    window.wait_for("get-instructions");
    ordered
}

/// Opens an order from the list of orders.
pub fn open_order(window: &Window, ordered: &Ordered) {
    crate::walk::go(window, "nav-orders");
    window.click_inside(&format!("order-row-{}", ordered.id), "a");
    window.wait_text("order-reference", |text| text.is_empty() || text.contains(&ordered.reference));
    window.wait_for("order-payment");
}

/// Cancels an order.
pub fn cancel(window: &Window, ordered: &Ordered) {
    open_order(window, ordered);
    window.click("order-cancel");
    window.click("order-cancel-confirm");
    window.wait_attr("order-state", "data-state", "cancelled");
}

/// Configures and orders.
pub fn order(window: &Window, offer_id: &str, lots: u32) -> Ordered {
    configure(window, offer_id, lots);
    window.click("configure-review");
    place_order(window)
}

/// Asks for litecoin instructions; what comes next is a slip, or a failure.
pub fn get_instructions(window: &Window) {
    window.click("get-instructions");
    window.wait_for_any(&["slip", "error"]);
}

/// The address on the slip, without its gaps.
pub fn slip_address(window: &Window) -> String {
    window.text("slip-address").split_whitespace().collect()
}

/// Says «I have paid» and waits until the server has been told, or until the payment stands otherwise than before.
pub fn notice(window: &Window) {
    window.click("notice-button");
    wait::until("the notice to be told", || {
        let told = window.attr("notice-said", "data-unsent").as_deref() == Some("false");
        let moved = window.attr("payment-headline", "data-kind").is_some_and(|kind| kind != "waiting");
        (told || moved).then_some(())
    });
}

/// Shows the access and answers host, user and password.
pub fn show_access(window: &Window) -> (String, String, String) {
    window.wait_for("access");
    window.click("access-show");
    window.wait_attr("access-show", "aria-pressed", "true");
    (window.text("access-host"), window.text("access-user"), window.text("access-password"))
}

/// Signs out of this device.
pub fn sign_out(window: &Window) {
    crate::walk::go(window, "nav-settings");
    window.click("sign-out");
    window.click("sign-out-confirm");
    window.wait_attr("frame", "data-role", "nobody");
}
