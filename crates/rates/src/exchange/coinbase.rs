//! Coinbase Exchange, `GET /products/BTC-USD/ticker`.
//!
//! Documented at <https://docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-ticker>: last
//! trade, best bid and ask as strings. `time` is an RFC 3339 instant, that of the last trade; a market where nobody has
//! traded for a minute counts as stale, which errs on the safe side. The answer does not name its pair. TRX is not
//! listed, and USDC counts as USD there.

use chrono::DateTime;
use domain::{Asset, Timestamp};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Batching, Exchange, Pair, Ticker, parse};
use crate::error::Fault;

/// Coinbase Exchange.
pub(crate) static EXCHANGE: Exchange = Exchange {
    name: "coinbase",
    base_url: "https://api.exchange.coinbase.com",
    path: "/products/{}/ticker",
    batching: Batching::EachPair,
    pairs: &[
        Pair::usd(Asset::Btc, "BTC-USD"),
        Pair::usd(Asset::Eth, "ETH-USD"),
        Pair::usd(Asset::Ltc, "LTC-USD"),
        Pair::usd(Asset::Sol, "SOL-USD"),
        Pair::usd(Asset::Usdt, "USDT-USD"),
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
    time: &'a RawValue,
}

fn ticker(body: &str, _pair: &Pair) -> Result<Ticker, Fault> {
    let answer: Answer<'_> = parse(body)?;
    Ticker::read(answer.bid, answer.ask, Some(instant(answer.time)?))
}

fn instant(token: &RawValue) -> Result<Timestamp, Fault> {
    let text: &str = parse(token.get()).map_err(|_| Fault::BadTime)?;
    let instant = DateTime::parse_from_rfc3339(text).map_err(|_| Fault::BadTime)?;
    Ok(Timestamp::from_micros(instant.timestamp_micros()))
}
