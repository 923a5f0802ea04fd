//! Reorganisations after «seen», after «confirming», after `ready` (P13): the status goes back and forward again.

use api::server::Role;
use api::views::{FulfilmentState, Headline, OrderState};

use crate::Case;
use crate::sale::hand_over;
use crate::world::World;

pub const CASES: &[Case] = &[
    ("a_fork_after_confirming_goes_back_to_seen_and_forward", confirming),
    ("a_fork_after_settling_owes_and_repays", settled),
    ("a_fork_after_ready_keeps_the_rental", ready),
    ("a_replacement_that_pays_elsewhere_is_gone", replaced),
    ("money_first_met_in_a_block_that_was_lost_is_not_seen_for_ever", lost_with_its_block),
    ("what_a_partial_reading_lacks_has_not_vanished", partial),
    ("a_transaction_that_vanishes_and_returns_counts_once", vanished),
];

fn confirming(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.send(&payment, "13.41");
    world.wait(1);
    world.mine(3);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Confirming { confirmations: 3, required: 12 });
    world.sim.fork(world.now, 3).unwrap();
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Seen);
    world.mine(12);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Paid);
    assert_eq!(world.balance("revenue"), 134_100);
}

fn settled(world: &mut World) {
    let ann = world.customer("ann");
    let (order, operator) = (world.order(&ann, 1), world.account("oz", Role::Fulfilment));
    let payment = world.pay(&ann, &order);
    world.send(&payment, "13.41");
    world.wait(1);
    world.mine(12);
    let receivable = format!("receivable:{}", ann.account_id);
    world.sim.fork(world.now, 12).unwrap();
    world.wait(1);
    assert_eq!(world.balance(&receivable), 134_100);
    assert!(world.show(&ann, &order.id).fulfilment.paused);
    assert!(world.prepare(&operator, &order).is_err(), "what is owed pauses the order");
    world.mine(12);
    assert_eq!(world.balance(&receivable), 0);
    assert!(!world.show(&ann, &order.id).fulfilment.paused);
    assert_eq!(world.balance("received:litecoin:ltc"), 134_100);
    world.prepare(&operator, &order).unwrap();
}

fn ready(world: &mut World) {
    let ann = world.customer("ann");
    let (order, operator) = (world.order(&ann, 2), world.account("oz", Role::Fulfilment));
    let payment = world.pay(&ann, &order);
    world.send(&payment, "26.82");
    world.wait(1);
    world.mine(12);
    hand_over(world, &operator, &order);
    let before = world.show(&ann, &order.id);
    world.sim.fork(world.now, 12).unwrap();
    world.wait(1);
    let during = world.show(&ann, &order.id);
    assert_eq!(during.state, OrderState::Settled);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Seen, "what a fork took away is not paid");
    assert_eq!(during.fulfilment.state, FulfilmentState::Active);
    assert_eq!(world.balance(&format!("receivable:{}", ann.account_id)), 268_200);
    world.mine(12);
    let after = world.show(&ann, &order.id);
    assert_eq!(after.fulfilment.ends_at, before.fulfilment.ends_at);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Paid);
    assert_eq!(world.balance(&format!("receivable:{}", ann.account_id)), 0);
}

fn replaced(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    let tx = world.send(&payment, "13.41");
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Seen);
    world.sim.double_spend(world.now, &tx).unwrap();
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Waiting);
    world.mine(12);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Open);
    assert!(world.payment(&ann, &payment.id).transfers[0].vanished);
}

/// Nobody saw it wait: only its block, which a fork takes away with it.
fn lost_with_its_block(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.watcher_on = false;
    let tx = world.send(&payment, "13.41");
    world.sim.mine(world.now, 1);
    world.watcher_on = true;
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Confirming { confirmations: 1, required: 12 });
    world.sim.fork(world.now, 1).unwrap();
    world.sim.double_spend(world.now, &tx).unwrap();
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Waiting, "what no block and no pool holds is still seen");
    world.mine(12);
    world.wait(24 * 3600 + 6 * 3600);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Lapsed, "an order waits for ever for what can't come");
    assert!(!world.show(&ann, &order.id).has_lots);
}

fn partial(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.send(&payment, "13.41");
    world.wait(1);
    world.pool_read = false;
    world.wait(2);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Seen, "what was not read was called gone");
    world.pool_read = true;
    world.mine(12);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Paid);
}

fn vanished(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    let tx = world.send(&payment, "13.41");
    world.wait(1);
    world.sim.evict(&tx).unwrap();
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Waiting);
    world.send(&payment, "13.41");
    world.wait(1);
    world.mine(12);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Paid);
    assert_eq!(world.balance("revenue"), 134_100);
}
