//! The 24 worked examples, each named by what a person would lose.

use domain::catalogue::RentalDays;
use domain::confirmations::Required;
use domain::fulfilment::RentalDates;
use domain::ledger::Account;
use domain::order::OrderState;
use domain::payment::{Asking, Confirming, Headline, InstructionsError, Purpose, Ruling, asked_for, order_headline};
use domain::settle::{BalanceReason, Change, Closing, FinishError, Notice, Payable, choose_balance};
use domain::time::{HOUR_MICROS, Timestamp};
use domain::{BaseUnits, Cents, Method, Rate};

use crate::world::*;

const SEEN: Option<(i64, &str)> = Some((1, "100"));

#[test]
fn row_01_whoever_pays_in_time_and_in_full_gets_the_order() {
    let mut world = World::usual();
    let paid = world.send(0, "10", SEEN);
    assert_eq!(world.headline(0), Headline::Seen);
    world.mine(0, paid, 2, "90");
    assert!(matches!(world.headline(0), Headline::Confirming(at) if at.have == 1));
    world.bury();
    world.expect("0", "0", "0", "1000", "0");
    assert_eq!((world.state, world.headline(0)), (OrderState::Settled, Headline::Paid));
    let rows: Vec<String> = world.posted.iter().map(|row| format!("{}>{}", row.debit(), row.credit())).collect();
    assert_eq!(rows, ["received:litecoin:ltc>held:order-1", "held:order-1>revenue"]);
}

#[test]
fn row_02_nobody_loses_an_order_over_half_a_dollar() {
    let mut world = World::usual();
    world.pay(0, "9.995", 1, "90");
    world.expect("0", "0", "0", "1000", "0.50");
    assert_eq!(world.changes.last(), Some(&Change::Settled { forgiven: usd("0.50") }));
    assert_eq!((world.headline(0), world.facts(0).short), (Headline::Paid, usd("0.50")));
}

#[test]
fn row_03_what_is_held_and_the_balance_together_finish_an_order() {
    let mut world = World::usual().with_balance("500");
    world.pay(0, "6", 1, "90");
    world.expect("600", "500", "0", "0", "0");
    assert_eq!(world.headline(0), Headline::Underpaid { short: usd("400") });
    world.finish().unwrap();
    world.expect("0", "100", "0", "1000", "0");
    assert_eq!(world.finish(), Err(FinishError::NotOpen));
}

#[test]
fn row_04_new_instructions_ask_exactly_for_what_is_missing() {
    let mut world = World::usual();
    world.pay(0, "6", 1, "90");
    let asked =
        asked_for(world.total, world.held(), Cents::ZERO, Cents::ZERO, &world.customer(), Cents::ZERO).unwrap().asked;
    assert_eq!(asked, usd("400"));
    world.wait_until(30);
    let second = world.ask("400", "98");
    assert_eq!(world.payments[second].terms.amount.to_coins(8, 6), "4.081633");
    world.pay(second, "4.081633", 31, "90");
    world.expect("0", "0", "0", "1000", "0");
    assert_eq!(world.headline(second), Headline::Paid);
}

#[test]
fn row_05_what_a_lapsed_order_held_is_balance() {
    let mut world = World::usual();
    world.pay(0, "6", 1, "90");
    world.close(Closing::Lapsed);
    world.expect("0", "600", "0", "0", "0");
    assert!(world.told.contains(&Notice::Balance { cents: usd("600"), why: BalanceReason::Lapsed }));
}

#[test]
fn row_06_what_is_paid_too_much_is_balance_at_the_lower_rate() {
    let mut world = World::usual();
    let paid = world.send(0, "12", Some((1, "101")));
    world.mine(0, paid, 2, "99");
    assert!(matches!(world.headline(0), Headline::Confirming(_)), "overpaid only once final");
    world.bury();
    world.expect("0", "198", "0", "1000", "0");
    assert_eq!(world.headline(0), Headline::Overpaid { over: usd("198") });
}

