//! Gemini, `GET /v1/pubticker/btcusd`.
//!
//! Documented at <https://developer.gemini.com/trading/rest-api/market-data/get-ticker>: strings; `volume` holds one
//! entry under each currency's code, which is how the answer tells its pair, and a `timestamp` that ends the 24 hours of
//! the volume, not the time of the price, so it is not used. The printed example has bid and ask the wrong way round
//! (977.59 and 977.35); read as it stands it would be refused as crossed.

use std::collections::HashMap;

use domain::Asset;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Batching, Exchange, Pair, Ticker, parse};
use crate::error::{Fault, code_of};

/// Gemini.
pub(crate) static EXCHANGE: Exchange = Exchange {
    name: "gemini",
    base_url: "https://api.gemini.com",
    path: "/v1/pubticker/{}",
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
    volume: HashMap<String, &'a RawValue>,
}

fn ticker(body: &str, pair: &Pair) -> Result<Ticker, Fault> {
    let answer: Answer<'_> = parse(body)?;
    let names = |code: &str| answer.volume.contains_key(&code.to_ascii_uppercase());
    if !names(pair.asset.code()) || !names(code_of(pair.unit)) {
        return Err(Fault::WrongPair);
    }
    Ticker::read(answer.bid, answer.ask, None)
}
