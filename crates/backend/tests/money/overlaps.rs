//! What one payment, order or debt has to know of the others.

use api::ErrorCode;
use api::views::{Headline, MethodReason, OrderState};
use domain::{Cents, Timestamp};
use store::repo::{address, catalogue, installation};

use crate::Case;
use crate::world::{LTC, World, told};

pub const CASES: &[Case] = &[
    ("overlap_money_on_its_way_to_an_older_address_is_not_asked_for_again", paid_once),
    ("overlap_a_part_on_its_way_is_taken_off_what_is_asked_for", part_in_sight),
    ("overlap_orders_with_their_money_in_sight_are_no_unpaid_holds", not_unpaid),
    ("overlap_a_debt_pauses_every_order_on_every_device_and_is_urgent", debt_is_told),
    ("overlap_who_owes_pays_the_order_and_the_debt", debt_is_asked_for),
    ("overlap_an_address_that_somebody_paid_to_is_not_given_out", paid_address),
    ("overlap_an_address_is_good_until_its_instructions_end", last_day),
];

const MINUTE: i64 = 60;
const WINDOW: i64 = 20 * MINUTE;

/// Seen in time, still waiting for its block when the window closes: asked to pay again, the customer pays twice.
fn paid_once(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let first = world.pay(&ann, &order);
    assert_eq!(world.show(&ann, &order.id).to_pay, None, "while a payment is open nothing else is to be paid");
    world.send(&first, "13.41");
    world.wait(WINDOW + 1);
    let shown = world.show(&ann, &order.id);
    assert_eq!((shown.headline, shown.to_pay), (Some(Headline::Seen), None));
    let refused = told(world.try_pay(&ann, &order));
    assert_eq!(refused, ErrorCode::MoneyInSight { in_sight: Cents::new(134_100).into() });
    world.mine(12);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
}

fn part_in_sight(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let first = world.pay(&ann, &order);
    world.send(&first, "10");
    world.wait(WINDOW + 1);
    let to_pay = world.show(&ann, &order.id).to_pay.unwrap();
    let cents = [to_pay.asked, to_pay.missing, to_pay.owed, to_pay.in_sight].map(|usd| usd.0.get());
    assert_eq!(cents, [34_100, 134_100, 0, 100_000]);
    let second = world.pay(&ann, &order);
    assert_eq!(second.asked.0.get(), 34_100);
    assert_eq!(
        world.show(&ann, &order.id).headline,
        Some(Headline::Seen),
        "newer instructions hide what is on its way"
    );
    world.send(&second, &second.amount);
    world.wait(1);
    world.mine(12);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
    assert_eq!(world.balance(&format!("customer:{}", ann.account_id)), 0);
}

/// Others would be refused lots that are free, and whoever pays a first order would be refused a second one.
fn not_unpaid(world: &mut World) {
    world.store.write(|tx| catalogue::set_stock(tx, "b200", 4)).unwrap();
    let (ann, bob) = (world.customer("ann"), world.customer("bob"));
    let of_ann = world.order(&ann, 2);
    let first = world.pay(&ann, &of_ann);
    world.send(&first, "26.82");
    world.wait(1);
    world.mine(2);
    assert_eq!(world.show(&ann, &of_ann.id).headline, Some(Headline::Confirming { confirmations: 2, required: 12 }));
    let of_bob = world.order(&bob, 1);
    world.pay(&bob, &of_bob);
    let again = world.order(&ann, 1);
    world.pay(&ann, &again);
}