#[test]
fn row_07_late_money_is_held_for_the_order_and_not_lost() {
    let mut world = World::usual().with_balance("10");
    world.wait_until(25);
    world.pay(0, "10", 25, "99");
    world.expect("990", "10", "0", "0", "0");
    assert_eq!(world.changes.last(), Some(&Change::Short { missing: usd("10") }));
    assert_eq!((world.headline(0), world.facts(0).late), (Headline::Late, usd("990")));
    world.finish().unwrap();
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn row_08_late_money_that_suffices_settles_by_itself() {
    let mut world = World::usual();
    world.pay(0, "10", 25, "99.95");
    world.expect("0", "0", "0", "1000", "0.50");
    assert_eq!(world.headline(0), Headline::Paid);
}

#[test]
fn row_09_money_on_time_and_late_adds_up() {
    let mut world = World::usual();
    world.pay(0, "6", 1, "90");
    world.pay(0, "4", 25, "98");
    world.expect("992", "0", "0", "0", "0");
    assert_eq!(world.changes.last(), Some(&Change::Short { missing: usd("8") }));
    assert_eq!(world.headline(0), Headline::Underpaid { short: usd("8") });
}

#[test]
fn row_10_small_rests_can_be_paid_from_balance_or_by_five_dollars() {
    let mut world = World::order_of("100");
    world.ask("100", "100");
    let mut world = world.with_balance("100");
    world.pay(0, "0.992", 1, "90");
    world.expect("99.20", "100", "0", "0", "0");
    let customer = world.customer();
    let asked = asked_for(world.total, world.held(), Cents::ZERO, Cents::ZERO, &customer, Cents::ZERO).unwrap().asked;
    assert_eq!(asked, usd("5"));
    let second = world.ask("5", "100");
    world.pay(second, "0.05", 10, "90");
    world.expect("0", "104.20", "0", "100", "0");

    let mut world = World::order_of("100");
    world.ask("100", "100");
    let mut world = world.with_balance("100");
    world.pay(0, "0.992", 1, "90");
    world.finish().unwrap();
    world.expect("0", "99.20", "0", "100", "0");
}

#[test]
fn row_11_instalments_lose_no_cent() {
    let mut world = World::usual();
    let each = ["3.333333", "3.333333", "3.333334"];
    let held = ["333.33", "666.66", "0.00"];
    for (coins, held) in each.into_iter().zip(held) {
        world.pay(0, coins, 1, "90");
        assert_eq!(world.held().to_string(), held);
    }
    let credits: Vec<String> = world.payments[0].transfers.iter().map(|one| one.credits[0].cents.to_string()).collect();
    assert_eq!(credits, ["333.33", "333.33", "333.34"]);
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn row_12_a_higher_fee_after_the_deadline_keeps_the_quote() {
    let mut world = World::usual();
    let first = world.send(0, "10", SEEN);
    let second = world.send(0, "10", Some((25, "80")));
    world.replace(0, first, second);
    world.mine(0, second, 140, "80");
    world.bury();
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn row_13_a_replacement_that_pays_less_is_late() {
    let mut world = World::usual();
    let first = world.send(0, "10", SEEN);
    let second = world.send(0, "9", Some((25, "99")));
    world.replace(0, first, second);
    world.mine(0, second, 140, "99");
    world.bury();
    world.expect("891", "0", "0", "0", "0");
}

#[test]
fn row_14_nobody_keeps_a_quote_for_more_than_six_hours() {
    for (minutes, sums) in [(20 + 360, ["0.00", "1000.00"]), (20 + 361, ["970.00", "0.00"])] {
        let mut world = World::usual();
        let paid = world.send(0, "10", SEEN);
        world.mine(0, paid, minutes, "97");
        world.bury();
        let [held, _, _, revenue, _] = world.sums();
        assert_eq!([held, revenue], sums);
    }
}

#[test]
fn row_15_a_fork_after_settling_is_owed_until_the_payment_is_mined_again() {
    let mut world = World::usual();
    let paid = world.pay(0, "10", 1, "100");
    world.orphan(0, paid);
    world.expect("0", "0", "1000", "1000", "0");
    assert!(world.customer().is_stopped(), "the order pauses");
    assert_eq!(world.state, OrderState::Settled);
    assert_eq!(world.facts(0).disputed, usd("1000"));
    world.mine(0, paid, 900, "50");
    world.bury();
    world.expect("0", "0", "0", "1000", "0");
    assert!(!world.customer().is_stopped(), "the order goes on");
    assert_eq!((world.facts(0).disputed, world.headline(0)), (Cents::ZERO, Headline::Paid));
}

#[test]
fn row_16_spent_balance_that_a_fork_undoes_is_owed_and_comes_back() {
    let mut world = World::order_of("600");
    let top_up = world.ask_by(Method::LtcLitecoin, Purpose::TopUp, "1000", "100");
    let paid = world.pay(top_up, "10", 1, "100");
    world.finish().unwrap();
    world.expect("0", "400", "0", "600", "0");
    world.orphan(top_up, paid);
    world.expect("0", "0", "600", "600", "0");
    world.mine(top_up, paid, 50, "10");
    world.bury();
    world.expect("0", "400", "0", "600", "0");
}

#[test]
fn row_17_money_of_a_cancelled_order_is_balance_at_the_lower_rate() {
    let mut world = World::usual();
    let paid = world.send(0, "10", SEEN);
    world.close(Closing::Cancelled);
    world.mine(0, paid, 5, "98");
    world.bury();
    world.expect("0", "980", "0", "0", "0");
    assert!(world.told.contains(&Notice::Balance { cents: usd("980"), why: BalanceReason::Cancelled }));
}

#[test]
fn row_18_money_to_an_expired_payment_of_a_settled_order_is_balance() {
    let mut world = World::usual();
    world.wait_until(30);
    assert_eq!(world.headline(0), Headline::Expired);
    let second = world.ask("1000", "100");
    world.pay(second, "10", 31, "100");
    assert_eq!(world.state, OrderState::Settled);
    world.pay(0, "10", 60, "99");
    world.expect("0", "990", "0", "1000", "0");
    assert_eq!((world.headline(0), world.headline(second)), (Headline::Late, Headline::Paid));
}

#[test]
fn row_19_the_last_lot_is_not_sold_twice_and_the_money_is_balance() {
    let mut world = World::usual();
    world.obtainable = false;
    world.pay(0, "10", 1, "100");
    world.expect("0", "1000", "0", "0", "0");
    assert_eq!((world.state, world.changes.last()), (OrderState::Open, Some(&Change::Unobtainable)));
    assert!(world.told.contains(&Notice::Balance { cents: usd("1000"), why: BalanceReason::Unobtainable }));
    assert!(!matches!(world.headline(0), Headline::Paid), "an order without its lots is called paid");
    assert_eq!(world.finish(), Err(FinishError::Unobtainable));
    world.close(Closing::Lapsed);
    world.expect("0", "1000", "0", "0", "0");
}

#[test]
fn row_20_a_top_up_credits_what_arrived() {
    let mut world = World::order_of("1000");
    let top_up = world.ask_by(Method::UsdtTron, Purpose::TopUp, "500", "1.0004");
    world.pay(top_up, "490", 1, "1");
    world.expect("0", "490.19", "0", "0", "0");
    assert_eq!((world.headline(top_up), world.facts(top_up).short), (Headline::Paid, usd("9.81")));
}

#[test]
fn row_21_the_wrong_token_becomes_balance_although_nobody_decides() {
    let mut world = World::order_of("100");
    let order = Purpose::Order { order_id: ORDER.into() };
    let payment = world.ask_by(Method::UsdtEthereum, order, "100", "1");
    let sent = world.send_as(payment, Method::UsdcEthereum, "100", Some((1, "1.01")));
    world.mine(payment, sent, 1, "0.99");
    world.bury();
    assert_eq!(world.headline(payment), Headline::InReview);
    let decides = 1 + 72 * 60;
    assert_eq!(world.facts(payment).next_change_at, Some(minute(20)));
    world.wait_until(decides - 1);
    world.expect("0", "0", "0", "0", "0");
    assert_eq!(world.facts(payment).next_change_at, Some(minute(decides)));
    world.wait_until(decides);
    world.expect("0", "99", "0", "0", "0");
    assert!(world.told.contains(&Notice::Balance { cents: usd("99"), why: BalanceReason::Decided }));

    let mut ruled = World::order_of("100");
    let payment = ruled.ask_by(Method::UsdtEthereum, Purpose::Order { order_id: ORDER.into() }, "100", "1");
    let sent = ruled.send_as(payment, Method::UsdcEthereum, "100", None);
    ruled.mine(payment, sent, 1, "1");
    ruled.bury();
    ruled.rule(payment, sent, Ruling::Purpose);
    ruled.expect("0", "0", "0", "100", "0");
}

#[test]
fn row_22_an_extension_adds_the_days_that_were_paid() {
    let hours = |hours: i64| Timestamp::from_micros(hours * HOUR_MICROS);
    let dates = RentalDates { started_at: hours(500), ends_at: hours(1_000) };
    let extended = |settled_at| dates.extended(RentalDays::Three, settled_at).map(|dates| dates.ends_at);
    let cases = [
        (1_000 - 24, Some(hours(1_000 + 72))),
        (1_000, Some(hours(1_000 + 72))),
        (1_000 + 22, Some(hours(1_000 + 22 + 72))),
        (1_000 + 48, None),
        (1_000 + 70, None),
    ];
    for (settled, expected) in cases {
        assert_eq!(extended(hours(settled)), expected, "settled at hour {settled}");
    }
    assert!(extended(hours(1_048).plus_micros(-1)).is_some());

    let mut late = World::usual();
    late.obtainable = false;
    late.pay(0, "10", 1, "100");
    late.expect("0", "1000", "0", "0", "0");
}

#[test]
fn row_23_dust_is_credited_and_disturbs_nothing() {
    let mut world = World::usual();
    world.pay(0, "10", 1, "100");
    world.pay(0, "0.005", 30, "100");
    world.expect("0", "0.50", "0", "1000", "0");
    assert_eq!(world.headline(0), Headline::Paid);
    assert!(!world.facts(0).in_review);
}

#[test]
fn row_24_money_held_for_one_order_does_not_pay_another() {
    let mut world = World::usual();
    world.pay(0, "6", 1, "100");
    world.expect("600", "0", "0", "0", "0");
    let other = Payable {
        id: "order-2".into(),
        total: usd("500"),
        held: Cents::ZERO,
        state: OrderState::Open,
        obtainable: true,
    };
    let refused = domain::settle::finish_from_balance(&other, &world.customer());
    assert_eq!(refused, Err(FinishError::BalanceTooSmall { missing: usd("500"), balance: Cents::ZERO }));
}

#[test]
fn two_orders_never_spend_one_balance_twice() {
    let mut world = World::order_of("600").with_balance("1000");
    world.finish().unwrap();
    let other = Payable {
        id: "order-2".into(),
        total: usd("600"),
        held: Cents::ZERO,
        state: OrderState::Open,
        obtainable: true,
    };
    let refused = domain::settle::finish_from_balance(&other, &world.customer());
    assert_eq!(refused, Err(FinishError::BalanceTooSmall { missing: usd("600"), balance: usd("400") }));
    assert_eq!(world.book.balance(&Account::Revenue), usd("600"));
}

#[test]
fn instructions_ask_for_more_than_the_network_refuses_to_carry() {
    let quote = Rate::parse("9000").unwrap();
    let floor = domain::payment::network_floor(Method::SolSolana, BaseUnits::new(890_880), quote).unwrap();
    assert_eq!(floor, usd("8.02"));
    let customer = World::order_of("100").customer();
    let asking = asked_for(usd("100"), usd("99"), Cents::ZERO, Cents::ZERO, &customer, floor);
    assert_eq!(asking.map(|asking| asking.asked), Ok(floor));
    let amount = quote.amount_ceil(floor, 9, 6).unwrap();
    assert!(amount > BaseUnits::new(890_880));
}

/// Told «paid», the customer would wait for machines that nobody prepares.
#[test]
fn who_owes_is_asked_for_both_and_told_paid_only_when_the_order_is() {
    let mut world = World::order_of("1000").with_balance("200");
    let chosen = choose_balance("p", usd("200"), &world.payable(), &world.customer()).unwrap();
    world.post(&chosen);
    world.orphan(0, 0);
    world.expect("200", "0", "200", "0", "0");
    // Issued before the fork, for what the chosen balance left.
    let short = world.ask("800", "100");
    world.pay(short, "8", 1, "100");
    world.expect("800", "0", "0", "0", "0");
    assert_eq!(world.headline(short), Headline::Underpaid { short: Cents::ZERO });

    let mut world = World::order_of("1000").with_balance("200");
    world.post(&choose_balance("p", usd("200"), &world.payable(), &world.customer()).unwrap());
    world.orphan(0, 0);
    let asking =
        asked_for(world.total, world.held(), Cents::ZERO, Cents::ZERO, &world.customer(), Cents::ZERO).unwrap();
    let made_of = Asking { asked: usd("1000"), missing: usd("800"), owed: usd("200"), in_sight: Cents::ZERO };
    assert_eq!(asking, made_of);
    let whole = world.ask("1000", "100");
    world.pay(whole, "10", 1, "100");
    world.expect("0", "0", "0", "1000", "0");
    assert_eq!(world.headline(whole), Headline::Paid);
}

#[test]
fn money_on_its_way_is_not_asked_for_again() {
    let customer = World::order_of("1000").customer();
    let asking = |in_sight| asked_for(usd("1000"), usd("100"), usd(in_sight), Cents::ZERO, &customer, Cents::ZERO);
    assert_eq!(asking("600").map(|asking| asking.asked), Ok(usd("300")));
    assert_eq!(asking("898").map(|asking| asking.asked), Ok(usd("5")), "what is more becomes balance");
    for covered in ["899", "900", "2000"] {
        assert_eq!(asking(covered), Err(InstructionsError::InSight { in_sight: usd(covered) }));
    }
}

#[test]
fn an_orders_headline_is_that_of_its_most_advanced_payment() {
    let confirming = Headline::Confirming(Confirming { have: 1, need: Required::Blocks(6) });
    let cases = [
        (vec![], None),
        (vec![Headline::Seen, Headline::Waiting], Some(Headline::Seen)),
        (vec![confirming, Headline::Seen, Headline::Expired], Some(confirming)),
        (vec![Headline::Waiting, Headline::Paid], Some(Headline::Paid)),
        (vec![Headline::InReview, Headline::Paid], Some(Headline::InReview)),
        // Where nothing came, what counts is whether anything can be paid now.
        (vec![Headline::Expired, Headline::Waiting], Some(Headline::Waiting)),
        (vec![Headline::Waiting, Headline::Expired], Some(Headline::Expired)),
    ];
    for (payments, expected) in cases {
        assert_eq!(order_headline(payments.clone()), expected, "{payments:?}");
    }
}
