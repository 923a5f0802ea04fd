//! Cases that nobody listed: each would lose or double somebody's money.

use domain::confirmations::Required;
use domain::ledger::{Account, Part};
use domain::order::OrderState;
use domain::payment::{FirstSeen, Headline, Progress, Purpose, RecordedRate, Verdict, lower_rate};
use domain::settle::{BalanceReason, Change, Closing, FinishError, Notice, choose_balance, claim, outage, return_paid};
use domain::time::{HOUR_MICROS, MINUTE_MICROS};
use domain::{BaseUnits, Cents, Method};

use crate::world::*;

fn order() -> Purpose {
    Purpose::Order { order_id: ORDER.into() }
}

#[test]
fn a_transfer_of_nothing_is_no_payment() {
    let mut world = World::usual();
    world.pay(0, "0", 1, "100");
    assert_eq!((world.headline(0), world.posted.len()), (Headline::Waiting, 0));
}

#[test]
fn seen_at_the_deadline_is_late_and_one_microsecond_before_is_not() {
    let deadline = minute(20);
    for (at, revenue) in [(deadline.plus_micros(-1), "1000.00"), (deadline, "0.00")] {
        let mut world = World::usual();
        let paid = world.send(0, "10", None);
        world.transfer(0, paid).first_seen = Some(FirstSeen { at, rate: found("90") });
        world.mine(0, paid, 30, "90");
        world.bury();
        assert_eq!(world.sums()[3], revenue);
    }
}

#[test]
fn elsewhere_a_block_at_the_deadline_counts_and_one_microsecond_later_does_not() {
    for (late, revenue) in [(0, "1000.00"), (1, "0.00")] {
        let mut world = World::order_of("1000");
        let payment = world.ask_by(Method::EthEthereum, order(), "1000", "2000");
        let paid = world.send(payment, "0.5", None);
        world.mine_at(payment, paid, minute(20).plus_micros(late), found("1000"));
        world.bury();
        assert_eq!(world.sums()[3], revenue);
    }
}

#[test]
fn whoever_we_could_not_see_in_time_has_an_hour() {
    type Set = fn(&mut domain::payment::Transfer);
    let reasons: [Set; 2] = [|one| one.lagged = true, |one| one.only_once_mined = true];
    for reason in reasons {
        for (minutes, revenue) in [(80, "1000.00"), (81, "0.00")] {
            let mut world = World::usual();
            let paid = world.send(0, "10", None);
            reason(world.transfer(0, paid));
            world.mine(0, paid, minutes, "90");
            world.bury();
            assert_eq!(world.sums()[3], revenue, "mined in minute {minutes}");
        }
    }
}

#[test]
fn a_chain_of_replacements_loses_the_quote_at_the_first_that_pays_less() {
    let mut world = World::usual();
    let coins = ["10", "9", "10"];
    let at = [1, 25, 26];
    let [first, second, third] = [0, 1, 2].map(|index| world.send(0, coins[index], Some((at[index], "99"))));
    world.replace(0, first, second);
    world.replace(0, second, third);
    world.mine(0, third, 30, "99");
    world.bury();
    world.expect("990", "0", "0", "0", "0");
}

