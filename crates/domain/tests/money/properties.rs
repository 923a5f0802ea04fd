//! Random histories: whatever happens, money is neither made nor lost, and nobody's balance falls below zero.

use domain::ledger::{Account, Event, Side};
use domain::order::OrderState;
use domain::payment::{Decision, Headline, Purpose, RecordedRate, Ruling};
use domain::settle::{Closing, choose_balance, return_paid};
use domain::{BaseUnits, Cents, Method};
use proptest::prelude::*;

use crate::world::*;

#[derive(Clone, Debug)]
enum Step {
    Send { payment: usize, millis: u32, seen: bool, rate: u32, other: bool },
    Mine { pick: usize, rate: u32, priced: bool },
    Bury,
    Lose { pick: usize },
    Vanish { pick: usize },
    Replace { pick: usize, millis: u32 },
    Wait { minutes: i64 },
    Ask { cents: i64, top_up: bool },
    Close { cancel: bool },
    Finish,
    Choose { cents: i64 },
    GiveBack,
    Obtainable(bool),
    Rule { pick: usize, purpose: bool },
    ClockBack { minutes: i64 },
    DeleteAccount,
    Require { blocks: u32 },
}

fn step() -> impl Strategy<Value = Step> {
    let millis = || prop_oneof![Just(0u32), 1u32..20, 900u32..12_000];
    prop_oneof![
        6 => (0usize..4, millis(), any::<bool>(), 50u32..150, prop::bool::weighted(0.1))
            .prop_map(|(payment, millis, seen, rate, other)| Step::Send { payment, millis, seen, rate, other }),
        8 => (any::<usize>(), 50u32..150, prop::bool::weighted(0.9))
            .prop_map(|(pick, rate, priced)| Step::Mine { pick, rate, priced }),
        6 => Just(Step::Bury),
        4 => any::<usize>().prop_map(|pick| Step::Lose { pick }),
        1 => any::<usize>().prop_map(|pick| Step::Vanish { pick }),
        1 => (any::<usize>(), millis()).prop_map(|(pick, millis)| Step::Replace { pick, millis }),
        3 => prop_oneof![1i64..30, 300i64..5_000].prop_map(|minutes| Step::Wait { minutes }),
        2 => (100i64..200_000, any::<bool>()).prop_map(|(cents, top_up)| Step::Ask { cents, top_up }),
        1 => any::<bool>().prop_map(|cancel| Step::Close { cancel }),
        2 => Just(Step::Finish),
        1 => (1i64..50_000).prop_map(|cents| Step::Choose { cents }),
        1 => Just(Step::GiveBack),
        2 => prop::bool::weighted(0.7).prop_map(Step::Obtainable),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(pick, purpose)| Step::Rule { pick, purpose }),
        1 => (1i64..500).prop_map(|minutes| Step::ClockBack { minutes }),
        1 => (1u32..20).prop_map(|blocks| Step::Require { blocks }),
        1 => prop::bool::weighted(0.1).prop_map(|yes| if yes { Step::DeleteAccount } else { Step::Bury }),
    ]
}

struct Run {
    world: World,
    given_back: bool,
    chosen: u32,
}

fn coins(millis: u32) -> String {
    BaseUnits::new(u128::from(millis) * 100_000).to_coins(8, 0)
}

impl Run {
    fn new() -> Self {
        Self { world: World::usual(), given_back: false, chosen: 0 }
    }

    fn pick(&self, pick: usize) -> Option<(usize, usize)> {
        let all = self.world.payments.iter().enumerate();
        let all: Vec<_> = all.flat_map(|(at, one)| (0..one.transfers.len()).map(move |index| (at, index))).collect();
        (!all.is_empty()).then(|| all[pick % all.len()])
    }

    fn minutes(&self) -> i64 {
        self.world.position.read_at.micros_since(START) / domain::time::MINUTE_MICROS
    }

    /// Applies one step; says whether it was a fork or a decision.
    fn apply(&mut self, step: &Step) -> bool {
        let now = self.minutes();
        match *step {
            Step::Send { payment, millis, seen, rate, other } => self.send(payment, millis, seen, rate, other, now),
            Step::Mine { pick, rate, priced } => self.mine(pick, rate, priced),
            Step::Bury => self.world.bury(),
            Step::Lose { pick } => {
                self.pick(pick).into_iter().for_each(|(payment, one)| self.world.orphan(payment, one));
                return true;
            }
            Step::Vanish { pick } => {
                if let Some((payment, one)) = self.pick(pick) {
                    self.world.transfer(payment, one).vanished = true;
                }
            }
            Step::Replace { pick, millis } => self.replace(pick, millis, now),
            Step::Wait { minutes } => self.world.wait_until(now + minutes),
            Step::ClockBack { minutes } => self.world.now = minute(now - minutes),
            Step::Require { blocks } => self.world.required = domain::confirmations::Required::Blocks(blocks),
            Step::Obtainable(yes) => self.world.obtainable = yes,
            Step::Ask { cents, top_up } => self.ask(cents, top_up),
            ref decision => {
                self.decide(decision);
                return true;
            }
        }
        self.world.step();
        false
    }

