//! Which lots an order takes from its offer, and who may hold how many before paying (C9).

use thiserror::Error;

use super::OrderState;
use crate::catalogue::Lots;
use crate::{Cents, Timestamp};

/// A share of the total in sight that holds the lots without an open window, in thousandths.
const IN_SIGHT_PERMILLE: i128 = 995;

/// What decides whether an order's lots are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldFacts {
    /// The order's state.
    pub state: OrderState,
    /// When the open payment window of the order closes, if there is one.
    pub window_until: Option<Timestamp>,
    /// What has been seen for it so far, in USD: held, confirming, or paid from balance.
    pub in_sight: Cents,
    /// The order's total.
    pub total: Cents,
    /// Whether fulfilment gave the machines back: wiped, or cancelled after settling.
    pub returned: bool,
}

/// How an order uses lots of its offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LotsUse {
    /// It takes none.
    None,
    /// An open payment window holds them; the catalogue says until when.
    HeldUnpaid {
        /// When the window closes.
        until: Timestamp,
    },
    /// Nearly all of the money is in sight, so they stay held whatever the windows do.
    HeldInSight,
    /// It is settled and the machines are not back.
    Sold,
}

/// How the order uses its lots at `now`. Money below 99.5 % of the total prolongs nothing.
pub fn lots_use(facts: &HoldFacts, now: Timestamp) -> LotsUse {
    let share_seen = i128::from(facts.in_sight.get()) * 1000;
    let nearly_all = facts.total.is_positive() && share_seen >= i128::from(facts.total.get()) * IN_SIGHT_PERMILLE;
    match facts.state {
        _ if facts.returned => LotsUse::None,
        OrderState::Cancelled | OrderState::Lapsed => LotsUse::None,
        OrderState::Settled => LotsUse::Sold,
        OrderState::Open if nearly_all => LotsUse::HeldInSight,
        OrderState::Open => match facts.window_until {
            Some(until) if now < until => LotsUse::HeldUnpaid { until },
            _ => LotsUse::None,
        },
    }
}

/// How the lots of one offer are taken by all orders but the one that asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    /// Lots that the business has.
    pub total: u32,
    /// Lots of settled orders and of those whose money is in sight.
    pub taken: u32,
    /// Lots in unpaid holds.
    pub held_unpaid: u32,
    /// Number of those unpaid holds.
    pub unpaid_holds: u32,
}

impl Stock {
    /// The stock of an offer, counted over the other orders that want its lots.
    pub fn count(total: u32, uses: impl IntoIterator<Item = (LotsUse, Lots)>) -> Self {
        let mut stock = Stock { total, ..Stock::default() };
        for (used, lots) in uses {
            match used {
                LotsUse::None => {}
                LotsUse::HeldUnpaid { .. } => {
                    stock.held_unpaid = stock.held_unpaid.saturating_add(lots.get());
                    stock.unpaid_holds = stock.unpaid_holds.saturating_add(1);
                }
                LotsUse::HeldInSight | LotsUse::Sold => stock.taken = stock.taken.saturating_add(lots.get()),
            }
        }
        stock
    }

    /// Lots that nobody takes. Nothing settles without its lots: an order that lost its hold settles only from these.
    pub const fn free(&self) -> u32 {
        self.total.saturating_sub(self.taken).saturating_sub(self.held_unpaid)
    }

    /// Whether an order that asks may hold its lots without having paid.
    ///
    /// # Errors
    /// Says which limit stands in the way.
    pub fn may_hold(&self, limits: &HoldLimits, account: &AccountHolds, wanted: Lots) -> Result<(), HoldRefused> {
        let (wanted, free) = (wanted.get(), self.free());
        if wanted > free {
            return Err(HoldRefused::SoldOut { wanted, free });
        }
        let allowed = limits.unpaid_holds_before_first_payment;
        if !account.has_settled_payment && account.unpaid_holds >= allowed {
            return Err(HoldRefused::FirstPaymentOpen { allowed });
        }
        // A lone hold may take all: else the last lots of a small offer could never be sold.
        let together = u64::from(self.held_unpaid) + u64::from(wanted);
        let allowed = u64::from(self.total) * u64::from(limits.several_holds_percent) / 100;
        if self.unpaid_holds > 0 && together > allowed {
            let allowed = u32::try_from(allowed).unwrap_or(u32::MAX);
            return Err(HoldRefused::TooManyUnpaid { held: self.held_unpaid, wanted, allowed });
        }
        Ok(())
    }
}

/// The limits of unpaid holds. Both are configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldLimits {
    /// Unpaid holds of an account that has not settled a payment yet.
    pub unpaid_holds_before_first_payment: u32,
    /// Share of an offer's lots that several unpaid holds take at most together, in percent, rounded down to whole lots.
    pub several_holds_percent: u32,
}

impl Default for HoldLimits {
    fn default() -> Self {
        Self { unpaid_holds_before_first_payment: 1, several_holds_percent: 50 }
    }
}

/// What the asking account holds already, over all offers, the order that asks aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccountHolds {
    /// Its unpaid holds.
    pub unpaid_holds: u32,
    /// Whether any payment of it ever settled.
    pub has_settled_payment: bool,
}

