//! The steps: a customer orders and pays with test money, the panel is the chain, an operator hands over.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use e2e::folder;
use e2e::operator::Operator;
use e2e::server::Server;
use e2e::walk::{self, Access, Ordered};
use e2e::window::{Launch, Window};

use crate::album::Album;

/// More blocks than any sum asks for.
const BURY: u32 = 12;

/// How a window looks: language, theme, size of the text in per cent.
type Look = (&'static str, &'static str, u32);
const PLAIN: Look = ("en", "light", 100);

/// Everything, from the first start to the sign-out.
pub fn everything(mut server: Server, server_data: &Path, album: &Album) {
    let data = folder::temporary();
    let launch = Launch { data: data.path(), server: &server.url.clone(), bus: None };
    let window = Window::open(&launch);
    let ordered = order(&window, album);
    pay(&window, album);
    hand_over(&server, server_data, &ordered, album);
    read(&window, &ordered, album);
    server.stop();
    offline(&window, &ordered, album);
    server.resume();
    window.wait_attr("sync-age", "data-online", "true");
    dress(&window, PLAIN);
    walk::sign_out(&window);
    album.take(&window, "signed-out");
    window.close();
    server.stop();
}

fn order(window: &Window, album: &Album) -> Ordered {
    window.wait_for("welcome");
    album.take(window, "welcome");
    window.click("welcome-catalogue");
    window.wait_for("offer-b200");
    album.take(window, "catalogue");
    walk::configure(window, "b200", 2);
    window.wait_text("figure-gpus", |text| text.contains('4'));
    album.take(window, "configure-4-gpus");
    window.click("configure-review");
    window.wait_for("review-total");
    album.take(window, "review");
    window.click("review-register");
    window.wait_for("register-email");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    walk::fill_in_registration(window, ("Ada", "Teste", &format!("ada{now}@example.org")));
    album.take(window, "register");
    walk::submit_registration(window);
    let ordered = walk::place_order(window);
    window.wait_for("method-litecoin:ltc");
    album.take(window, "method");
    ordered
}

/// The panel sends the coins and mines the blocks.
fn pay(window: &Window, album: &Album) {
    walk::get_instructions(window);
    window.wait_attr("slip", "data-state", "open");
    let payment = window.path();
    album.take(window, "payment");
    for (look, name) in [
        (("pt-BR", "dark", 100), "payment-pt-br-dark"),
        (("tr", "light", 100), "payment-tr"),
        (("en", "dark", 200), "payment-dark-200-per-cent"),
    ] {
        dress(window, look);
        show(window, &payment);
        window.wait_attr("slip", "data-state", "open");
        album.take(window, name);
    }
    dress(window, PLAIN);
    show(window, &payment);
    walk::notice(window);
    album.take(window, "notice-proves-nothing");
    walk::go(window, "nav-sandbox");
    let id = payment.rsplit('/').next().unwrap();
    window.click(&format!("sandbox-use-{id}"));
    window.click("sandbox-send");
    window.wait_for("sandbox-sent");
    album.take(window, "panel-sends");
    show(window, &payment);
    window.wait_attr("payment-headline", "data-kind", "seen");
    album.take(window, "seen");
    mine(window, 1);
    show(window, &payment);
    window.wait_attr("payment-headline", "data-kind", "confirming");
    album.take(window, "confirming");
    mine(window, BURY);
    show(window, &payment);
    window.wait_attr("payment-headline", "data-kind", "paid");
    album.take(window, "paid");
}

fn mine(window: &Window, blocks: u32) {
    walk::go(window, "nav-sandbox");
    let height = || window.attr("sandbox-height", "data-height").and_then(|text| text.parse::<u32>().ok());
    window.wait_for("sandbox-height");
    let before = height().unwrap();
    window.type_into("sandbox-mine-blocks", &blocks.to_string());
    window.click("sandbox-mine");
    e2e::wait::until("mined blocks", || height().filter(|now| *now >= before + blocks));
}

fn hand_over(server: &Server, server_data: &Path, ordered: &Ordered, album: &Album) {
    let data = folder::temporary();
    let window = Window::open(&Launch { data: data.path(), server: &server.url, bus: None });
    walk::sign_in_operator(&window, &Operator::of_sandbox(server_data));
    walk::go(&window, "nav-work");
    window.wait_for(&format!("work-row-{}", ordered.id));
    album.take(&window, "operator-worklist");
    walk::open_work(&window, &ordered.id);
    album.take(&window, "operator-order");
    walk::prepare(&window);
    walk::accept(&window, 4, "NVIDIA B200", 183_359);
    window.wait_attr("accept-result", "data-passed", "true");
    album.take(&window, "operator-checked");
    walk::hand_over(&window, &Access::EXAMPLE);
    album.take(&window, "operator-handed-over");
    walk::go(&window, "nav-payments");
    album.take(&window, "operator-payments");
    walk::go(&window, "nav-audit");
    window.wait_for("audit-verified");
    album.take(&window, "operator-audit-log");
    walk::sign_out(&window);
    window.close();
}

fn read(window: &Window, ordered: &Ordered, album: &Album) {
    walk::open_order(window, ordered);
    window.wait_attr("order-fulfilment", "data-state", "active");
    album.take(window, "order-active");
    walk::show_access(window);
    album.take(window, "access");
    dress(window, ("tr", "dark", 100));
    walk::open_order(window, ordered);
    album.take(window, "order-tr-dark");
    dress(window, ("pt-BR", "light", 100));
    walk::go(window, "nav-orders");
    album.take(window, "orders-pt-br");
    walk::go(window, "nav-history");
    album.take(window, "history-pt-br");
    dress(window, ("en", "light", 200));
    album.take(window, "settings-200-per-cent");
    dress(window, PLAIN);
}

/// The window is started again by nobody here: the server is gone, and what is shown says how old it is.
fn offline(window: &Window, ordered: &Ordered, album: &Album) {
    e2e::wait::within(std::time::Duration::from_secs(90), || window.has("offline-strip").then_some(()))
        .unwrap_or_else(|| window.fail("the strip that says that the server is silent"));
    walk::open_order(window, ordered);
    album.take(window, "offline");
}

/// Changes language, theme and size of the text.
fn dress(window: &Window, (locale, theme, text_percent): Look) {
    walk::go(window, "nav-settings");
    walk::change_language(window, locale);
    walk::change_theme(window, theme);
    walk::change_text_size(window, text_percent);
}

fn show(window: &Window, path: &str) {
    window.show(path);
}
