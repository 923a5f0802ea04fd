//! What time brings: deadlines, lapses, late money, a watcher that was away.

use api::views::{EventKind, Headline, OrderState};

use crate::Case;
use crate::world::{World, command_id};

pub const CASES: &[Case] = &[
    ("an_order_lapses_and_what_it_held_becomes_balance", lapse),
    ("nothing_is_expired_before_the_watcher_has_read_past_the_deadline", not_expired),
    ("late_money_settles_by_itself_when_it_covers_and_lots_can_be_had", late),
    ("money_after_a_lapse_becomes_balance", after_lapse),
    ("a_payment_missed_while_the_node_was_away_is_on_time", lagged),
    ("what_was_sent_while_nobody_looked_is_on_time_also_when_it_is_seen_later", missed),
    ("what_nobody_could_have_missed_is_late_an_hour_after_the_deadline", missed_too_late),
    ("a_fee_raised_while_nobody_looked_keeps_the_quote", replaced_unseen),
    ("a_payment_that_fell_out_of_the_pool_keeps_its_order_open", may_return),
    ("a_clock_that_is_set_back_reopens_nothing", clock_back),
    ("lag_without_an_error_is_an_alarm_until_it_is_over", lag),
    ("a_sighting_stands_behind_a_notice_that_came_first_in_the_nodes_second", seen_after_notice),
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
    assert!(!world.payment(&ann, &payment.id).facts.late, "what we missed is called late");
}

/// The node answers and nothing fails, and yet no payment is seen: nobody would know.
fn lag(world: &mut World) {
    let stand = |world: &World| -> Vec<String> {
        let alarms = world.store.read(store::repo::installation::standing).unwrap();
        alarms.into_iter().map(|alarm| format!("{} {}", alarm.kind, alarm.subject)).collect()
    };
    let quiet = Vec::<String>::new();
    world.pool_read = false;
    world.wait(4 * 60);
    assert_eq!(stand(world), quiet, "within the limit");
    world.wait(2 * 60);
    assert_eq!(stand(world), ["watcher_lag litecoin"], "a mempool that is never read to its end is no alarm");
    world.wait(60);
    assert_eq!(stand(world), ["watcher_lag litecoin"], "it stands while it lasts");
    world.pool_read = true;
    world.wait(1);
    assert_eq!(stand(world), quiet, "it is over");
    // A watcher that moves on, or stands, without ever reaching the tip.
    world.watcher_on = false;
    world.wait(6 * 60);
    assert_eq!(stand(world), ["watcher_lag litecoin"]);
    world.watcher_on = true;
    world.wait(1);
    assert_eq!(stand(world), quiet);
}

/// The node came back with an empty mempool: what had been sent is seen when its wallet sends it again.
fn missed(world: &mut World) {
    let ann = world.customer("ann");
    for (away, name) in [(5 * 60, "within the window"), (25 * 60, "past the deadline")] {
        let order = world.order(&ann, 1);
        let payment = world.pay(&ann, &order);
        world.watcher_on = false;
        world.wait(away);
        world.watcher_on = true;
        world.wait(26 * 60 - away);
        world.send(&payment, "13.41");
        world.wait(1);
        world.mine(12);
        assert!(!world.payment(&ann, &payment.id).facts.late, "{name}: what we missed is called late");
        assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled, "{name}");
    }
}

fn missed_too_late(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.watcher_on = false;
    world.wait(25 * 60);
    world.watcher_on = true;
    world.wait(56 * 60);
    world.send(&payment, "13.41");
    world.wait(1);
    world.mine(12);
    assert!(world.payment(&ann, &payment.id).facts.late);
}

/// Seen in time, then replaced and mined hours later, all in one look.
fn replaced_unseen(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    let first = world.send(&payment, "13.41");
    world.wait(1);
    world.watcher_on = false;
    world.wait(2 * 3600);
    let amount = domain::BaseUnits::parse_coins("13.41", 8).unwrap();
    world.sim.replace(world.now, &first, &world.address(&payment), amount).unwrap();
    world.sim.mine(world.now, 12);
    world.watcher_on = true;
    world.wait(1);
    let shown = world.payment(&ann, &payment.id);
    assert!(!shown.facts.late, "a raised fee lost the quote");
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
    assert_eq!(shown.facts.received, "13.410000", "one of the two counts");
}

/// A node forgets what others still have: an order whose payment was seen in time waits for the six hours in which it can
/// still be mined.
fn may_return(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    world.wait(24 * 3600 - 21 * 60);
    let payment = world.pay(&ann, &order);
    let tx = world.send(&payment, "13.41");
    world.wait(1);
    world.sim.evict(&tx).unwrap();
    world.wait(3600);
    assert_eq!(
        world.show(&ann, &order.id).state,
        OrderState::Open,
        "lapsed although its payment can still be mined in time"
    );
    world.wait(6 * 3600);
    // Only a block says that the six hours are over.
    world.mine(1);
    world.wait(61);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Lapsed);
}

fn clock_back(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.wait(21 * 60);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Expired);
    world.now = world.now.plus_micros(-10 * domain::time::MINUTE_MICROS);
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Expired, "what was closed is open again");
    let bob = world.customer("bob");
    let of_bob = world.order(&bob, 1);
    assert!(world.try_pay(&bob, &of_bob).is_err(), "instructions that end before they begin");
}

fn seen_after_notice(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.wait(1);
    let second = world.now;
    world.now = second.plus_micros(300_000);
    let request = api::server::PaymentCommand { command_id: command_id(), payment_id: payment.id.clone() };
    let who = ann.clone();
    world.write(move |tx, policy, now| backend::payments::notice(tx, policy, now, &who, &request)).unwrap();
    // Sent afterwards; the node says in which second, and no more.
    world.now = second;
    world.send(&payment, "13.41");
    world.now = second.plus_micros(900_000);
    world.watch();
    let shown = world.show(&ann, &order.id);
    let told: Vec<_> = shown.timeline.iter().map(|event| event.kind).collect();
    let place = |kind| told.iter().position(|found| *found == kind).unwrap();
    assert!(place(EventKind::Notice) < place(EventKind::Seen), "{told:?}");
    let seen = shown.timeline[place(EventKind::Seen)].at;
    assert_eq!(world.payment(&ann, &payment.id).transfers[0].first_seen_at, seen, "one fact, one time");
}
