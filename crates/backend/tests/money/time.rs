//! What time brings: deadlines, lapses, late money, a watcher that was away.

use api::views::{Headline, OrderState};

use crate::Case;
use crate::world::World;

pub const CASES: &[Case] = &[
    ("an_order_lapses_and_what_it_held_becomes_balance", lapse),
    ("nothing_is_expired_before_the_watcher_has_read_past_the_deadline", not_expired),
    ("late_money_settles_by_itself_when_it_covers_and_lots_can_be_had", late),
    ("money_after_a_lapse_becomes_balance", after_lapse),
    ("a_payment_missed_while_the_node_was_away_is_on_time", lagged),
];

fn lapse(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.send(&payment, "6");
    world.wait(1);
    world.mine(12);
    world.wait(24 * 3600);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Lapsed);
    assert_eq!(world.balance(&format!("customer:{}", ann.account_id)), 60_000);
    assert!(!world.show(&ann, &order.id).has_lots);
}

fn not_expired(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.watcher_on = false;
    world.wait(20 * 60 + 1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Waiting);
    world.watcher_on = true;
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Expired);
}

fn late(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.wait(20 * 60 + 1);
    world.send(&payment, "13.41");
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Seen);
    world.mine(12);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
    assert!(world.payment(&ann, &payment.id).facts.late);
}

fn after_lapse(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.wait(24 * 3600 + 1);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Lapsed);
    world.send(&payment, "13.41");
    world.wait(1);
    world.mine(12);
    assert_eq!(world.balance(&format!("customer:{}", ann.account_id)), 134_100);
}

fn lagged(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.watcher_on = false;
    world.wait(60);
    world.send(&payment, "13.41");
    // Mined ten minutes after the deadline, while we saw nothing of it.
    world.wait(29 * 60);
    world.sim.mine(world.now, 12);
    world.wait(60);
    world.watcher_on = true;
    world.wait(1);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
    assert!(!world.payment(&ann, &payment.id).facts.late);
}