    fn send(&mut self, payment: usize, millis: u32, seen: bool, rate: u32, other: bool, now: i64) {
        let payment = payment % self.world.payments.len();
        let text = rate.to_string();
        let method = if other { Method::BtcBitcoin } else { Method::LtcLitecoin };
        self.world.send_as(payment, method, &coins(millis), seen.then_some((now, text.as_str())));
    }

    fn mine(&mut self, pick: usize, rate: u32, priced: bool) {
        let Some((payment, one)) = self.pick(pick) else { return };
        if self.world.transfer(payment, one).live().is_some() {
            return;
        }
        let at = self.world.position.read_at.plus_micros(domain::time::MINUTE_MICROS);
        let block = found(&rate.to_string());
        let missing = RecordedRate::Missing { before: None, after: None };
        self.world.mine_at(payment, one, at, if priced { block } else { missing });
    }

    fn replace(&mut self, pick: usize, millis: u32, now: i64) {
        let Some((payment, old)) = self.pick(pick) else { return };
        if self.world.transfer(payment, old).live().is_none() {
            let new = self.world.send(payment, &coins(millis), Some((now, "77")));
            self.world.replace(payment, old, new);
        }
    }

    fn ask(&mut self, cents: i64, top_up: bool) {
        let order = Purpose::Order { order_id: ORDER.into() };
        let open = self.world.state == OrderState::Open;
        if self.world.payments.len() < 4 && (top_up || open) {
            let purpose = if top_up { Purpose::TopUp } else { order };
            let asked = Cents::new(cents).to_string();
            self.world.now = self.world.now.max(self.world.position.read_at);
            self.world.ask_by(Method::LtcLitecoin, purpose, &asked, "100");
        }
    }

    fn decide(&mut self, step: &Step) {
        let world = &mut self.world;
        match *step {
            Step::Close { cancel } if world.state == OrderState::Open => {
                world.close(if cancel { Closing::Cancelled } else { Closing::Lapsed });
            }
            Step::Finish => drop(world.finish()),
            Step::Choose { cents } => {
                self.chosen += 1;
                let id = format!("p{}", self.chosen);
                if let Ok(outcome) = choose_balance(&id, Cents::new(cents), &world.payable(), &world.customer()) {
                    world.post(&outcome);
                }
            }
            Step::GiveBack if !self.given_back => {
                if let Some(outcome) = return_paid(&world.payable(), &world.customer()) {
                    world.post(&outcome);
                    self.given_back = true;
                }
            }
            Step::DeleteAccount => world.deleted = true,
            Step::Rule { pick, purpose } => {
                let ruling = if purpose { Ruling::Purpose } else { Ruling::Balance };
                if let Some((payment, one)) = self.pick(pick) {
                    let transfer_id = self.world.transfer(payment, one).id.clone();
                    self.world.decisions.push(Decision { transfer_id, ruling });
                }
            }
            _ => {}
        }
        self.world.step();
    }
}

fn standing(world: &World) -> i128 {
    let credits = world.payments.iter().flat_map(|one| &one.transfers).flat_map(|one| &one.credits);
    credits.filter(|credit| !credit.undone).map(|credit| i128::from(credit.cents.get())).sum()
}

fn balance_sheet(world: &World) -> i128 {
    let signed = |(account, cents): (&Account, Cents)| match account.side() {
        Side::Debit => i128::from(cents.get()),
        Side::Credit => -i128::from(cents.get()),
    };
    world.book.balances().map(signed).sum()
}

/// What must hold after every step.
fn check(world: &World) -> Result<(), TestCaseError> {
    prop_assert_eq!(balance_sheet(world), 0);
    let received = Method::ALL.map(|method| i128::from(world.book.balance(&Account::Received(method)).get()));
    prop_assert_eq!(received.iter().sum::<i128>(), standing(world), "what arrived is what is credited");
    for (account, cents) in world.book.balances().filter(|(account, _)| account.never_negative()) {
        prop_assert!(cents >= Cents::ZERO, "{} at {}", account, cents);
    }
    let revenue = world.book.balance(&Account::Revenue);
    let settled = world.state == OrderState::Settled;
    prop_assert_eq!(revenue, if settled { world.total } else { Cents::ZERO }, "an order is sold once or not at all");
    prop_assert!(world.book.balance(&Account::Adjustments) <= usd("1"), "tolerance is given once");
    if world.state != OrderState::Open {
        prop_assert_eq!(world.held(), Cents::ZERO, "nothing stays behind in a closed order");
    }
    for payment in world.payments.iter() {
        for transfer in &payment.transfers {
            let live = transfer.credits.iter().filter(|credit| !credit.undone);
            let units: u128 = live.map(|credit| credit.units.get()).sum();
            prop_assert!(units <= transfer.amount.get(), "a transfer is credited once");
        }
    }
    Ok(())
}

