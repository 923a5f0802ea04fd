//! Binance, `GET /api/v3/ticker/bookTicker?symbol=BTCUSDT`, on its host for public market data.
//!
//! Documented at <https://github.com/binance/binance-spot-api-docs/blob/master/rest-api.md>: `symbol`, `bidPrice` and
//! `askPrice` as strings, no time. An unknown symbol is HTTP 400. Markets are in USDT.

use domain::Asset;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Batching, Exchange, Pair, Ticker, parse};
use crate::error::Fault;

/// Binance.
pub(crate) static EXCHANGE: Exchange = Exchange {
    name: "binance",
    base_url: "https://data-api.binance.vision",
    path: "/api/v3/ticker/bookTicker?symbol={}",
    batching: Batching::EachPair,
    pairs: &[
        Pair::usdt(Asset::Btc, "BTCUSDT"),
        Pair::usdt(Asset::Eth, "ETHUSDT"),
        Pair::usdt(Asset::Ltc, "LTCUSDT"),
        Pair::usdt(Asset::Sol, "SOLUSDT"),
        Pair::usdt(Asset::Trx, "TRXUSDT"),
        Pair::usdt(Asset::Usdc, "USDCUSDT"),
    ],
    ticker,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    symbol: &'a str,
    #[serde(borrow)]
    bid_price: &'a RawValue,
    #[serde(borrow)]
    ask_price: &'a RawValue,
}

fn ticker(body: &str, pair: &Pair) -> Result<Ticker, Fault> {
    let answer: Answer<'_> = parse(body)?;
    if answer.symbol != pair.symbol {
        return Err(Fault::WrongPair);
    }
    Ticker::read(answer.bid_price, answer.ask_price, None)
}
