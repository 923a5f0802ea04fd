//! Blocks that a sale rests on are lost, at each of its stages, and the payment is mined again.

use api::host::{Host, PaymentScreen};
use api::server::Nothing;
use api::views::{FulfilmentState, Headline, OrderState};
use e2e::desktop::{Device, email, open_slip};
use e2e::server::{Server, ServerOptions};
use e2e::wait;
use serde_json::json;
use store::Engine;
use testkit::node::Litecoind;

struct Scene {
    node: Litecoind,
    server: Server,
    customer: Device,
    payment_id: String,
    order_id: String,
    tx_id: String,
}

impl Scene {
    /// An order whose payment is seen, in no block yet.
    fn seen(engine: Engine) -> (Self, Device) {
        let node = Litecoind::start().unwrap();
        // So many that a fork does not make the coins that are spent too young again.
        node.mine(20).unwrap();
        let mut server = Server::prepared(&node, &ServerOptions::on(engine));
        let account = server.add_operator("fulfilment");
        server.resume();
        let (customer, operator) = (Device::new(&server.url), Device::new(&server.url));
        operator.sign_in(&account.email, &account.password, Some(account.code())).unwrap();
        customer.register(&email("ada"));
        let order = customer.order("b200", 1).unwrap();
        let screen = customer.instructions(&order).unwrap();
        let (address, amount, _) = open_slip(&screen);
        let tx_id = node.send(&address, &amount).unwrap();
        let scene = Self { node, server, customer, payment_id: screen.payment.id, order_id: order.id, tx_id };
        scene.until(&Headline::Seen);
        (scene, operator)
    }

    /// Waits until the server has read the node's newest block and tells this of the payment.
    fn until(&self, headline: &Headline) -> PaymentScreen {
        let height = self.node.height().unwrap();
        wait::until("the server to read the newest block", || (self.server.watched_height() == height).then_some(()));
        let what = format!("the payment to be {headline:?}");
        self.customer.until_payment(&self.payment_id, &what, |screen| screen.payment.headline == *headline)
    }

    fn confirming(confirmations: u32) -> Headline {
        Headline::Confirming { confirmations, required: 2 }
    }

    /// Loses the newest blocks; as many without any transaction come in their place, and one more.
    fn lose(&self, blocks: u64) {
        let first = self.node.hash_at(self.node.height().unwrap() + 1 - blocks).unwrap();
        self.node.invalidate(&first).unwrap();
        for _ in 0..=blocks {
            self.node.mine_only(&[]).unwrap();
        }
    }

    /// Sends the payment's transaction again, as its wallet would. A wallet dates it by the block in which it was made, so a
    /// fork at that very height can throw it out.
    fn send_again(&self) {
        let known = self.node.rpc.wallet("gettransaction", json!([self.tx_id])).unwrap();
        // An error says that the node still has it.
        let _ = self.node.submit(known["hex"].as_str().unwrap());
    }

    /// Mines the payment again, in a block by itself.
    fn mine_payment(&self) {
        self.node.mine_only(&[&self.tx_id]).unwrap();
    }

    fn receivable(&self) -> api::wire::Usd {
        self.customer.host().refresh(&(), Nothing {}).unwrap();
        self.customer.host().balance(&(), Nothing {}).unwrap().receivable
    }
}

/// What would be lost: either the customer's money after a fork, or ours to somebody who takes a payment back. The status
/// follows the chain back and forward again at every stage, and the books fit at the end.
#[test]
fn a_fork_on_sqlite_takes_the_status_back_and_mining_takes_it_forward_again() {
    a_fork_takes_the_status_back_and_mining_takes_it_forward_again(Engine::Sqlite);
}

#[test]
fn a_fork_on_postgres_takes_the_status_back_and_mining_takes_it_forward_again() {
    a_fork_takes_the_status_back_and_mining_takes_it_forward_again(Engine::Postgres);
}

fn a_fork_takes_the_status_back_and_mining_takes_it_forward_again(engine: Engine) {
    let (mut scene, operator) = Scene::seen(engine);
    scene.lose(1);
    scene.send_again();
    scene.until(&Headline::Seen);

    scene.mine_payment();
    scene.until(&Scene::confirming(1));
    scene.lose(1);
    scene.until(&Headline::Seen);
    scene.mine_payment();
    scene.until(&Scene::confirming(1));
    scene.node.mine(1).unwrap();
    scene.until(&Headline::Paid);
    settled(&scene);

    scene.lose(2);
    let back = scene.until(&Headline::Seen);
    assert_eq!(back.payment.facts.credited, api::wire::Usd::default(), "what is on no chain is still credited");
    assert_eq!(scene.receivable(), back.payment.asked, "what the fork took away is not owed");
    scene.mine_payment();
    scene.node.mine(1).unwrap();
    scene.until(&Headline::Paid);
    settled(&scene);

    e2e::walk_without_window::fulfil(&operator, &scene.order_id, 2);
    after_ready(&mut scene);
}

fn settled(scene: &Scene) {
    scene.customer.until_order(&scene.order_id, "a settled order", |order| order.state == OrderState::Settled);
    assert_eq!(scene.receivable(), api::wire::Usd::default());
}

/// A handed-over machine goes on while its payment is off the chain: the customer owes, the dates stand (P13).
fn after_ready(scene: &mut Scene) {
    let ready = scene.customer.until_order(&scene.order_id, "access", |order| order.access.is_some());
    let ends_at = ready.fulfilment.ends_at;
    scene.lose(2);
    scene.until(&Headline::Seen);
    let owed = scene
        .customer
        .until_order(&scene.order_id, "the order after the fork", |_| scene.receivable() != api::wire::Usd::default());
    assert_eq!((owed.fulfilment.state, owed.fulfilment.ends_at), (FulfilmentState::Active, ends_at));
    assert_eq!(scene.receivable(), owed.total, "what was undone is owed");
    scene.mine_payment();
    scene.node.mine(1).unwrap();
    scene.until(&Headline::Paid);
    settled(scene);
    let again = scene.customer.order_now(&scene.order_id);
    assert_eq!((again.fulfilment.state, again.fulfilment.ends_at), (FulfilmentState::Active, ends_at));
    assert_eq!(scene.server.differences(), Vec::<String>::new());
}