/// The legs of every credit, reversal and settlement add up to its value.
fn check_events(world: &World) -> Result<(), TestCaseError> {
    let sum = |event: &Event| {
        let legs = world.posted.iter().filter(|posting| posting.cause().event == *event);
        legs.map(|posting| i128::from(posting.cents().get())).sum::<i128>()
    };
    for credit in world.payments.iter().flat_map(|one| &one.transfers).flat_map(|one| &one.credits) {
        let cents = i128::from(credit.cents.get());
        prop_assert_eq!(sum(&Event::Credit(credit.sighting.clone(), credit.part)), cents);
        let undone = sum(&Event::Undo(credit.sighting.clone(), credit.part));
        prop_assert_eq!(undone, if credit.undone { cents } else { 0 });
    }
    Ok(())
}

const fn is_paid(headline: Headline) -> bool {
    matches!(headline, Headline::Paid | Headline::Overpaid { .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Postings that repeat a cause or overdraw an account panic inside the run.
    #[test]
    fn money_is_never_made_lost_or_overdrawn(steps in prop::collection::vec(step(), 1..60)) {
        let mut run = Run::new();
        for step in &steps {
            run.apply(step);
            check(&run.world)?;
        }
        check_events(&run.world)?;
    }

    /// Only a fork or somebody's decision takes «paid» back. Another transfer may add a review; the payment stays paid.
    #[test]
    fn paid_stays_paid(steps in prop::collection::vec(step(), 1..60)) {
        let mut run = Run::new();
        for step in &steps {
            let before: Vec<_> = (0..run.world.payments.len()).map(|at| (run.world.headline(at), run.world.facts(at).paid)).collect();
            let may_fall = run.apply(step);
            for (at, (headline, paid)) in before.into_iter().enumerate() {
                let (now, still) = (run.world.headline(at), run.world.facts(at).paid);
                prop_assert!(may_fall || !paid || still, "{:?}: payment {} was paid", step, at);
                prop_assert!(may_fall || !is_paid(headline) || is_paid(now) || now == Headline::InReview, "{:?}: {:?} to {:?}", step, headline, now);
            }
        }
    }

    /// Whoever pays in instalments gets what one payment would have given, to the cent.
    #[test]
    fn instalments_are_worth_the_whole(parts in prop::collection::vec(1u32..4_000_000, 1..8)) {
        let mut world = World::order_of("1000000");
        world.ask("100000", "98.7654321");
        let mut units = 0u128;
        for part in parts {
            units += u128::from(part);
            world.pay(0, &BaseUnits::new(u128::from(part)).to_coins(8, 0), 1, "50");
        }
        prop_assert_eq!(Some(world.held()), rate("98.7654321").value_floor(BaseUnits::new(units), 8));
    }

    /// No sum of any transfers leaves the range or panics.
    #[test]
    fn totals_never_overflow(amounts in prop::collection::vec(any::<u128>(), 1..5), quote in 1u128..u128::MAX, method in prop::sample::select(Method::ALL.to_vec())) {
        let mut world = World::order_of("1000");
        let quote = domain::Rate::new(quote).unwrap();
        let purpose = Purpose::Order { order_id: ORDER.into() };
        let issued = domain::payment::Terms::issue(method, purpose, world.total, world.total, quote, START);
        let Ok(terms) = issued else { return Ok(()) };
        world.payments.push(Payment { terms, transfers: Vec::new(), settled: false });
        for amount in amounts {
            let one = world.send(0, "0", None);
            world.transfer(0, one).amount = BaseUnits::new(amount);
            world.transfer(0, one).only_once_mined = true;
            let sighting_rate = RecordedRate::Found(quote);
            world.position.height += 1;
            world.blocks += 1;
            let key = domain::ledger::SightingKey {
                network: method.network(), block: format!("b{}", world.blocks), transaction: format!("x{}", world.blocks), index: 0, round: 0,
            };
            let height = world.position.height;
            world.transfer(0, one).sightings.push(domain::payment::Sighting {
                key, height, block_time: START, seen_at: START, rate: sighting_rate, orphaned: false,
            });
        }
        let facts = world.facts(0);
        prop_assert!(facts.received >= Cents::ZERO && facts.over >= Cents::ZERO && facts.short >= Cents::ZERO);
        world.position.height += 10;
        let dues = world.assessed(0).due();
        let outcome = domain::settle::credit(&dues, Some(&world.payable()), &world.customer());
        for posting in &outcome.postings {
            prop_assert!(posting.cents().is_positive());
        }
    }
}
