//! Random histories: whatever happens, no cent is made or lost.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::Case;
use crate::world::World;

pub const CASES: &[Case] = &[("random_histories_keep_the_books", random)];

const HISTORIES: u32 = 12;

/// One thing that happens.
#[derive(Clone, Debug)]
enum Step {
    Send(u32),
    Mine(u32),
    Fork(u32),
    Wait(i64),
    Blind(bool),
    Pay,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1u32..2_000).prop_map(Step::Send),
        (1u32..14).prop_map(Step::Mine),
        (1u32..14).prop_map(Step::Fork),
        prop::sample::select(vec![1, 30, 1_200, 4_000, 90_000]).prop_map(Step::Wait),
        any::<bool>().prop_map(Step::Blind),
        Just(Step::Pay),
    ]
}

fn random(world: &mut World) {
    let mut runner = TestRunner::new(Config { cases: HISTORIES, failure_persistence: None, ..Config::default() });
    let world = std::cell::RefCell::new(world);
    let count = std::cell::Cell::new(0);
    runner
        .run(&prop::collection::vec(step(), 5..25), |steps| {
            count.set(count.get() + 1);
            history(&mut world.borrow_mut(), count.get(), &steps);
            Ok(())
        })
        .unwrap();
}

fn history(world: &mut World, number: u32, steps: &[Step]) {
    let who = world.customer(&format!("customer{number}"));
    let request = World::order_request("t4", 1, price(world));
    let Ok(order) = world.try_order(&who, request) else { return };
    let mut payment = world.try_pay(&who, &order).ok();
    for step in steps {
        match (step, &payment) {
            (Step::Send(hundredths), Some(payment)) => {
                world.send(payment, &format!("{}.{:02}", hundredths / 100, hundredths % 100));
                world.wait(1);
            }
            (Step::Mine(blocks), _) => world.mine(*blocks),
            (Step::Fork(depth), _) => {
                let depth = u64::from(*depth).min(world.sim.tip().height);
                world.sim.fork(world.now, u32::try_from(depth).unwrap()).unwrap();
                world.wait(1);
            }
            (Step::Wait(seconds), _) => world.wait(*seconds),
            (Step::Blind(blind), _) => world.watcher_on = !blind,
            (Step::Pay, _) => payment = world.try_pay(&who, &order).ok().or(payment),
            (Step::Send(_), None) => {}
        }
        let differences = world.differences();
        assert!(differences.is_empty(), "{differences:?} after {step:?} of {steps:?}");
    }
    world.watcher_on = true;
    world.mine(12);
}

fn price(world: &World) -> i64 {
    let offers = world.write(|tx, _, now| backend::catalogue::view(tx, now)).unwrap().catalogue.offers;
    let offer = offers.iter().find(|offer| offer.id == "t4").unwrap();
    offer.prices.iter().find(|price| price.days == 7).unwrap().per_lot.0.get()
}
