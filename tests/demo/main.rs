//! The demo without a display: one made-up sale walked through in real windows, with pictures of every step. One person is
//! customer, chain and operator, as in a sandbox of one's own.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Parser;
use e2e::bus::Bus;
use e2e::operator::Operator;
use e2e::server::Server;
use e2e::walk::{self, Access, CUSTOMER, Ordered};
use e2e::window::{Launch, Window};
use serde_json::json;

#[derive(Parser)]
struct Arguments {
    /// Folder of the sandbox and of both desktops.
    #[arg(long)]
    data_dir: PathBuf,
    /// Folder for the pictures.
    #[arg(long)]
    out: PathBuf,
}

/// Pictures, numbered in the order in which they are taken.
struct Album {
    folder: PathBuf,
    taken: u32,
}

impl Album {
    fn take(&mut self, window: &Window, name: &str) {
        self.taken += 1;
        window.rest_pointer();
        // What moves for a moment would be caught half-way: the page is given two frames, and what fades in its time.
        window.execute(
            "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
                Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => done(1)))))",
            json!([]),
        );
        let file = self.folder.join(format!("{:02}-{name}.png", self.taken));
        window.picture(&file);
        println!("{}", file.display());
    }

    /// The same page in every language, dark, and with text at 200 %.
    fn variants(&mut self, window: &Window, name: &str, back: impl Fn(&Window)) {
        for locale in ["pt-BR", "tr"] {
            walk::change_language(window, locale);
            back(window);
            self.take(window, &format!("{name}-{locale}"));
        }
        walk::change_language(window, "en");
        walk::change_theme(window, "dark");
        back(window);
        self.take(window, &format!("{name}-dark"));
        walk::change_theme(window, "light");
        walk::change_text_size(window, 200);
        back(window);
        self.take(window, &format!("{name}-200-percent"));
        // At 200 % the choice of text stands further down the page.
        walk::change_text_size(window, 100);
        back(window);
    }
}

fn main() {
    let arguments = Arguments::parse();
    std::fs::create_dir_all(&arguments.out).unwrap();
    let sandbox = arguments.data_dir.join("server");
    std::fs::create_dir_all(&sandbox).unwrap();
    let mut server = Server::sandbox(&sandbox);
    let bus = Bus::start();
    let mut album = Album { folder: arguments.out, taken: 0 };
    let customer = desktop(&arguments.data_dir, "customer", &server, &bus);
    let ordered = buy(&customer, &mut album);
    let operator = desktop(&arguments.data_dir, "operator", &server, &bus);
    prepare(&operator, &Operator::of_sandbox(&sandbox), &ordered, &mut album);
    operator.close();
    receive(&customer, &ordered, &mut album);
    customer.close();
    server.stop();
    let customer = desktop(&arguments.data_dir, "customer", &server, &bus);
    read_without_server(&customer, &ordered, &mut album);
    customer.close();
    println!("{} pictures", album.taken);
}

fn desktop(data: &Path, name: &str, server: &Server, bus: &Bus) -> Window {
    let data = data.join(name);
    std::fs::create_dir_all(&data).unwrap();
    Window::open(&Launch { data: &data, server: &server.url, bus: Some(bus) })
}

/// The customer registers, orders two lots of B200, and pays by the sandbox's panel.
fn buy(window: &Window, album: &mut Album) -> Ordered {
    album.take(window, "welcome");
    let (first, last, _) = CUSTOMER;
    // A sandbox that is kept knows the customers of earlier walks.
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    walk::register(window, (first, last, &format!("ada.{since_epoch}@example.org")));
    walk::go(window, "nav-catalogue");
    window.wait_for("configure-b200");
    album.take(window, "catalogue");
    walk::configure(window, "b200", 2);
    album.take(window, "configure");
    window.click("configure-review");
    window.wait_for("review-total");
    album.take(window, "review");
    let ordered = walk::place_order(window);
    album.take(window, "method");
    walk::get_instructions(window);
    window.wait_attr("slip", "data-state", "open");
    album.take(window, "payment");
    let to_payment = |window: &Window| {
        walk::open_order(window, &ordered);
        window.click("order-open-payment");
        window.wait_attr("slip", "data-state", "open");
    };
    album.variants(window, "payment", to_payment);
    let amount = window.text("slip-amount");
    let (address, amount) = (walk::slip_address(window), amount.split_whitespace().next().unwrap().to_owned());
    walk::notice(window);
    window.wait_attr("payment-headline", "data-kind", "waiting");
    album.take(window, "payment-notice");
    pay(window, (&address, &amount), &ordered, album);
    ordered
}

fn pay(window: &Window, (address, amount): (&str, &str), ordered: &Ordered, album: &mut Album) {
    walk::go(window, "nav-sandbox");
    window.type_into("sandbox-address", address);
    window.type_into("sandbox-amount", amount);
    window.click("sandbox-send");
    window.wait_for("sandbox-sent");
    album.take(window, "sandbox-panel");
    walk::open_order(window, ordered);
    window.click("order-open-payment");
    window.wait_attr("payment-headline", "data-kind", "seen");
    album.take(window, "payment-seen");
    walk::go(window, "nav-sandbox");
    window.type_into("sandbox-mine-blocks", "3");
    window.click("sandbox-mine");
    walk::go(window, "nav-orders");
    album.take(window, "orders-confirming");
    walk::go(window, "nav-sandbox");
    window.type_into("sandbox-mine-blocks", "12");
    window.click("sandbox-mine");
    walk::open_order(window, ordered);
    window.wait_attr("order-payment", "data-kind", "paid");
    album.take(window, "order-paid");
}

/// The operator prepares the machines, records their check, and hands over access.
fn prepare(window: &Window, operator: &Operator, ordered: &Ordered, album: &mut Album) {
    walk::sign_in_operator(window, operator);
    walk::go(window, "nav-work");
    window.wait_for(&format!("work-row-{}", ordered.id));
    album.take(window, "operator-work");
    walk::open_work(window, &ordered.id);
    walk::prepare(window);
    album.take(window, "operator-order");
    walk::accept(window, 4, "NVIDIA B200", 183_359);
    window.wait_attr("accept-result", "data-passed", "true");
    walk::hand_over(window, &Access::EXAMPLE);
    walk::go(window, "nav-payments");
    album.take(window, "operator-payments");
    walk::go(window, "nav-audit");
    window.wait_for("audit-verified");
    album.take(window, "operator-audit");
    walk::sign_out(window);
}

/// The customer reads the order again.
fn receive(window: &Window, ordered: &Ordered, album: &mut Album) {
    walk::open_order(window, ordered);
    window.wait_attr_any("order-fulfilment", "data-state", &["active", "ending"]);
    album.take(window, "order");
    walk::show_access(window);
    album.take(window, "order-access-shown");
    album.variants(window, "order", |window| walk::open_order(window, ordered));
    walk::go(window, "nav-history");
    album.take(window, "history");
    walk::go(window, "nav-balance");
    album.take(window, "balance");
    walk::go(window, "nav-settings");
    album.take(window, "settings");
}

/// With the server stopped and the program started again, the customer still reads everything, and how old it is.
fn read_without_server(window: &Window, ordered: &Ordered, album: &mut Album) {
    window.wait_for("offline-strip");
    walk::open_order(window, ordered);
    album.take(window, "order-offline");
    walk::go(window, "nav-history");
    album.take(window, "history-offline");
}