/// Why lots can't be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HoldRefused {
    /// Not enough lots are left.
    #[error("{wanted} lots wanted, {free} free")]
    SoldOut {
        /// Lots wanted.
        wanted: u32,
        /// Lots free.
        free: u32,
    },
    /// The account holds lots already and has never paid.
    #[error("until its first settled payment an account has {allowed} unpaid holds")]
    FirstPaymentOpen {
        /// Unpaid holds that it may have.
        allowed: u32,
    },
    /// Unpaid holds would take more than their share of the offer.
    #[error("unpaid holds have {held} lots, {wanted} more would be over the {allowed} they may take")]
    TooManyUnpaid {
        /// Lots in unpaid holds of others.
        held: u32,
        /// Lots wanted.
        wanted: u32,
        /// Lots that several unpaid holds may take together.
        allowed: u32,
    },
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn open(window: Option<i64>, in_sight: i64, total: i64) -> HoldFacts {
        HoldFacts {
            state: OrderState::Open,
            window_until: window.map(|seconds| NOW.plus_micros(seconds * 1_000_000)),
            in_sight: Cents::new(in_sight),
            total: Cents::new(total),
            returned: false,
        }
    }

    fn lots(count: u32) -> Lots {
        Lots::new(count).unwrap()
    }

    #[test]
    fn lots_are_held_by_an_open_window_or_by_nearly_all_of_the_money() {
        let until = NOW.plus_micros(1_000_000);
        let table = [
            (open(Some(1), 0, 278_000), LotsUse::HeldUnpaid { until }),
            (open(Some(0), 0, 278_000), LotsUse::None),
            (open(None, 0, 278_000), LotsUse::None),
            // Dust prolongs nothing; 99.5 % to the cent does.
            (open(None, 1, 278_000), LotsUse::None),
            (open(None, 276_609, 278_000), LotsUse::None),
            (open(None, 276_610, 278_000), LotsUse::HeldInSight),
            (open(Some(1), 278_000, 278_000), LotsUse::HeldInSight),
            (open(None, i64::MAX, i64::MAX), LotsUse::HeldInSight),
            (open(None, 0, 0), LotsUse::None),
        ];
        for (facts, expected) in table {
            assert_eq!(lots_use(&facts, NOW), expected, "{facts:?}");
        }
    }

    #[test]
    fn lots_return_when_an_order_lapses_is_cancelled_or_is_wiped() {
        let paid = HoldFacts { state: OrderState::Settled, ..open(None, 278_000, 278_000) };
        assert_eq!(lots_use(&paid, NOW), LotsUse::Sold);
        assert_eq!(lots_use(&HoldFacts { returned: true, ..paid }, NOW), LotsUse::None);
        for state in [OrderState::Lapsed, OrderState::Cancelled] {
            let gone = HoldFacts { state, ..open(Some(60), 278_000, 278_000) };
            assert_eq!(lots_use(&gone, NOW), LotsUse::None);
        }
    }

    #[test]
    fn a_lone_unpaid_hold_may_take_everything_and_several_only_half() {
        let (limits, account) = (HoldLimits::default(), AccountHolds::default());
        let empty = Stock { total: 6, ..Stock::default() };
        assert_eq!(empty.may_hold(&limits, &account, lots(6)), Ok(()));
        let one = Stock { held_unpaid: 1, unpaid_holds: 1, ..empty };
        assert_eq!(one.may_hold(&limits, &account, lots(2)), Ok(()));
        let over = HoldRefused::TooManyUnpaid { held: 1, wanted: 3, allowed: 3 };
        assert_eq!(one.may_hold(&limits, &account, lots(3)), Err(over));
        let odd = Stock { total: 5, ..one };
        let over = HoldRefused::TooManyUnpaid { held: 1, wanted: 2, allowed: 2 };
        assert_eq!(odd.may_hold(&limits, &account, lots(2)), Err(over));
        let sold = Stock { taken: 5, ..empty };
        assert_eq!(sold.may_hold(&limits, &account, lots(2)), Err(HoldRefused::SoldOut { wanted: 2, free: 1 }));
    }

    #[test]
    fn an_account_that_never_paid_holds_lots_once() {
        let (limits, stock) = (HoldLimits::default(), Stock { total: 10, ..Stock::default() });
        let stranger = AccountHolds { unpaid_holds: 1, has_settled_payment: false };
        let refused = Err(HoldRefused::FirstPaymentOpen { allowed: 1 });
        assert_eq!(stock.may_hold(&limits, &stranger, lots(1)), refused);
        let customer = AccountHolds { has_settled_payment: true, ..stranger };
        assert_eq!(stock.may_hold(&limits, &customer, lots(1)), Ok(()));
        let raised = HoldLimits { unpaid_holds_before_first_payment: 2, ..limits };
        assert_eq!(stock.may_hold(&raised, &stranger, lots(1)), Ok(()));
    }

    proptest! {
        /// The last lot sold twice is a customer who paid for nothing.
        #[test]
        fn whatever_is_asked_no_more_lots_are_taken_than_there_are(total in 0u32..40, asks in prop::collection::vec((1u32..=10, 0u8..3), 0..40)) {
            let limits = HoldLimits { unpaid_holds_before_first_payment: 99, several_holds_percent: 100 };
            let mut uses: Vec<(LotsUse, Lots)> = Vec::new();
            for (wanted, fate) in asks {
                let stock = Stock::count(total, uses.iter().copied());
                let wanted = lots(wanted);
                if stock.may_hold(&limits, &AccountHolds::default(), wanted).is_ok() {
                    let fates = [LotsUse::HeldUnpaid { until: NOW }, LotsUse::HeldInSight, LotsUse::Sold];
                    uses.push((fates[usize::from(fate)], wanted));
                }
                let taken: u32 = uses.iter().map(|(_, lots)| lots.get()).sum();
                prop_assert!(taken <= total);
                prop_assert_eq!(Stock::count(total, uses.iter().copied()).free(), total - taken);
            }
        }
    }
}
