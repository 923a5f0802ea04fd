//! What a customer chooses beside the GPU: how many lots, for how long, and the starting point.

use std::fmt;

use thiserror::Error;

use crate::time::DAY_MICROS;

/// For how long is rented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RentalDays {
    /// Three days.
    Three,
    /// Seven days.
    Seven,
    /// Thirty days.
    Thirty,
}

impl RentalDays {
    /// The durations that are sold, shortest first.
    pub const ALL: [RentalDays; 3] = [RentalDays::Three, RentalDays::Seven, RentalDays::Thirty];

    /// The number of days.
    pub const fn days(self) -> u32 {
        match self {
            RentalDays::Three => 3,
            RentalDays::Seven => 7,
            RentalDays::Thirty => 30,
        }
    }

    /// The duration of that many days; `None` when it is not sold.
    pub fn from_days(days: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|duration| duration.days() == days)
    }

    /// The length in microseconds: days of 24 hours, whatever the local calendar does.
    pub const fn micros(self) -> i64 {
        DAY_MICROS
            * match self {
                RentalDays::Three => 3,
                RentalDays::Seven => 7,
                RentalDays::Thirty => 30,
            }
    }
}

/// A number of lots that nobody can order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{asked} lots asked for, an order has {} to {}", Lots::MIN, Lots::MAX)]
pub struct LotsOutOfRange {
    /// What was asked for.
    pub asked: u32,
}

/// How many lots an order has: 1 to 10. A lot is a unit of hardware and has nothing to do with a program's batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lots(u32);

impl Lots {
    /// The fewest lots of an order.
    pub const MIN: u32 = 1;
    /// The most lots of an order.
    pub const MAX: u32 = 10;

    /// That many lots.
    ///
    /// # Errors
    /// Refuses fewer than 1 and more than 10.
    pub const fn new(lots: u32) -> Result<Self, LotsOutOfRange> {
        if lots < Self::MIN || lots > Self::MAX { Err(LotsOutOfRange { asked: lots }) } else { Ok(Self(lots)) }
    }

    /// The number of lots.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Lots {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The starting point wanted on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preparation {
    /// A Python environment.
    Python,
    /// Python with PyTorch for the card's backend.
    Pytorch,
    /// A notebook server.
    Notebook,
    /// An inference engine.
    Inference,
}

impl Preparation {
    /// Every preparation.
    pub const ALL: [Preparation; 4] =
        [Preparation::Python, Preparation::Pytorch, Preparation::Notebook, Preparation::Inference];

    /// The name used on the wire and in files.
    pub const fn code(self) -> &'static str {
        match self {
            Preparation::Python => "python",
            Preparation::Pytorch => "pytorch",
            Preparation::Notebook => "notebook",
            Preparation::Inference => "inference",
        }
    }

    /// The preparation of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preparation| preparation.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_orders_no_lot_or_an_eleventh() {
        for asked in [0, 11, u32::MAX] {
            assert_eq!(Lots::new(asked), Err(LotsOutOfRange { asked }));
        }
        for lots in 1..=10 {
            assert_eq!(Lots::new(lots).unwrap().get(), lots);
        }
    }

    #[test]
    fn only_three_seven_and_thirty_days_are_sold_and_a_day_has_24_hours() {
        let sold: Vec<u32> = (0..400).filter(|days| RentalDays::from_days(*days).is_some()).collect();
        assert_eq!(sold, [3, 7, 30]);
        for duration in RentalDays::ALL {
            assert_eq!(duration.micros(), i64::from(duration.days()) * 24 * 3600 * 1_000_000);
        }
    }

    #[test]
    fn a_preparation_survives_its_name() {
        for preparation in Preparation::ALL {
            assert_eq!(Preparation::from_code(preparation.code()), Some(preparation));
        }
        assert_eq!(Preparation::from_code("PyTorch"), None);
    }
}
