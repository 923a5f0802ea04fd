//! The dates of a rental: instants, 24 hours to the day.

use crate::Timestamp;
use crate::catalogue::RentalDays;
use crate::time::HOUR_MICROS;

/// How long before the end a rental is said to be ending.
pub const ENDING_MICROS: i64 = 72 * HOUR_MICROS;
/// How long after the end the machine can still be reached, for export only.
pub const EXPORT_MICROS: i64 = 48 * HOUR_MICROS;

/// When a rental started and when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RentalDates {
    /// The commit of `ready`.
    pub started_at: Timestamp,
    /// The instant at which it ends.
    pub ends_at: Timestamp,
}

impl RentalDates {
    /// The dates of a rental that starts now.
    pub const fn starting(now: Timestamp, days: RentalDays) -> Self {
        Self { started_at: now, ends_at: now.plus_micros(days.micros()) }
    }

    /// The instant from which a rental that was handed over is wiped.
    pub const fn wiped_from(&self) -> Timestamp {
        self.ends_at.plus_micros(EXPORT_MICROS)
    }

    /// The dates after an extension that settled at `settled_at` (O6): before the old end the days are added to it; within
    /// the 48 hours of export they run from the settlement; `None` later, when the money becomes balance.
    pub fn extended(&self, days: RentalDays, settled_at: Timestamp) -> Option<Self> {
        if settled_at >= self.wiped_from() {
            return None;
        }
        let from = self.ends_at.max(settled_at);
        Some(Self { ends_at: from.plus_micros(days.micros()), ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::DAY_MICROS;

    const START: Timestamp = Timestamp::from_seconds(1_800_000_000);

    #[test]
    fn a_rental_lasts_its_days_to_the_microsecond() {
        for (days, count) in [(RentalDays::Three, 3), (RentalDays::Seven, 7), (RentalDays::Thirty, 30)] {
            let dates = RentalDates::starting(START, days);
            assert_eq!(dates.ends_at.micros_since(dates.started_at), count * DAY_MICROS);
        }
    }

    #[test]
    fn an_extension_never_shortens_and_never_comes_too_late_unseen() {
        let dates = RentalDates::starting(START, RentalDays::Three);
        let end = dates.ends_at;
        let after = |micros| dates.extended(RentalDays::Seven, end.plus_micros(micros)).map(|dates| dates.ends_at);
        let week = 7 * DAY_MICROS;
        assert_eq!(after(-DAY_MICROS), Some(end.plus_micros(week)));
        assert_eq!(after(0), Some(end.plus_micros(week)));
        assert_eq!(after(HOUR_MICROS), Some(end.plus_micros(week + HOUR_MICROS)));
        assert_eq!(after(48 * HOUR_MICROS - 1), Some(end.plus_micros(week + 48 * HOUR_MICROS - 1)));
        assert_eq!(after(48 * HOUR_MICROS), None);
    }
}
