//! What was ordered, and for how long the price stands (O10).

use thiserror::Error;

use crate::catalogue::{Figures, FiguresError, Lots, OfferSnapshot, Preparation};
use crate::time::{HOUR_MICROS, MINUTE_MICROS};
use crate::{Cents, Timestamp};

/// How long an order's price stands.
pub const PRICE_STANDS_MICROS: i64 = 24 * HOUR_MICROS;
/// The last part of that time, in which no instructions are issued: a payment's window would outlive the order.
pub const LAST_INSTRUCTIONS_MICROS: i64 = 20 * MINUTE_MICROS;

/// What was agreed when the order was made. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTerms {
    snapshot: OfferSnapshot,
    lots: Lots,
    preparation: Preparation,
    figures: Figures,
    ordered_at: Timestamp,
}

impl OrderTerms {
    /// An order for that many lots of the offer as it was seen.
    ///
    /// # Errors
    /// See [`FiguresError`]: the total is fixed here, so it has to exist.
    pub fn new(
        snapshot: OfferSnapshot,
        lots: Lots,
        preparation: Preparation,
        ordered_at: Timestamp,
    ) -> Result<Self, FiguresError> {
        let figures = snapshot.figures(lots)?;
        Ok(Self { snapshot, lots, preparation, figures, ordered_at })
    }

    /// The offer as it was when ordered.
    pub const fn snapshot(&self) -> &OfferSnapshot {
        &self.snapshot
    }

    /// Lots ordered.
    pub const fn lots(&self) -> Lots {
        self.lots
    }

    /// The starting point wanted.
    pub const fn preparation(&self) -> Preparation {
        self.preparation
    }

    /// Lots, GPUs, devices and total.
    pub const fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The fixed price of the whole order.
    pub const fn total(&self) -> Cents {
        self.figures.total
    }

    /// When it was ordered.
    pub const fn ordered_at(&self) -> Timestamp {
        self.ordered_at
    }

    /// The instant at which the price stands no more.
    pub const fn price_stands_until(&self) -> Timestamp {
        self.ordered_at.plus_micros(PRICE_STANDS_MICROS)
    }

    /// The instant from which no instructions are issued any more. A payment issued before it ends before the price does.
    pub const fn instructions_until(&self) -> Timestamp {
        self.price_stands_until().plus_micros(-LAST_INSTRUCTIONS_MICROS)
    }

    /// Whether the order lapses now: its 24 hours are over and no transfer that came in time is still undecided.
    pub fn lapses(&self, undecided_on_time_transfer: bool, now: Timestamp) -> bool {
        now >= self.price_stands_until() && !undecided_on_time_transfer
    }

    /// The state of the order at `now`.
    pub fn state(&self, facts: &OrderFacts, now: Timestamp) -> OrderState {
        if facts.settled_at.is_some() {
            OrderState::Settled
        } else if facts.cancelled_at.is_some() {
            OrderState::Cancelled
        } else if facts.lapsed_at.is_some() || self.lapses(facts.undecided_on_time_transfer, now) {
            OrderState::Lapsed
        } else {
            OrderState::Open
        }
    }

    /// When the state changes by time alone, if it still will and if no fact comes in between.
    pub fn next_change_at(&self, facts: &OrderFacts, now: Timestamp) -> Option<Timestamp> {
        let ends = self.price_stands_until();
        let waiting = self.state(facts, now) == OrderState::Open && now < ends && !facts.undecided_on_time_transfer;
        waiting.then_some(ends)
    }

    /// Whether payment instructions may be issued for the order now.
    ///
    /// # Errors
    /// Says why not.
    pub fn may_issue_instructions(&self, facts: &OrderFacts, now: Timestamp) -> Result<(), InstructionsRefused> {
        match self.state(facts, now) {
            OrderState::Open if now < self.instructions_until() => Ok(()),
            OrderState::Open => Err(InstructionsRefused::TooLate { since: self.instructions_until() }),
            state => Err(InstructionsRefused::NotOpen { state }),
        }
    }
}

/// What happened to an order so far. Each instant is written once and never changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderFacts {
    /// When it was paid in full.
    pub settled_at: Option<Timestamp>,
    /// When it was cancelled before it settled.
    pub cancelled_at: Option<Timestamp>,
    /// When its lapsing was acted on: what it held became balance, so it never opens again.
    pub lapsed_at: Option<Timestamp>,
    /// Whether a transfer for it that came in time is not decided yet.
    pub undecided_on_time_transfer: bool,
}

/// Where an order stands. How its payments and its fulfilment stand is said elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderState {
    /// Waiting for money.
    Open,
    /// Paid in full.
    Settled,
    /// Called off before it was paid.
    Cancelled,
    /// Its price stands no more.
    Lapsed,
}