/// Two orders, paid one after the other; a fork takes the second one's money.
fn debt_is_told(world: &mut World) {
    let ann = world.customer("ann");
    let [kept, lost] = [(); 2].map(|()| {
        let order = world.order(&ann, 1);
        let payment = world.pay(&ann, &order);
        world.send(&payment, "13.41");
        world.wait(1);
        world.mine(12);
        order
    });
    let alarms = |world: &World| {
        let standing = world.store.read(installation::standing).unwrap();
        standing.into_iter().filter(|alarm| alarm.kind == "receivable").collect::<Vec<_>>()
    };
    let cursor = world.page(&ann, None).cursor;
    world.sim.fork(world.now, 12).unwrap();
    world.wait(1);
    let page = world.page(&ann, Some(cursor));
    for order in [&kept, &lost] {
        let row = page.rows.iter().find(|row| row.id == order.id);
        let row = row.expect("a paused order is shown as going on");
        assert_eq!(row.body["fulfilment"]["paused"], true);
    }
    let alarm = alarms(world).pop().expect("nobody is told that money is owed");
    assert_eq!((alarm.subject, alarm.detail.contains("1341.00")), (ann.account_id.clone(), true));
    world.mine(12);
    let page = world.page(&ann, Some(page.cursor));
    let row = page.rows.iter().find(|row| row.id == kept.id).expect("an order that goes on is shown as paused");
    assert_eq!(row.body["fulfilment"]["paused"], false);
    assert_eq!(alarms(world), []);
}

/// Asked for the order alone, the customer would pay exactly that, be told «paid», and lose the lots: the debt takes its part first.
fn debt_is_asked_for(world: &mut World) {
    let ann = world.customer("ann");
    let first = world.order(&ann, 1);
    let payment = world.pay(&ann, &first);
    let tx = world.send(&payment, "13.41");
    world.wait(1);
    world.mine(12);
    world.sim.fork(world.now, 12).unwrap();
    world.sim.double_spend(world.now, &tx).unwrap();
    world.wait(WINDOW + 1);
    assert_eq!(world.balance(&format!("receivable:{}", ann.account_id)), 134_100);
    let second = world.order(&ann, 1);
    let to_pay = world.show(&ann, &second.id).to_pay.unwrap();
    assert_eq!([to_pay.asked, to_pay.missing, to_pay.owed].map(|usd| usd.0.get()), [268_200, 134_100, 134_100]);
    let both = world.pay(&ann, &second);
    assert_eq!(both.asked.0.get(), 268_200);
    world.send(&both, &both.amount);
    world.wait(1);
    world.mine(12);
    assert_eq!(world.headline(&ann, &both.id), Headline::Paid);
    assert_eq!(world.show(&ann, &second.id).state, OrderState::Settled);
    assert_eq!(world.balance(&format!("receivable:{}", ann.account_id)), 0);
}

/// The wallet whose account the addresses come from gave it to somebody itself: two people's money would be one customer's.
fn paid_address(world: &mut World) {
    let (ann, until) = (world.customer("ann"), "2026-12-01");
    let next = world.store.write(move |tx| address::free(tx, "litecoin", until)).unwrap().unwrap();
    world.send_to(&next.address, "1");
    world.wait(1);
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    assert_ne!(world.address(&payment), next.address, "an address that somebody else pays to is given out");
    assert_eq!(world.store.read(|tx| address::pool(tx, "litecoin", until)).unwrap(), (38, 40));
}

/// After midnight the client would refuse the record of instructions that are still open.
fn last_day(world: &mut World) {
    let (ann, bob) = (world.customer("ann"), world.customer("bob"));
    world.store.write(|tx| tx.execute("UPDATE address SET last_day = '2026-12-01'", &[])).unwrap();
    let (early, late) = (world.order(&ann, 1), world.order(&bob, 1));
    let midnight = Timestamp::from_seconds(1_796_169_600);
    world.now = midnight.plus_micros(-(WINDOW + MINUTE) * 1_000_000);
    world.wait(1);
    world.pay(&ann, &early);
    world.wait(MINUTE);
    let none = ErrorCode::MethodUnavailable { method: LTC.code().to_owned(), reason: MethodReason::NoAddress };
    assert_eq!(told(world.try_pay(&bob, &late)), none, "the record ends before its instructions");
}
