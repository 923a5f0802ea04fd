//! Two server programs on one PostgreSQL database, each serving and each watching the same node.

use std::sync::Barrier;
use std::thread;

use api::ErrorCode;
use api::host::PaymentScreen;
use api::views::{Headline, OrderView};
use e2e::desktop::{Device, PASSWORD, email, open_slip};
use e2e::operator::Operator;
use e2e::server::{Server, ServerOptions};
use e2e::wait;
use e2e::walk_without_window::sell;
use store::Engine;
use testkit::node::Litecoind;

use crate::halves;

/// Offers of which one lot is left.
const SCARCE: [&str; 4] = ["h100-sxm", "h200-sxm", "a100-sxm-80", "l40s"];

struct Scene {
    node: Litecoind,
    servers: [Server; 2],
    account: Operator,
}

impl Scene {
    fn new() -> Self {
        let node = Litecoind::start().unwrap();
        node.mine(20).unwrap();
        let options = ServerOptions { poll_ms: 50, ..ServerOptions::on(Engine::Postgres) };
        let mut first = Server::prepared(&node, &options);
        for offer in SCARCE {
            assert_eq!(first.tamper(&format!("UPDATE offer SET lots_total = 1 WHERE id = '{offer}'")), 1);
        }
        let account = first.add_operator("fulfilment");
        first.resume();
        let mut second = first.beside(&node, &options);
        second.resume();
        Self { node, servers: [first, second], account }
    }

    fn customer(&self, server: usize, name: &str) -> Device {
        let device = Device::new(&self.servers[server].url);
        device.register(&email(name));
        device
    }

    /// Waits until one of the servers has read the node's newest block.
    fn until_read(&self, by: usize) {
        let height = self.node.height().unwrap();
        wait::until("the newest block to be read", || (self.servers[by].watched_height() == height).then_some(()));
    }

    fn stop(&mut self) {
        self.servers.iter_mut().for_each(Server::stop);
    }
}

/// What would be lost: money credited by each of the servers, or by none because each leaves it to the other.
#[test]
fn a_payment_that_two_servers_watch_is_credited_once_and_shown_by_both() {
    let mut scene = Scene::new();
    let customer = scene.customer(0, "ada");
    let operator = Device::new(&scene.servers[1].url);
    operator.sign_in(&scene.account.email, &scene.account.password, Some(scene.account.code())).unwrap();
    let (order, payment_id) = sell(&customer, &operator, &scene.node);
    let elsewhere = Device::new(&scene.servers[1].url);
    elsewhere.sign_in(&email("ada"), PASSWORD, None).unwrap();
    assert_eq!(elsewhere.order_now(&order.id).access, order.access);
    assert_eq!(elsewhere.payment(&payment_id).payment.headline, Headline::Paid);
    for _ in 0..20 {
        scene.node.mine(1).unwrap();
        scene.until_read(0);
    }

    // Each goes on alone when the other is gone.
    scene.servers[0].kill();
    scene.node.mine(1).unwrap();
    scene.until_read(1);
    scene.servers[0].resume();
    scene.servers[1].kill();
    scene.node.mine(1).unwrap();
    scene.until_read(0);
    scene.stop();

    let first = &scene.servers[0];
    let blocks = i64::try_from(scene.node.height().unwrap()).unwrap() + 1;
    assert_eq!(first.number("SELECT count(*) FROM block"), blocks);
    assert_eq!(first.number("SELECT generation FROM watcher"), blocks, "a block was applied twice");
    let applied: Vec<usize> =
        scene.servers.iter().map(|server| server.said().matches("block applied").count()).collect();
    assert_eq!(i64::try_from(applied.iter().sum::<usize>()), Ok(blocks), "blocks applied by each: {applied:?}");
    assert!(applied.iter().all(|blocks| *blocks > 0), "one of them never watched: {applied:?}");
    assert_eq!(first.number("SELECT count(*) FROM credit"), 1);
    let asked = first.number("SELECT asked_cents FROM payment");
    let received = first.number("SELECT cents FROM ledger_balance WHERE account LIKE 'received:%'");
    assert_eq!(received, asked, "credited is not what was asked");
    assert_eq!(halves::found(first), Vec::<String>::new());
}

/// What would be lost: the last lot, sold twice, and the word of one of two servers.
#[test]
fn two_customers_who_ask_two_servers_for_the_last_lot_get_it_once() {
    let mut scene = Scene::new();
    for offer in SCARCE {
        let customers = [0, 1].map(|server| scene.customer(server, &format!("{offer}-{server}")));
        let orders = customers.each_ref().map(|customer| customer.order(offer, 1).unwrap());
        let told = ask_together(&customers, &orders);
        let won: Vec<&PaymentScreen> = told.iter().filter_map(|told| told.as_ref().ok()).collect();
        assert_eq!(won.len(), 1, "the last lot of {offer}: {told:?}");
        assert!(open_slip(won[0]).0.starts_with("rltc1"));
        let lost: Vec<&ErrorCode> = told.iter().filter_map(|told| told.as_ref().err()).collect();
        assert_eq!(lost, [&ErrorCode::SoldOut { free_lots: 0 }], "{offer}");
    }
    scene.stop();
    let first = &scene.servers[0];
    let races = i64::try_from(SCARCE.len()).unwrap();
    assert_eq!(first.number("SELECT count(*) FROM rental_order"), 2 * races);
    assert_eq!(first.number("SELECT count(*) FROM rental_order WHERE lots_held = 1"), races);
    assert_eq!(first.number("SELECT count(*) FROM payment"), races);
    assert_eq!(halves::found(first), Vec::<String>::new());
}

/// Both ask how to pay, at the same moment.
fn ask_together(customers: &[Device; 2], orders: &[OrderView; 2]) -> [Result<PaymentScreen, ErrorCode>; 2] {
    let start = Barrier::new(2);
    thread::scope(|scope| {
        let asking = [0, 1].map(|who| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                customers[who].instructions(&orders[who]).map_err(|error| error.error)
            })
        });
        asking.map(|one| one.join().unwrap())
    })
}