impl OrderState {
    /// The name used on the wire and in lists.
    pub const fn code(self) -> &'static str {
        match self {
            OrderState::Open => "open",
            OrderState::Settled => "settled",
            OrderState::Cancelled => "cancelled",
            OrderState::Lapsed => "lapsed",
        }
    }

    /// The state of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Open, Self::Settled, Self::Cancelled, Self::Lapsed].into_iter().find(|state| state.code() == code)
    }
}

/// Why no instructions are issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InstructionsRefused {
    /// The order takes no money any more.
    #[error("the order is {}", state.code())]
    NotOpen {
        /// Its state.
        state: OrderState,
    },
    /// The order's last 20 minutes have begun.
    #[error("the last {} minutes of the order have begun", LAST_INSTRUCTIONS_MICROS / MINUTE_MICROS)]
    TooLate {
        /// When they began.
        since: Timestamp,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{RentalDays, samples};

    const ORDERED: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn terms() -> OrderTerms {
        let snapshot = OfferSnapshot {
            offer_id: "b200".into(),
            gpu: samples::b200(),
            gpus_per_lot: 2,
            days: RentalDays::Seven,
            price_per_lot: Cents::new(139_000),
            taken_at: ORDERED,
        };
        OrderTerms::new(snapshot, Lots::new(2).unwrap(), Preparation::Pytorch, ORDERED).unwrap()
    }

    fn after(micros: i64) -> Timestamp {
        ORDERED.plus_micros(micros)
    }

    #[test]
    fn two_lots_of_b200_are_four_gpus_at_a_fixed_total() {
        let terms = terms();
        assert_eq!((terms.figures().gpus, terms.total()), (4, Cents::new(278_000)));
    }

    #[test]
    fn the_price_stands_for_24_hours_exactly() {
        let (terms, facts) = (terms(), OrderFacts::default());
        let day = 24 * HOUR_MICROS;
        assert_eq!(terms.state(&facts, after(0)), OrderState::Open);
        assert_eq!(terms.state(&facts, after(day - 1)), OrderState::Open);
        assert_eq!(terms.state(&facts, after(day)), OrderState::Lapsed);
        assert_eq!(terms.next_change_at(&facts, after(0)), Some(after(day)));
        assert_eq!(terms.next_change_at(&facts, after(day)), None);
    }

    #[test]
    fn money_that_came_in_time_keeps_the_order_until_it_is_decided() {
        let terms = terms();
        let waiting = OrderFacts { undecided_on_time_transfer: true, ..OrderFacts::default() };
        let late = after(30 * HOUR_MICROS);
        assert_eq!(terms.state(&waiting, late), OrderState::Open);
        assert_eq!(terms.state(&OrderFacts::default(), late), OrderState::Lapsed);
        let settled = OrderFacts { settled_at: Some(late), ..OrderFacts::default() };
        assert_eq!(terms.state(&settled, after(300 * HOUR_MICROS)), OrderState::Settled);
    }

    #[test]
    fn what_lapsed_or_was_cancelled_never_opens_again() {
        let terms = terms();
        let lapsed = OrderFacts {
            lapsed_at: Some(after(25 * HOUR_MICROS)),
            undecided_on_time_transfer: true,
            ..OrderFacts::default()
        };
        assert_eq!(terms.state(&lapsed, after(26 * HOUR_MICROS)), OrderState::Lapsed);
        let cancelled = OrderFacts { cancelled_at: Some(after(1)), ..lapsed };
        assert_eq!(terms.state(&cancelled, after(2)), OrderState::Cancelled);
    }

    #[test]
    fn nobody_is_told_to_pay_an_order_that_ends_before_the_payment_does() {
        let (terms, facts) = (terms(), OrderFacts::default());
        let last = 24 * HOUR_MICROS - 20 * MINUTE_MICROS;
        assert_eq!(terms.may_issue_instructions(&facts, after(last - 1)), Ok(()));
        let too_late = Err(InstructionsRefused::TooLate { since: after(last) });
        assert_eq!(terms.may_issue_instructions(&facts, after(last)), too_late);
        let waiting = OrderFacts { undecided_on_time_transfer: true, ..facts };
        assert_eq!(terms.may_issue_instructions(&waiting, after(30 * HOUR_MICROS)), too_late);
        let lapsed = Err(InstructionsRefused::NotOpen { state: OrderState::Lapsed });
        assert_eq!(terms.may_issue_instructions(&facts, after(24 * HOUR_MICROS)), lapsed);
        let settled = OrderFacts { settled_at: Some(after(1)), ..facts };
        let paid = Err(InstructionsRefused::NotOpen { state: OrderState::Settled });
        assert_eq!(terms.may_issue_instructions(&settled, after(2)), paid);
    }

    #[test]
    fn a_state_survives_its_name() {
        for state in [OrderState::Open, OrderState::Settled, OrderState::Cancelled, OrderState::Lapsed] {
            assert_eq!(OrderState::from_code(state.code()), Some(state));
        }
    }
}
