//! The exchanges: which pairs each lists, where its ticker is, and what the answer means.
//!
//! The price of a pair is the middle of its best bid and ask. A last trade can be hours old without saying so; a
//! book stands now. A book whose bid is above its ask is refused.

mod binance;
mod bitfinex;
mod bitstamp;
mod coinbase;
mod gemini;
mod kraken;
mod okx;

use domain::quote::PriceUnit;
use domain::{Asset, Rate, Timestamp};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::Fault;
use crate::price;

/// A market of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What is priced.
    pub asset: Asset,
    /// In what.
    pub unit: PriceUnit,
    /// The exchange's own name for it.
    pub symbol: &'static str,
}

impl Pair {
    const fn usd(asset: Asset, symbol: &'static str) -> Self {
        Self { asset, unit: PriceUnit::Usd, symbol }
    }

    const fn usdt(asset: Asset, symbol: &'static str) -> Self {
        Self { asset, unit: PriceUnit::Usdt, symbol }
    }
}

/// How many pairs one request of a source covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Batching {
    /// One request for each pair.
    EachPair,
    /// One request for all pairs.
    AllPairs,
}

/// What one answer says of one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticker {
    /// The middle of bid and ask.
    pub price: Rate,
    /// When the source says it was so, where it says.
    pub source_time: Option<Timestamp>,
}

impl Ticker {
    /// From the two price tokens of an answer.
    fn read(bid: &RawValue, ask: &RawValue, source_time: Option<Timestamp>) -> Result<Self, Fault> {
        let price = price::middle(price::exact(bid)?, price::exact(ask)?)?;
        Ok(Self { price, source_time })
    }
}

/// A public ticker endpoint.
pub(crate) struct Exchange {
    /// The name in configuration, in quotes and in alarms.
    pub name: &'static str,
    /// Where the documented endpoint lives.
    pub base_url: &'static str,
    /// Path and query; `{}` stands for the symbols that are asked for, separated by commas.
    path: &'static str,
    /// How requests are cut.
    pub batching: Batching,
    /// The markets that are read.
    pub pairs: &'static [Pair],
    /// Finds one pair in an answer.
    pub ticker: fn(body: &str, pair: &Pair) -> Result<Ticker, Fault>,
}

/// Every exchange that can be read.
pub(crate) static ALL: [&Exchange; 7] = [
    &kraken::EXCHANGE,
    &coinbase::EXCHANGE,
    &bitstamp::EXCHANGE,
    &bitfinex::EXCHANGE,
    &gemini::EXCHANGE,
    &okx::EXCHANGE,
    &binance::EXCHANGE,
];

impl Exchange {
    /// Path and query for these pairs: all of them or one.
    pub fn path(&self, pairs: &[Pair]) -> String {
        let symbols: Vec<&str> = pairs.iter().map(|pair| pair.symbol).collect();
        self.path.replace("{}", &symbols.join(","))
    }
}

/// Reads a JSON document of a known form.
fn parse<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, Fault> {
    serde_json::from_str(body).map_err(|_| Fault::Malformed)
}

/// Reads a time that is a JSON string of digits.
fn digits(token: &RawValue) -> Result<i64, Fault> {
    let text: &str = parse(token.get()).map_err(|_| Fault::BadTime)?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::BadTime);
    }
    text.parse().map_err(|_| Fault::BadTime)
}
