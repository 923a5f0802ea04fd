//! Bitstamp, `GET /api/v2/ticker/btcusd/`.
//!
//! Documented at <https://www.bitstamp.net/api/#tag/Tickers>: strings throughout; `timestamp` is Unix seconds. The
//! answer does not name its pair. TRX is not read there.

use domain::{Asset, Timestamp};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Batching, Exchange, Pair, Ticker, digits, parse};
use crate::error::Fault;

/// Bitstamp.
pub(crate) static EXCHANGE: Exchange = Exchange {
    name: "bitstamp",
    base_url: "https://www.bitstamp.net",
    path: "/api/v2/ticker/{}/",
    batching: Batching::EachPair,
    pairs: &[
        Pair::usd(Asset::Btc, "btcusd"),
        Pair::usd(Asset::Eth, "ethusd"),
        Pair::usd(Asset::Ltc, "ltcusd"),
        Pair::usd(Asset::Sol, "solusd"),
        Pair::usd(Asset::Usdt, "usdtusd"),
        Pair::usd(Asset::Usdc, "usdcusd"),
    ],
    ticker,
};

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    bid: &'a RawValue,
    #[serde(borrow)]
    ask: &'a RawValue,
    #[serde(borrow)]
    timestamp: &'a RawValue,
}

fn ticker(body: &str, _pair: &Pair) -> Result<Ticker, Fault> {
    let answer: Answer<'_> = parse(body)?;
    let time = Timestamp::from_seconds(digits(answer.timestamp)?);
    Ticker::read(answer.bid, answer.ask, Some(time))
}
