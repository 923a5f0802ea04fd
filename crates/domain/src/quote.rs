//! Choosing a price from what the sources said (P3). A price is never defaulted: either at least three sources
//! agree, or there is no quote.

mod select;
#[cfg(test)]
mod tests;

pub use select::quote;

use thiserror::Error;

use crate::time::{MINUTE_MICROS, SECOND_MICROS};
use crate::{Asset, Rate, Timestamp};

/// Sources that must be configured for each asset.
pub const MIN_CONFIGURED_SOURCES: usize = 4;
/// Sources that must remain for a quote.
pub const MIN_REMAINING_SOURCES: usize = 3;
/// The oldest reading that still counts.
pub const MAX_READING_AGE_MICROS: i64 = 60 * SECOND_MICROS;
/// How far into the future a time may lie before it is disbelieved: clocks differ a little.
pub const MAX_CLOCK_SKEW_MICROS: i64 = 5 * SECOND_MICROS;
/// A reading that differs from the median by more than this share of it is dropped.
pub const MAX_DEVIATION_PERCENT: u32 = 2;
/// How long a quote can be used.
pub const QUOTE_VALID_MICROS: i64 = 20 * MINUTE_MICROS;

/// What a source counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PriceUnit {
    /// US dollars.
    Usd,
    /// USDT, converted by USDT's own median.
    Usdt,
}

/// One answer of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The source's name. Two readings of one name count once.
    pub source: String,
    /// What is priced.
    pub asset: Asset,
    /// What the price is counted in.
    pub unit: PriceUnit,
    /// The price of one whole coin in that unit.
    pub rate: Rate,
    /// When we fetched it.
    pub fetched_at: Timestamp,
    /// When the source says the price is from, where it says so.
    pub source_time: Option<Timestamp>,
    /// Whether the price is made up (sandbox).
    pub made_up: bool,
}

/// A source that a quote rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedSource {
    /// The source's name.
    pub source: String,
    /// Its price in USD, converted if it counts in USDT.
    pub rate: Rate,
    /// What it counts in.
    pub unit: PriceUnit,
    /// How old the price was when quoted, in microseconds: by our fetch or by the source's own time, whichever is
    /// older; for a converted price not younger than the USDT prices it was converted by.
    pub age_micros: i64,
}

/// Why a reading does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DropReason {
    /// Fetched too long ago.
    #[error("fetched {age_micros} µs ago")]
    FetchedTooLongAgo {
        /// Age by our fetch, in microseconds.
        age_micros: i64,
    },
    /// The source itself says that its price is old.
    #[error("priced {age_micros} µs ago by the source's own time")]
    SourceTooOld {
        /// Age by the source's time, in microseconds.
        age_micros: i64,
    },
    /// A time further in the future than clocks differ.
    #[error("its time lies {ahead_micros} µs in the future")]
    FromTheFuture {
        /// How far ahead, in microseconds.
        ahead_micros: i64,
    },
    /// Another reading of the same source is used.
    #[error("another reading of the same source counts")]
    Duplicate,
    /// Counted in USDT while USDT itself has no quote, or USDT priced in USDT.
    #[error("counted in USDT, which has no price of its own now")]
    NoUsdtRate,
    /// The conversion leaves the range of rates.
    #[error("the converted price is out of range")]
    OutOfRange,
    /// Too far from the median.
    #[error("differs from the median {median} by more than {MAX_DEVIATION_PERCENT} %")]
    FarFromMedian {
        /// The median of all readings that were fresh.
        median: Rate,
    },
}

/// A reading that does not count, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedSource {
    /// The source's name.
    pub source: String,
    /// Why.
    pub reason: DropReason,
}

/// A price to compute a payment with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// What is priced.
    pub asset: Asset,
    /// USD for one whole coin: the median of the sources that remained.
    pub rate: Rate,
    /// The sources it rests on, by name.
    pub used: Vec<UsedSource>,
    /// The readings that did not count, by name.
    pub dropped: Vec<DroppedSource>,
    /// Whether any part of it is made up (sandbox).
    pub made_up: bool,
    /// When it was made.
    pub quoted_at: Timestamp,
}

impl Quote {
    /// The instant from which it can't be used any more.
    pub const fn valid_until(&self) -> Timestamp {
        self.quoted_at.plus_micros(QUOTE_VALID_MICROS)
    }

    /// Whether it can be used now. A quote from the future can't.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.quoted_at <= now && now < self.valid_until()
    }

    /// Age in microseconds of the oldest price in it, now.
    pub fn age_micros(&self, now: Timestamp) -> i64 {
        let when_quoted = self.used.iter().map(|used| used.age_micros).max().unwrap_or(0);
        now.micros_since(self.quoted_at).saturating_add(when_quoted)
    }
}

/// Why there is no quote.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoQuote {
    /// No source said anything about the asset.
    #[error("no source gave a price of {}", asset.code())]
    NoReadings {
        /// The asset.
        asset: Asset,
    },
    /// Sources answered, but too few of them can be believed.
    #[error("only {remaining} sources of {} remain, {MIN_REMAINING_SOURCES} are needed", asset.code())]
    TooFewRemain {
        /// The asset.
        asset: Asset,
        /// How many remained.
        remaining: usize,
        /// Those that were dropped, by name.
        dropped: Vec<DroppedSource>,
    },
}