#[test]
fn a_replacement_that_pays_in_two_outputs_pays_at_least_as_much() {
    let mut world = World::usual();
    let old = world.send(0, "10", Some((1, "100")));
    let one = world.send(0, "4", Some((25, "50")));
    let two = world.send(0, "6", Some((25, "50")));
    let transaction = world.transfer(0, one).transaction.clone();
    world.transfer(0, two).transaction = transaction;
    world.replace(0, old, one);
    world.mine(0, one, 30, "50");
    world.mine(0, two, 30, "50");
    world.bury();
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn replacements_in_a_circle_end() {
    let mut world = World::usual();
    let one = world.send(0, "10", Some((1, "100")));
    let two = world.send(0, "10", Some((2, "100")));
    world.replace(0, one, two);
    world.replace(0, two, one);
    assert_eq!(world.headline(0), Headline::Waiting);
}

#[test]
fn a_mined_coin_waits_until_it_can_be_spent() {
    let mut world = World::usual();
    let mined = world.send(0, "10", None);
    world.transfer(0, mined).only_once_mined = true;
    world.transfer(0, mined).spendable_at_height = Some(200);
    world.mine(0, mined, 1, "100");
    let need = match world.assessed(0).transfers[0].progress {
        Progress::Mined { have: 1, need: Required::Blocks(need) } => need,
        other => panic!("{other:?}"),
    };
    world.bury();
    world.expect("0", "0", "0", "0", "0");
    world.position.height = 199;
    world.step();
    world.expect("0", "0", "0", "0", "0");
    assert_eq!(world.transfer(0, mined).sightings[0].height + u64::from(need) - 1, 200);
    world.position.height = 200;
    world.step();
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn our_own_coins_are_nobodys_balance() {
    let mut world = World::usual();
    let moved = world.send(0, "10", Some((1, "100")));
    world.transfer(0, moved).inputs_all_ours = true;
    world.mine(0, moved, 2, "100");
    world.bury();
    world.expect("0", "0", "0", "0", "0");
    assert_eq!(world.book.balance(&Account::Own), usd("1000"));
    assert_eq!(world.headline(0), Headline::Waiting);
    world.orphan(0, moved);
    assert_eq!(world.book.balance(&Account::Own), Cents::ZERO);
}

#[test]
fn a_token_for_two_dollars_of_another_kind_settles_nothing_by_itself() {
    let mut world = World::order_of("100");
    let payment = world.ask_by(Method::UsdtEthereum, order(), "100", "1");
    let sent = world.send_as(payment, Method::EthEthereum, "100", None);
    world.mine(payment, sent, 1, "2000");
    world.bury();
    assert_eq!(world.assessed(payment).transfers[0].verdict, Verdict::WrongAsset);
    assert_eq!((world.posted.len(), world.facts(payment).received), (0, Cents::ZERO));
}

#[test]
fn two_outputs_of_one_transaction_are_two_credits() {
    let mut world = World::usual();
    let one = world.send(0, "4", Some((1, "100")));
    let two = world.send(0, "6", Some((1, "100")));
    world.mine(0, one, 2, "100");
    let mut sighting = world.transfer(0, one).sightings[0].clone();
    sighting.key.index = 1;
    world.transfer(0, two).sightings.push(sighting);
    world.bury();
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn a_block_of_an_uncredited_payment_can_be_lost_without_a_debt() {
    let mut world = World::usual();
    let paid = world.send(0, "10", Some((1, "100")));
    world.mine(0, paid, 2, "100");
    world.orphan(0, paid);
    assert_eq!((world.posted.len(), world.headline(0)), (0, Headline::Seen));
    world.mine(0, paid, 500, "100");
    world.bury();
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn a_block_that_comes_back_is_credited_again() {
    let mut world = World::usual();
    let paid = world.pay(0, "6", 1, "100");
    for round in 1..4 {
        world.orphan(0, paid);
        world.expect("0", "0", "0", "0", "0");
        let mut sighting = world.transfer(0, paid).sightings[0].clone();
        sighting.orphaned = false;
        sighting.key.round = round;
        world.transfer(0, paid).sightings.push(sighting);
        world.step();
        world.expect("600", "0", "0", "0", "0");
    }
}

#[test]
fn a_double_spend_for_good_makes_room_for_the_next_payment() {
    let mut world = World::usual();
    let lost = world.pay(0, "6", 1, "100");
    world.orphan(0, lost);
    world.transfer(0, lost).vanished = true;
    world.expect("0", "0", "0", "0", "0");
    assert_eq!(world.facts(0).disputed, usd("600"));
    world.pay(0, "10", 5, "50");
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn without_a_recorded_rate_money_waits_and_after_three_days_the_lower_neighbour_counts() {
    let missing = RecordedRate::Missing { before: Some(rate("97")), after: Some(rate("103")) };
    let mut world = World::usual();
    let paid = world.send(0, "12", Some((1, "101")));
    world.mine_at(0, paid, minute(2), missing);
    world.bury();
    world.expect("0", "0", "0", "1000", "0");
    assert_eq!(world.headline(0), Headline::InReview);
    world.wait_until(2 + 72 * 60);
    world.expect("0", "194", "0", "1000", "0");
    assert!(matches!(world.headline(0), Headline::Overpaid { .. }));

    // A rate that is recorded afterwards does not change what was credited, not even when it is mined again.
    world.transfer(0, paid).sightings[0].rate = found("50");
    world.orphan(0, paid);
    world.mine_at(0, paid, minute(9_000), found("40"));
    world.bury();
    world.expect("0", "194", "0", "1000", "0");
}

#[test]
fn what_is_mined_again_keeps_its_value_to_the_cent() {
    let mut world = World::usual();
    let coin = world.send(0, "1.00005", None);
    world.transfer(0, coin).spendable_at_height = Some(150);
    world.mine(0, coin, 1, "100");
    world.pay(0, "1.00005", 2, "100");
    assert_eq!(world.held(), usd("100"));
    world.position.height = 150;
    world.step();
    assert_eq!(world.held(), usd("200.01"));
    world.orphan(0, coin);
    assert_eq!(world.held(), usd("100"));
    world.mine(0, coin, 3, "100");
    world.bury();
    assert_eq!(world.held(), usd("200.01"));
}

#[test]
fn what_is_mined_again_keeps_its_quote_although_another_payment_took_its_place() {
    let mut world = World::usual();
    let first = world.pay(0, "6", 1, "50");
    world.orphan(0, first);
    world.pay(0, "10", 2, "50");
    world.expect("0", "0", "0", "1000", "0");
    world.mine(0, first, 30, "50");
    world.bury();
    world.expect("0", "600", "0", "1000", "0");
}

#[test]
fn what_was_credited_before_the_cancelling_was_not_late() {
    let mut world = World::usual();
    world.pay(0, "6", 1, "50");
    world.close(Closing::Cancelled);
    world.expect("0", "600", "0", "0", "0");
    assert_eq!(world.facts(0).late, Cents::ZERO);
}

#[test]
fn what_may_still_vanish_takes_the_quote_from_nobody() {
    let mut world = World::usual();
    let stuck = world.send(0, "10", Some((1, "100")));
    world.transfer(0, stuck).spendable_at_height = Some(10_000);
    world.mine(0, stuck, 1, "100");
    world.pay(0, "10", 2, "50");
    world.expect("0", "0", "0", "1000", "0");
}

#[test]
fn a_quote_that_was_rounded_up_is_worth_what_was_asked() {
    let mut world = World::order_of("1000");
    let top_up = world.ask_by(Method::UsdtTron, Purpose::TopUp, "500", "1.05");
    assert_eq!(world.payments[top_up].terms.amount.to_coins(6, 2), "476.20");
    world.pay(top_up, "476.20", 1, "1.05");
    world.expect("0", "500", "0", "0", "0");
    assert_eq!(world.headline(top_up), Headline::Paid);
}

#[test]
fn a_payment_that_was_credited_stays_final_when_more_confirmations_are_asked() {
    let mut world = World::usual();
    world.pay(0, "6", 1, "100");
    world.required = Required::Blocks(100);
    assert_eq!(world.headline(0), Headline::Underpaid { short: usd("400") });
    world.pay(0, "4", 2, "100");
    assert!(matches!(world.headline(0), Headline::Confirming(at) if at.need == Required::Blocks(100)));
    world.expect("600", "0", "0", "0", "0");
}

#[test]
fn a_price_is_never_made_up() {
    let nothing = RecordedRate::Missing { before: None, after: None };
    let mut world = World::usual();
    let paid = world.send(0, "10", None);
    world.mine_at(0, paid, minute(30), nothing);
    world.bury();
    world.wait_until(30 + 100 * 60);
    assert_eq!((world.posted.len(), world.headline(0)), (0, Headline::InReview));
    world.transfer(0, paid).sightings[0].rate = RecordedRate::Missing { before: None, after: Some(rate("98")) };
    world.step();
    world.expect("980", "0", "0", "0", "0");
    assert_eq!(lower_rate(nothing, found("98")), domain::payment::LowerRate::InReview(None));
}

#[test]
fn a_rate_speaks_for_ten_minutes_and_does_not_change_when_the_next_is_recorded() {
    let at = minute(100);
    let record = |minutes: i64, text: &str| Some((minute(minutes), rate(text)));
    assert_eq!(RecordedRate::at(at, record(90, "99"), None), found("99"));
    assert_eq!(RecordedRate::at(at, record(90, "99"), record(101, "98")), found("99"));
    assert_eq!(RecordedRate::at(at, record(89, "99"), record(110, "98")), found("98"));
    let missing = RecordedRate::Missing { before: Some(rate("99")), after: Some(rate("98")) };
    assert_eq!(RecordedRate::at(at, record(89, "99"), record(111, "98")), missing);
}

#[test]
fn a_clock_set_back_takes_nothing_back() {
    let mut world = World::usual();
    world.wait_until(30);
    world.now = minute(-600);
    assert_eq!(world.headline(0), Headline::Expired);
    world.pay(0, "10", 31, "99");
    world.expect("990", "0", "0", "0", "0");
}

#[test]
fn nobody_is_told_expired_before_the_watcher_has_looked() {
    let mut world = World::usual();
    world.now = minute(25);
    assert_eq!(world.headline(0), Headline::Waiting);
    assert!(world.facts(0).undecided, "the order does not lapse meanwhile");
    world.position.read_at = minute(20).plus_micros(-1);
    assert_eq!(world.headline(0), Headline::Waiting);
    world.position.read_at = minute(20);
    assert_eq!(world.headline(0), Headline::Expired);
    assert!(!world.facts(0).undecided);

    let mut tron = World::order_of("100");
    let payment = tron.ask_by(Method::TrxTron, order(), "100", "0.3");
    tron.now = minute(25);
    tron.position.read_at = minute(25);
    tron.position.block_time = minute(20);
    assert_eq!(tron.headline(payment), Headline::Waiting);
    tron.position.block_time = minute(20).plus_micros(1);
    assert_eq!(tron.headline(payment), Headline::Expired);
}

#[test]
fn an_order_waits_for_what_was_seen_in_time_for_six_hours_and_no_longer() {
    let mut world = World::usual();
    world.send(0, "10", Some((1, "100")));
    world.wait_until(20 + 360);
    assert!(world.facts(0).undecided);
    assert_eq!(world.facts(0).in_sight, usd("1000"));
    world.wait_until(20 + 361);
    assert!(!world.facts(0).undecided);

    let mut dust = World::usual();
    dust.send(0, "0.009", Some((1, "100")));
    dust.wait_until(30);
    assert!(!dust.facts(0).undecided, "dust prolongs nothing");
    assert_eq!((dust.facts(0).in_sight, dust.headline(0)), (Cents::ZERO, Headline::Expired));
}

/// A node forgets what others still have; what something else took the place of does not come back.
#[test]
fn an_order_waits_for_what_fell_out_of_the_pool_and_may_still_be_mined() {
    let mut world = World::usual();
    let gone = world.send(0, "10", Some((1, "100")));
    world.transfer(0, gone).vanished = true;
    world.wait_until(20 + 360);
    assert!(world.facts(0).undecided);
    assert_eq!((world.facts(0).in_sight, world.headline(0)), (Cents::ZERO, Headline::Expired), "it holds no lots");
    assert_eq!(world.facts(0).next_change_at, Some(minute(20 + 360).plus_micros(1)));
    world.wait_until(20 + 361);
    assert!(!world.facts(0).undecided);

    for spoil in [(|one| one.replaced_by = Some("other".into())) as fn(&mut domain::payment::Transfer), |one| {
        one.amount = BaseUnits::new(900_000)
    }] {
        let mut world = World::usual();
        let gone = world.send(0, "10", Some((1, "100")));
        world.transfer(0, gone).vanished = true;
        spoil(world.transfer(0, gone));
        world.wait_until(30);
        assert!(!world.facts(0).undecided, "{:?}", world.transfer(0, gone));
    }
}

/// A header may be dated two hours ahead, and a block says nothing of what waits beside it.
#[test]
fn a_block_of_the_future_ends_no_window_where_payments_are_seen_before() {
    let mut world = World::usual();
    world.now = minute(20);
    world.position.block_time = minute(21);
    assert_eq!(world.headline(0), Headline::Waiting, "expired before the pool was read");
    world.position.read_at = minute(20);
    assert_eq!(world.headline(0), Headline::Expired);

    let mut seen = World::usual();
    seen.send(0, "10", Some((1, "100")));
    seen.read_to(minute(20 + 359));
    seen.position.block_time = minute(20 + 400);
    assert!(seen.facts(0).undecided, "the next block may be dated before the limit");
}

#[test]
fn dust_that_completes_a_payment_counts() {
    let mut world = World::usual();
    world.pay(0, "9.985", 1, "100");
    assert_eq!(world.headline(0), Headline::Underpaid { short: usd("1.50") });
    let rest = world.send(0, "0.009", Some((2, "100")));
    world.mine(0, rest, 3, "100");
    assert!(matches!(world.headline(0), Headline::Confirming(_)));
    world.bury();
    world.expect("0", "0", "0", "1000", "0.60");
}

#[test]
fn a_credit_repays_what_is_owed_before_anything_else() {
    let mut world = World::order_of("600");
    let top_up = world.ask_by(Method::LtcLitecoin, Purpose::TopUp, "600", "100");
    let lost = world.pay(top_up, "6", 1, "100");
    world.finish().unwrap();
    world.orphan(top_up, lost);
    assert_eq!(world.owed(), usd("600"));
    let second = world.ask_by(Method::LtcLitecoin, Purpose::TopUp, "1000", "100");
    world.pay(second, "10", 2, "100");
    world.expect("0", "400", "0", "600", "0");
    assert!(world.told.contains(&Notice::Repaid { cents: usd("600"), owed: Cents::ZERO }));
}

#[test]
fn who_owes_spends_nothing() {
    let mut customer = World::order_of("100").customer();
    customer.balance = usd("500");
    customer.receivable = usd("0.01");
    let payable = World::order_of("100").payable();
    let owing = Err(FinishError::Owing { owed: usd("0.01") });
    assert_eq!(domain::settle::finish_from_balance(&payable, &customer), owing);
    assert_eq!(choose_balance("p", usd("50"), &payable, &customer), owing);
}

#[test]
fn chosen_balance_waits_with_the_order_and_comes_back_with_it() {
    let mut world = World::order_of("100").with_balance("40");
    let outcome = choose_balance("payment-9", usd("40"), &world.payable(), &world.customer()).unwrap();
    world.post(&outcome);
    world.expect("40", "0", "0", "0", "0");
    assert!(world.book.post(&outcome.postings).is_err(), "a cause posts once");
    world.close(Closing::Cancelled);
    world.expect("0", "40", "0", "0", "0");
}

#[test]
fn an_order_that_cannot_be_fulfilled_gives_everything_back_once() {
    let mut world = World::usual();
    world.pay(0, "9.995", 1, "100");
    let outcome = return_paid(&world.payable(), &world.customer()).unwrap();
    world.post(&outcome);
    assert_eq!((world.balance(), outcome.change), (usd("1000"), Change::Returned));
    assert_eq!(world.book.balance(&Account::Refunds), usd("1000"));
    assert!(world.book.post(&outcome.postings).is_err(), "a cause posts once");
    world.state = OrderState::Open;
    assert_eq!(return_paid(&world.payable(), &world.customer()), None);
}

#[test]
fn an_outage_is_credited_once_with_its_reason() {
    let mut world = World::usual();
    let outcome = outage("outage-1", usd("30"), &world.customer());
    world.post(&outcome);
    assert_eq!(outcome.notices, [Notice::Balance { cents: usd("30"), why: BalanceReason::Outage }]);
    world.expect("0", "30", "0", "0", "30");
}

#[test]
fn money_for_a_deleted_account_waits_to_be_claimed() {
    let mut world = World::usual();
    world.deleted = true;
    let paid = world.send(0, "10", Some((1, "100")));
    world.mine(0, paid, 2, "100");
    world.bury();
    assert_eq!(world.headline(0), Headline::InReview);
    world.wait_until(2 + 72 * 60);
    assert_eq!(world.book.balance(&Account::Unclaimed), usd("1000"));
    let key = world.transfer(0, paid).sightings[0].key.clone();
    let outcome = claim(&key, Part::OnTime, usd("1000"), &world.customer());
    world.post(&outcome);
    assert_eq!((world.book.balance(&Account::Unclaimed), world.balance()), (Cents::ZERO, usd("1000")));
}

#[test]
fn a_watcher_that_reads_a_block_twice_changes_nothing() {
    let mut world = World::usual();
    world.pay(0, "10", 1, "100");
    let posted = world.posted.len();
    for _ in 0..3 {
        world.bury();
    }
    assert_eq!(world.posted.len(), posted);
    assert!(world.assessed(0).due().is_empty());
}

#[test]
fn an_amount_beyond_every_price_waits_for_people_and_breaks_nothing() {
    let mut world = World::order_of("100");
    let payment = world.ask_by(Method::UsdtEthereum, order(), "100", "1");
    let coins = (u128::MAX / 1_000_000).to_string();
    let sent = world.send_as(payment, Method::UsdcEthereum, &coins, None);
    world.mine(payment, sent, 1, "100000");
    world.bury();
    world.wait_until(1 + 100 * 60);
    assert_eq!((world.posted.len(), world.headline(payment)), (0, Headline::InReview));
}

#[test]
fn six_hours_are_counted_from_the_deadline_to_the_microsecond() {
    for (late, revenue) in [(0, "1000.00"), (1, "0.00")] {
        let mut world = World::usual();
        let paid = world.send(0, "10", Some((1, "90")));
        let at = minute(20).plus_micros(6 * HOUR_MICROS + late);
        world.mine_at(0, paid, at, found("90"));
        world.bury();
        assert_eq!(world.sums()[3], revenue);
        assert_eq!(world.payments[0].terms.deadline, START.plus_micros(20 * MINUTE_MICROS));
    }
}

#[test]
fn money_that_waits_for_an_operator_is_not_called_paid_yet() {
    let mut world = World::usual();
    world.deleted = true;
    world.pay(0, "10", 1, "50");
    assert!(!world.facts(0).paid);
    world.required = Required::Blocks(100);
    assert_eq!(world.headline(0), Headline::InReview);
    world.wait_until(2 + 72 * 60);
    assert!(!world.facts(0).paid, "more confirmations are asked of what is not credited");
    world.position.height += 100;
    world.step();
    assert_eq!(world.state, OrderState::Open);
    assert!(!world.facts(0).paid, "what stands in unclaimed covers no order");
}
