//! The whole path, and the same path taken twice.

use api::server::{ListRequest, OrderCommand, Role};
use api::views::{EventKind, FulfilmentState, Headline, OrderState};

use crate::Case;
use crate::world::{World, command_id};

pub const CASES: &[Case] = &[
    ("a_paid_order_is_prepared_and_handed_over", whole),
    ("the_same_command_sent_again_has_one_effect", repeated),
    ("a_repeated_notice_changes_nothing", notice),
    ("a_short_payment_is_finished_by_new_instructions", short),
    ("money_for_a_cancelled_order_becomes_balance", cancelled),
    ("more_than_asked_becomes_balance", over),
];

fn whole(world: &mut World) {
    let (ann, operator) = (world.customer("ann"), world.account("oz", Role::Fulfilment));
    let order = world.order(&ann, 2);
    assert_eq!((order.lots, order.gpus, order.total.0.get()), (2, 4, 268_200));
    let payment = world.pay(&ann, &order);
    assert_eq!(payment.amount, "26.820000");
    assert_eq!(payment.headline, Headline::Waiting);
    world.send(&payment, "26.82");
    world.wait(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Seen);
    world.mine(1);
    // Above 1 000 USD Litecoin asks for twelve.
    let confirming = Headline::Confirming { confirmations: 1, required: 12 };
    assert_eq!(world.headline(&ann, &payment.id), confirming);
    world.mine(10);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Open);
    world.mine(1);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Paid);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
    assert_eq!(world.balance("revenue"), 268_200);
    hand_over(world, &operator, &order);
    let ready = world.show(&ann, &order.id);
    assert_eq!(ready.fulfilment.state, FulfilmentState::Active);
    assert_eq!(ready.access.unwrap().host, "gpu7.example.net");
    let kinds: Vec<EventKind> = ready.timeline.iter().map(|event| event.kind).collect();
    use EventKind::{AcceptancePassed, Instructions, Mined, OrderPlaced, Preparing, Ready, Seen, Settled};
    let way = [OrderPlaced, Instructions, Seen, Mined, Settled, Preparing, AcceptancePassed, Ready];
    let places = way.map(|kind| kinds.iter().position(|found| *found == kind));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{kinds:?}");
    let pulled = world.pull(&ann);
    assert!(pulled.iter().any(|row| row.kind == "order" && row.body["access"]["host"] == "gpu7.example.net"));
    assert!(world.write(|tx, _, _| backend::audit::verify(tx)).unwrap());
    audit(world, &order.reference);
}

/// People look for an order by its reference and for a colleague by name, not by ids.
fn audit(world: &mut World, reference: &str) {
    let admin = world.account("ada", Role::Administrator);
    let found = |search: &str| {
        let (who, search) = (admin.clone(), search.to_owned());
        let request = ListRequest { list: "all".into(), search, cursor: None };
        world.write(move |tx, _, _| backend::audit::list(tx, &who, &request)).unwrap().entries
    };
    let of_order = found(&reference.to_lowercase());
    let actions: Vec<_> = of_order.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["ready", "acceptance_passed", "acceptance_differs", "preparing"]);
    assert!(of_order.iter().all(|entry| entry.subject_name.as_deref() == Some(reference)));
    let name = of_order[0].actor_name.clone().unwrap();
    assert!(found(&name).len() >= 4 && found("nobody of that name").is_empty());
    assert!(found("").len() > of_order.len());
}

pub fn hand_over(world: &World, operator: &backend::Caller, order: &api::views::OrderView) {
    world.prepare(operator, order).unwrap();
    assert!(!world.accept(operator, order, 3).passed, "three of four devices");
    assert!(world.hand_over(operator, order, World::access()).is_err(), "before the check passed");
    assert!(world.accept(operator, order, 4).passed);
    world.hand_over(operator, order, World::access()).unwrap();
}

fn repeated(world: &mut World) {
    let ann = world.customer("ann");
    let request = World::order_request("b200", 1, 134_100);
    let first = world.try_order(&ann, request.clone()).unwrap();
    let second = world.try_order(&ann, request.clone()).unwrap();
    assert_eq!(first, second);
    let mut other = request;
    other.lots = 2;
    assert!(world.try_order(&ann, other).is_err(), "the same id with another body");
    assert_eq!(world.pull(&ann).iter().filter(|row| row.kind == "order").count(), 1);
}

fn notice(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    for _ in 0..2 {
        let request = api::server::PaymentCommand { command_id: command_id(), payment_id: payment.id.clone() };
        let who = ann.clone();
        world.write(move |tx, policy, now| backend::payments::notice(tx, policy, now, &who, &request)).unwrap();
        world.wait(5);
    }
    let after = world.payment(&ann, &payment.id);
    assert_eq!(after.headline, Headline::Waiting);
    let notices = world.show(&ann, &order.id).timeline.iter().filter(|event| event.kind == EventKind::Notice).count();
    assert_eq!(notices, 1);
}

fn short(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.send(&payment, "10");
    world.wait(1);
    world.mine(12);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Underpaid);
    assert_eq!(world.show(&ann, &order.id).held.0.get(), 100_000);
    world.wait(20 * 60);
    let rest = world.pay(&ann, &order);
    assert_eq!(rest.asked.0.get(), 34_100);
    world.send(&rest, &rest.amount);
    world.wait(1);
    world.mine(12);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
}

fn cancelled(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.send(&payment, "13.41");
    world.wait(1);
    let (who, request) = (ann.clone(), OrderCommand { command_id: command_id(), order_id: order.id.clone() });
    world.write(move |tx, policy, now| backend::orders::cancel(tx, policy, now, &who, &request)).unwrap();
    assert!(!world.show(&ann, &order.id).has_lots);
    world.mine(12);
    assert_eq!(world.balance(&format!("customer:{}", ann.account_id)), 134_100);
    let entries = world.pull(&ann).into_iter().filter(|row| row.kind == "balance_entry").count();
    assert_eq!(entries, 1);
}

fn over(world: &mut World) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let payment = world.pay(&ann, &order);
    world.send(&payment, "15.41");
    world.wait(1);
    world.mine(12);
    assert_eq!(world.headline(&ann, &payment.id), Headline::Overpaid);
    assert_eq!(world.balance(&format!("customer:{}", ann.account_id)), 20_000);
    assert_eq!(world.show(&ann, &order.id).state, OrderState::Settled);
}
