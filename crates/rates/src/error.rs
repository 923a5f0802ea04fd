//! What can go wrong with a source. Short and typed, so that an alarm can count them.

use domain::Asset;
use thiserror::Error;

use domain::quote::PriceUnit;

/// One pair of one source gave no reading in this round.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{source_name} {}/{}: {fault}", asset.code(), code_of(*unit))]
pub struct SourceError {
    /// The source's name, as in [`crate::Source::name`].
    pub source_name: &'static str,
    /// What was to be priced.
    pub asset: Asset,
    /// In what.
    pub unit: PriceUnit,
    /// Why there is no reading.
    pub fault: Fault,
}

/// The lower-case code of what a price is counted in, as exchanges write it in upper case.
pub(crate) const fn code_of(unit: PriceUnit) -> &'static str {
    match unit {
        PriceUnit::Usd => "usd",
        PriceUnit::Usdt => "usdt",
    }
}

/// Why a pair gave no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// No connection, no name, no trusted certificate.
    #[error("unreachable")]
    Unreachable,
    /// No complete answer in time.
    #[error("timed out")]
    TimedOut,
    /// An HTTP status other than 200; redirects are not followed.
    #[error("HTTP status {0}")]
    Status(u16),
    /// The answer is longer than a ticker can be.
    #[error("answer longer than {limit} bytes")]
    TooLong {
        /// Bytes allowed.
        limit: u64,
    },
    /// The connection ended in the middle of the answer.
    #[error("answer cut off")]
    CutOff,
    /// The answer is not what the source's documentation describes.
    #[error("answer not in the documented form")]
    Malformed,
    /// The source answered with an error of its own, such as a rate limit or maintenance.
    #[error("refused by the source")]
    Refused,
    /// The source does not know the pair.
    #[error("pair not listed")]
    NotListed,
    /// The answer is about another pair than was asked.
    #[error("answer for another pair")]
    WrongPair,
    /// A bid or ask that is no number: null, NaN, a word.
    #[error("price is not a number")]
    NotANumber,
    /// A bid or ask of zero or below.
    #[error("price not above zero")]
    NotPositive,
    /// A bid or ask that cannot be kept exactly: more than ten decimal places, or too large.
    #[error("price out of range")]
    OutOfRange,
    /// Bid above ask: a broken book. Only this pair is refused, not its source.
    #[error("bid above ask")]
    Crossed,
    /// A source that states its own time stated none that can be read, so its age is unknown.
    #[error("unreadable time")]
    BadTime,
}

/// Sources that cannot be used as configured.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// No source of that name exists.
    #[error("no price source is called {0:?}")]
    UnknownSource(String),
    /// The base URL is none, or not `https` (`http` is allowed on this machine only: anyone on the way could set the price).
    #[error("price source address {0:?} must start with https://")]
    BadBaseUrl(String),
    /// The same source twice would count twice in the median.
    #[error("price source {0} is configured twice")]
    Duplicate(&'static str),
    /// Made-up prices were asked for in production.
    #[error("made-up prices are not available in production")]
    MadeUpInProduction,
    /// The HTTP client could not be made.
    #[error("no HTTP client: {0}")]
    Client(String),
}
