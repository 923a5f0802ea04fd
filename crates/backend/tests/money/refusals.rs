//! Why no instructions are given: each reason is its own, and none shows an address.

use api::ErrorCode;
use api::server::Role;
use api::views::MethodReason;
use domain::Cents;

use crate::Case;
use crate::world::{LTC, World, told};

pub const CASES: &[Case] = &[
    ("the_last_lots_are_sold_once", sold_out),
    ("a_changed_total_must_be_accepted", price_changed),
    ("one_unpaid_hold_before_the_first_payment", one_hold),
    ("no_instructions_without_rates_node_or_address", unavailable),
    ("what_was_free_before_a_restore_is_never_given_out", restored),
    ("no_instructions_in_the_last_twenty_minutes", lapses_soon),
    ("somebody_elses_order_does_not_exist", strangers),
    ("only_the_right_role_prepares", roles),
];

fn sold_out(world: &mut World) {
    let (ann, bob) = (world.customer("ann"), world.customer("bob"));
    let (of_ann, of_bob) = (world.order(&ann, 4), world.order(&bob, 4));
    world.pay(&ann, &of_ann);
    assert_eq!(told(world.try_pay(&bob, &of_bob)), ErrorCode::SoldOut { free_lots: 2 });
    // The window closes with nothing in sight: the lots are free again.
    world.wait(20 * 60 + 1);
    world.pay(&bob, &of_bob);
}

fn price_changed(world: &mut World) {
    let ann = world.customer("ann");
    let request = World::order_request("b200", 2, 268_199);
    let refused = told(world.try_order(&ann, request));
    let (confirmed, now) = (Cents::new(268_199).into(), Cents::new(268_200).into());
    assert_eq!(refused, ErrorCode::PriceChanged { confirmed, now });
}

fn one_hold(world: &mut World) {
    let ann = world.customer("ann");
    let (first, second) = (world.order(&ann, 1), world.order(&ann, 1));
    world.pay(&ann, &first);
    assert_eq!(told(world.try_pay(&ann, &second)), ErrorCode::UnpaidHoldLimit);
    let open = told(world.try_pay(&ann, &first));
    assert!(matches!(open, ErrorCode::OpenPaymentExists { .. }), "{open:?}");
}

fn unavailable(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let because = |reason| ErrorCode::MethodUnavailable { method: LTC.code().to_owned(), reason };
    let rate = world.rate.take();
    assert_eq!(told(world.try_pay(&ann, &order)), because(MethodReason::NoRate));
    world.rate = rate;
    world.write(|tx, _, now| backend::watch::failed(tx, domain::Network::Litecoin, now, "unreachable")).unwrap();
    assert_eq!(told(world.try_pay(&ann, &order)), because(MethodReason::NodeDown));
    world.wait(1);
    world.watcher_on = false;
    world.wait(59);
    world.pay(&ann, &order);
    let bob = world.customer("bob");
    let second = world.order(&bob, 1);
    world.wait(2);
    assert_eq!(told(world.try_pay(&bob, &second)), because(MethodReason::NodeDown));
    world.watcher_on = true;
    world.wait(1);
    world
        .store
        .write(|tx| tx.execute("UPDATE address SET last_day = '2026-11-30' WHERE payment_id IS NULL", &[]))
        .unwrap();
    assert_eq!(told(world.try_pay(&bob, &second)), because(MethodReason::NoAddress));
    // The last fifth of a pool is for accounts that have paid before.
    world.import(1, 100, 10);
    assert_eq!(told(world.try_pay(&bob, &second)), because(MethodReason::NoAddress));
    world.import(1, 200, 30);
    world.pay(&bob, &second);
}

/// A backup doesn't know which of its free addresses were given out after it: another customer may be paying to them.
fn restored(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let aside = world.write(|tx, _, now| backend::addresses::set_free_aside(tx, now, "command-line")).unwrap();
    let none = ErrorCode::MethodUnavailable { method: LTC.code().to_owned(), reason: MethodReason::NoAddress };
    assert_eq!(told(world.try_pay(&ann, &order)), none, "an address of before the restore is given out");
    assert_eq!(aside, 40);
    // Signed again they are still what they were.
    world.import(2, 0, 40);
    assert_eq!(told(world.try_pay(&ann, &order)), none, "an address of before the restore is given out");
    world.import(2, 40, 10);
    world.pay(&ann, &order);
}

fn lapses_soon(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    world.wait(24 * 3600 - 20 * 60);
    let refused = told(world.try_pay(&ann, &order));
    assert!(matches!(refused, ErrorCode::OrderLapsesSoon { .. }), "{refused:?}");
}

fn strangers(world: &mut World) {
    let (ann, bob) = (world.customer("ann"), world.customer("bob"));
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    let (who, id) = (bob.clone(), order.id.clone());
    let seen = world.write(move |tx, policy, now| backend::orders::show(tx, policy, now, &who, &id));
    assert_eq!(told(seen), ErrorCode::NotFound);
    let (who, id) = (bob, payment.id);
    let seen = world.write(move |tx, policy, now| backend::payments::show(tx, policy, now, &who, &id));
    assert_eq!(told(seen), ErrorCode::NotFound);
}

fn roles(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    for role in [Role::Customer, Role::Treasury] {
        let caller = world.account(&format!("{role:?}").to_lowercase(), role);
        assert_eq!(told(world.prepare(&caller, &order)), ErrorCode::Forbidden);
    }
    let operator = world.account("oz", Role::Fulfilment);
    let unpaid = told(world.prepare(&operator, &order));
    assert!(matches!(unpaid, ErrorCode::WrongMove { .. }), "{unpaid:?}");
}
