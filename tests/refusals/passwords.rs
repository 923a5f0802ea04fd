//! The length of a password, counted in code points, in the window.

use e2e::reds::Reds;
use e2e::server::{Server, ServerOptions};
use e2e::walk;
use e2e::window::{Launch, Window};
use e2e::{bus::Bus, folder, wait};
use testkit::node::Litecoind;

/// Words without an order, some of them with letters beyond ASCII, cut at a number of code points.
fn password(code_points: usize) -> String {
    let words = "tâmara çiçek violet ladder 北 quill amber forty moss ";
    words.chars().cycle().take(code_points - 1).chain(['k']).collect()
}

/// What would be lost: an account that anybody can guess, or a customer who can't use a good password.
#[test]
fn fourteen_and_129_code_points_are_refused_and_15_and_128_are_taken() {
    let node = Litecoind::start().unwrap();
    let server = Server::start(&node, &ServerOptions { addresses: None, ..ServerOptions::default() });
    let (bus, data) = (Bus::start(), folder::temporary());
    let window = Window::open(&Launch { data: data.path(), server: &server.url, bus: Some(&bus) });
    window.click("welcome-register");
    let mut reds = Reds::default();
    for (code_points, reason) in [(14, "too_short"), (129, "too_long")] {
        fill_in(&window, code_points);
        let said = window.attr("register-password-count", "data-refused").unwrap_or_default();
        reds.hold(&format!("{code_points} code points"), said == reason, format!("the field says «{said}»"));
        window.click("register-submit");
        if refused(&window) {
            assert!(bus.entries().is_empty());
        } else {
            reds.note(&format!("{code_points} code points"), "an account was made");
            walk::sign_out(&window);
            window.show("/register");
            window.wait_for("register-email");
        }
    }
    for code_points in [15, 128] {
        fill_in(&window, code_points);
        window.wait_attr("register-password-count", "data-refused", "");
        window.click("register-submit");
        window.wait_attr("frame", "data-role", "customer");
        walk::sign_out(&window);
        sign_in(&window, code_points);
        walk::sign_out(&window);
        window.show("/register");
        window.wait_for("register-email");
    }
    reds.none();
}

/// How pressing the button ended.
fn refused(window: &Window) -> bool {
    wait::until("an answer to the registration", || {
        let code = window.attr("error", "data-code");
        let registered = window.attr("frame", "data-role").as_deref() == Some("customer");
        if registered { Some(false) } else { code.filter(|code| code == "field_refused").map(|_| true) }
    })
}

fn email(code_points: usize) -> String {
    format!("with{code_points}@example.org")
}

fn fill_in(window: &Window, code_points: usize) {
    window.type_into("register-first-name", "Ada");
    window.type_into("register-last-name", "Teste");
    window.type_into("register-email", &email(code_points));
    window.type_into("register-password", &password(code_points));
    window.wait_attr("register-password-count", "data-count", &code_points.to_string());
}

/// The whole password counts: it opens the account again.
fn sign_in(window: &Window, code_points: usize) {
    window.type_into("sign-in-email", &email(code_points));
    window.type_into("sign-in-password", &password(code_points));
    window.click("sign-in-submit");
    window.wait_attr("frame", "data-role", "customer");
}
