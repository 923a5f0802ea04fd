use proptest::prelude::*;

use super::*;
use crate::fulfilment::{EXPORT_MICROS, ExpectedMachine, FoundDevice, FoundMachine};
use crate::time::DAY_MICROS;

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);
const FINE: Situation = Situation { order_settled: true, receivable_since: None, now: NOW };

fn acceptance(passes: bool) -> Acceptance {
    let expected = ExpectedMachine {
        devices: 1,
        driver_names: vec!["NVIDIA B200".into()],
        lowest_memory_mib: 1,
        highest_memory_mib: 200_000,
        min_driver: None,
    };
    let device = FoundDevice { name: "NVIDIA B200".into(), memory_mib: 183_359, partitioned: !passes };
    let found = FoundMachine { devices: vec![device], driver: "580".into(), operator_credentials_removed: true };
    Acceptance::check(&expected, &found)
}

fn hand_over(acceptance: &Acceptance) -> Move<'_> {
    let login = Some(VerifiedLogin { access_revision: 7, at: NOW });
    Move::HandOver(HandOver { acceptance, login, access_revision: 7 })
}

fn at(state: State) -> Fulfilment {
    let handed_over = matches!(state, State::Ready | State::Suspended | State::Wiped);
    let started = NOW.plus_micros(-40 * DAY_MICROS);
    Fulfilment::restore(state, handed_over.then(|| RentalDates::starting(started, RentalDays::Seven))).unwrap()
}

fn later(micros: i64) -> Situation {
    Situation { now: NOW.plus_micros(micros), ..FINE }
}

/// Written by hand: from each state, the only states that a move may lead to.
const WAYS: [(State, &[State]); 7] = [
    (State::NotStarted, &[State::Preparing, State::Cancelled]),
    (State::Preparing, &[State::Ready, State::FailedAcceptance, State::Cancelled]),
    (State::Ready, &[State::Suspended, State::Wiped]),
    (State::Suspended, &[State::Ready, State::Wiped]),
    (State::FailedAcceptance, &[State::Preparing, State::Cancelled]),
    (State::Cancelled, &[]),
    (State::Wiped, &[]),
];

#[test]
fn every_wrong_move_is_refused_with_where_it_came_from() {
    let (passed, failed) = (acceptance(true), acceptance(false));
    let moves = [
        Move::Prepare,
        hand_over(&passed),
        Move::FailAcceptance(&failed),
        Move::Cancel,
        Move::Suspend,
        Move::Resume,
        Move::Wipe,
    ];
    for (from, ways) in WAYS {
        let mut reached = Vec::new();
        for step in moves {
            let owing = Situation { receivable_since: Some(NOW.plus_micros(-2 * DAY_MICROS)), ..FINE };
            let situation = if step.target() == State::Suspended { owing } else { FINE };
            match at(from).after(step, RentalDays::Seven, &situation) {
                Ok(next) => reached.push(next.state()),
                Err(refused) => assert_eq!(refused, MoveRefused::NoSuchMove { from, to: step.target() }),
            }
        }
        let (mut reached, mut expected) = (reached, ways.to_vec());
        reached.sort();
        expected.sort();
        assert_eq!(reached, expected, "{from:?}");
    }
}

#[test]
fn the_clock_starts_at_hand_over_and_not_before() {
    let order = Fulfilment::NOT_STARTED;
    assert_eq!(order.dates(), None);
    let preparing = order.after(Move::Prepare, RentalDays::Seven, &FINE).unwrap();
    assert_eq!(preparing.dates(), None);
    let passed = acceptance(true);
    let ready = preparing.after(hand_over(&passed), RentalDays::Seven, &later(DAY_MICROS)).unwrap();
    let dates = ready.dates().unwrap();
    assert_eq!(dates.started_at, NOW.plus_micros(DAY_MICROS));
    assert_eq!(dates.ends_at, NOW.plus_micros(8 * DAY_MICROS));
}

#[test]
fn neither_a_saved_order_nor_a_notice_starts_anything() {
    let unpaid = Situation { order_settled: false, ..FINE };
    let refused = Fulfilment::NOT_STARTED.after(Move::Prepare, RentalDays::Three, &unpaid);
    assert_eq!(refused, Err(MoveRefused::NotSettled));
}

#[test]
fn a_machine_nobody_logged_in_to_with_these_credentials_is_not_ready() {
    let passed = acceptance(true);
    let attempt = |login, acceptance| {
        let step = Move::HandOver(HandOver { acceptance, login, access_revision: 7 });
        at(State::Preparing).after(step, RentalDays::Three, &FINE).map(|next| next.state())
    };
    let login = |access_revision, at| Some(VerifiedLogin { access_revision, at });
    assert_eq!(attempt(None, &passed), Err(MoveRefused::LoginNotVerified));
    assert_eq!(attempt(login(6, NOW), &passed), Err(MoveRefused::LoginNotVerified));
    assert_eq!(attempt(login(7, NOW.plus_micros(1)), &passed), Err(MoveRefused::LoginNotVerified));
    let failed = acceptance(false);
    assert_eq!(attempt(login(7, NOW), &failed), Err(MoveRefused::AcceptanceNotPassed { differences: 1 }));
    assert_eq!(attempt(login(7, NOW), &passed), Ok(State::Ready));
}

#[test]
fn a_machine_that_passed_is_not_called_failed() {
    let passed = acceptance(true);
    let refused = at(State::Preparing).after(Move::FailAcceptance(&passed), RentalDays::Three, &FINE);
    assert_eq!(refused, Err(MoveRefused::AcceptancePassed));
}

