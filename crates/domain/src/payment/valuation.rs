//! Recorded rates, and the lower of two of them (P10 «Value»).

use crate::rate::Rate;
use crate::time::{HOUR_MICROS, MINUTE_MICROS, Timestamp};

/// A recorded rate speaks for an instant at most this far away, inclusive.
pub const RATE_WITHIN_MICROS: i64 = 10 * MINUTE_MICROS;

/// What waits for an operator is decided by its deadline after this long.
pub const REVIEW_MICROS: i64 = 72 * HOUR_MICROS;

/// What the record of rates says about one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedRate {
    /// A rate within [`RATE_WITHIN_MICROS`].
    Found(Rate),
    /// None that near; the nearest on either side, however far.
    Missing {
        /// The last one before.
        before: Option<Rate>,
        /// The first one after.
        after: Option<Rate>,
    },
}

impl RecordedRate {
    /// Reads the record: `before` is the last rate recorded at or before `at`, `after` the first one after it.
    /// The earlier one is preferred, so that the answer does not change when the next minute is recorded.
    pub fn at(at: Timestamp, before: Option<(Timestamp, Rate)>, after: Option<(Timestamp, Rate)>) -> Self {
        let near = |record: &(Timestamp, Rate)| at.micros_since(record.0).saturating_abs() <= RATE_WITHIN_MICROS;
        let found = before.filter(near).or(after.filter(near));
        match found {
            Some((_, rate)) => RecordedRate::Found(rate),
            None => {
                RecordedRate::Missing { before: before.map(|record| record.1), after: after.map(|record| record.1) }
            }
        }
    }

    /// The rate to fall back on after the review's deadline: the found one, else the lower neighbour.
    fn fallback(self) -> Option<Rate> {
        match self {
            RecordedRate::Found(rate) => Some(rate),
            RecordedRate::Missing { before: Some(before), after: Some(after) } => Some(before.min(after)),
            RecordedRate::Missing { before, after } => before.or(after),
        }
    }
}

/// The lower of the rates at first sighting and at the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowerRate {
    /// Both were recorded in time.
    Known(Rate),
    /// At least one was not: a review, after which this one decides. `None` when nothing was ever recorded: a price is
    /// never made up, so the review stays open until a rate exists.
    InReview(Option<Rate>),
}

/// The lower of the two rates.
pub fn lower_rate(first: RecordedRate, block: RecordedRate) -> LowerRate {
    match (first, block) {
        (RecordedRate::Found(first), RecordedRate::Found(block)) => LowerRate::Known(first.min(block)),
        _ => LowerRate::InReview(first.fallback().zip(block.fallback()).map(|(first, block)| first.min(block))),
    }
}
