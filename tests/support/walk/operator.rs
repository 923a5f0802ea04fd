//! The operator's way: sign in with the authenticator's code, prepare, check, hand over.

use crate::operator::Operator;
use crate::window::Window;

/// What is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Host.
    pub host: &'static str,
    /// User.
    pub user: &'static str,
    /// Password.
    pub password: &'static str,
    /// Fingerprint of the host's key.
    pub host_key: &'static str,
}

impl Access {
    /// Access to a machine that does not exist (RFC 5737's documentation network).
    pub const EXAMPLE: Self = Self {
        host: "192.0.2.44",
        user: "kernodeck",
        password: "correct-horse-battery-7",
        host_key: "SHA256:uNiVztksCsDhcc0u9e8BrRH4YV0n2gkCRwz0sFr1pTE",
    };
}

/// Signs in; the field for the code comes when the server asks for it.
pub fn sign_in(window: &Window, operator: &Operator) {
    window.wait_for_any(&["welcome-sign-in", "sign-in-email", "nav-sign-in"]);
    if window.has("welcome-sign-in") {
        window.click("welcome-sign-in");
    } else if window.has("nav-sign-in") {
        window.click("nav-sign-in");
    }
    window.type_into("sign-in-email", &operator.email);
    window.type_into("sign-in-password", &operator.password);
    window.click("sign-in-submit");
    window.wait_for("sign-in-code");
    window.type_into("sign-in-code", &operator.code());
    window.click("sign-in-submit");
    window.wait_attr("frame", "data-role", &operator.role);
}

/// Opens an order from the work list.
pub fn open_work(window: &Window, order_id: &str) {
    crate::walk::go(window, "nav-work");
    window.click_inside(&format!("work-row-{order_id}"), "a");
    window.wait_for("order-fulfilment");
}

/// Begins to prepare the order on the screen.
pub fn prepare(window: &Window) {
    window.click("prepare-start");
    window.wait_attr("order-fulfilment", "data-state", "preparing");
}

/// Records what the acceptance check found: so many devices of one name and memory each.
pub fn accept(window: &Window, devices: u32, name: &str, memory_mib: u32) {
    window.type_into("accept-devices", &devices.to_string());
    window.type_into("accept-driver", "570.124.06");
    window.type_into("accept-name", name);
    window.type_into("accept-memory", &memory_mib.to_string());
    window.choose("accept-unpartitioned");
    window.choose("accept-access-removed");
    window.click("accept-submit");
    window.wait_for("accept-result");
}

/// Hands over access after a login with it.
pub fn hand_over(window: &Window, access: &Access) {
    window.type_into("hand-host", access.host);
    window.type_into("hand-user", access.user);
    window.type_into("hand-password", access.password);
    window.type_into("hand-host-key", access.host_key);
    window.choose("hand-verified");
    window.click("hand-submit");
    window.wait_attr("order-fulfilment", "data-state", "active");
}