#[test]
fn what_is_not_handed_over_pauses_while_the_account_owes() {
    let owing = Situation { receivable_since: Some(NOW), ..FINE };
    let passed = acceptance(true);
    let refused = Err(MoveRefused::ReceivableOpen { since: NOW });
    assert_eq!(at(State::NotStarted).after(Move::Prepare, RentalDays::Three, &owing), refused);
    assert_eq!(at(State::FailedAcceptance).after(Move::Prepare, RentalDays::Three, &owing), refused);
    assert_eq!(at(State::Preparing).after(hand_over(&passed), RentalDays::Three, &owing), refused);
    for state in [State::NotStarted, State::Preparing, State::FailedAcceptance] {
        assert_eq!(at(state).phase(&owing), Phase::Paused);
        assert_ne!(at(state).phase(&FINE), Phase::Paused);
    }
}

#[test]
fn access_is_taken_away_only_a_day_after_the_money_was_undone_and_the_dates_stand() {
    let ready = at(State::Ready);
    let suspend = |since: Option<i64>| {
        let receivable_since = since.map(|micros| NOW.plus_micros(-micros));
        ready.after(Move::Suspend, RentalDays::Seven, &Situation { receivable_since, ..FINE })
    };
    assert_eq!(suspend(None), Err(MoveRefused::NothingOwed));
    assert_eq!(suspend(Some(DAY_MICROS - 1)), Err(MoveRefused::TooEarly { from: NOW.plus_micros(1) }));
    let suspended = suspend(Some(DAY_MICROS)).unwrap();
    assert_eq!(suspended.dates(), ready.dates());
    let owing = Situation { receivable_since: Some(NOW), ..FINE };
    let refused = Err(MoveRefused::ReceivableOpen { since: NOW });
    assert_eq!(suspended.after(Move::Resume, RentalDays::Seven, &owing), refused);
    assert_eq!(suspended.after(Move::Resume, RentalDays::Seven, &FINE), Ok(ready));
}

#[test]
fn nothing_is_wiped_before_the_customer_had_48_hours_to_export() {
    let dates = RentalDates::starting(NOW, RentalDays::Three);
    let wiped_from = dates.ends_at.plus_micros(48 * HOUR_MICROS);
    for state in [State::Ready, State::Suspended] {
        let order = Fulfilment::restore(state, Some(dates)).unwrap();
        let wipe = |now| order.after(Move::Wipe, RentalDays::Three, &Situation { now, ..FINE });
        assert_eq!(wipe(wiped_from.plus_micros(-1)), Err(MoveRefused::TooEarly { from: wiped_from }));
        assert_eq!(wipe(wiped_from).unwrap().state(), State::Wiped);
    }
}

#[test]
fn active_ending_and_ended_follow_from_the_dates() {
    let dates = RentalDates::starting(NOW, RentalDays::Seven);
    let order = Fulfilment::restore(State::Ready, Some(dates)).unwrap();
    let end = 7 * DAY_MICROS;
    let table = [
        (0, Phase::Active, Some(end - 72 * HOUR_MICROS)),
        (end - 72 * HOUR_MICROS - 1, Phase::Active, Some(end - 72 * HOUR_MICROS)),
        (end - 72 * HOUR_MICROS, Phase::Ending, Some(end)),
        (end - 1, Phase::Ending, Some(end)),
        (end, Phase::Ended, Some(end + EXPORT_MICROS)),
        (end + EXPORT_MICROS - 1, Phase::Ended, Some(end + EXPORT_MICROS)),
        (end + EXPORT_MICROS, Phase::WipeDue, None),
    ];
    for (micros, phase, next) in table {
        let situation = later(micros);
        assert_eq!(order.phase(&situation), phase, "{micros}");
        assert_eq!(order.next_change_at(situation.now), next.map(|micros| NOW.plus_micros(micros)), "{micros}");
    }
}

#[test]
fn stored_states_that_contradict_their_dates_are_not_believed() {
    let dates = Some(RentalDates::starting(NOW, RentalDays::Three));
    for state in State::ALL {
        let with = Fulfilment::restore(state, dates).is_some();
        let without = Fulfilment::restore(state, None).is_some();
        assert!(with != without, "{state:?}");
        assert_eq!(State::from_code(state.code()), Some(state));
    }
}

proptest! {
    /// Whatever operators press, in whatever order: no dates without a hand-over, and dates once given are never lost.
    #[test]
    fn no_sequence_of_moves_gives_dates_without_a_hand_over(steps in prop::collection::vec((0u8..7, any::<bool>(), 0i64..20), 0..40)) {
        let (passed, failed) = (acceptance(true), acceptance(false));
        let mut order = Fulfilment::NOT_STARTED;
        let mut now = NOW;
        let mut handed_over = false;
        for (step, good, days) in steps {
            now = now.plus_micros(days * DAY_MICROS);
            let acceptance = if good { &passed } else { &failed };
            let receivable_since = (!good).then_some(NOW);
            let step = [Move::Prepare, hand_over(acceptance), Move::FailAcceptance(acceptance), Move::Cancel, Move::Suspend, Move::Resume, Move::Wipe][usize::from(step)];
            let before = order;
            if let Ok(next) = order.after(step, RentalDays::Seven, &Situation { order_settled: true, receivable_since, now }) {
                handed_over |= matches!(step, Move::HandOver(_));
                prop_assert!(before.dates().is_none() || before.dates() == next.dates());
                order = next;
            }
            prop_assert_eq!(order.dates().is_some(), handed_over);
            prop_assert_eq!(Fulfilment::restore(order.state(), order.dates()), Some(order));
        }
    }
}
