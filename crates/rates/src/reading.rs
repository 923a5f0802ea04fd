//! One price, read once.

use domain::{Asset, Rate, Timestamp};

/// What a price is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuotedIn {
    /// US dollars.
    Usd,
    /// Tether's dollar token, to be converted by its own median.
    Usdt,
}

impl QuotedIn {
    /// The lower-case code.
    pub const fn code(self) -> &'static str {
        match self {
            QuotedIn::Usd => "usd",
            QuotedIn::Usdt => "usdt",
        }
    }
}

/// What one source said of one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The source's name.
    pub source: String,
    /// What is priced.
    pub asset: Asset,
    /// The price of one whole coin.
    pub rate: Rate,
    /// In what the price is counted.
    pub quoted_in: QuotedIn,
    /// When the question was sent.
    pub fetched_at: Timestamp,
    /// When the source says it was so, where it says.
    pub source_time: Option<Timestamp>,
    /// Whether the price is invented.
    pub made_up: bool,
}
