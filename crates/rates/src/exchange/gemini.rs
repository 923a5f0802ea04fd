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
pub(crate) struct Gemini;

static PAIRS: [Pair; 6] = [
    Pair::usd(Asset::Btc, "btcusd"),
    Pair::usd(Asset::Eth, "ethusd"),
    Pair::usd(Asset::Ltc, "ltcusd"),
    Pair::usd(Asset::Sol, "solusd"),
    Pair::usd(Asset::Usdt, "usdtusd"),
    Pair::usd(Asset::Usdc, "usdcusd"),
];

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    bid: &'a RawValue,
    #[serde(borrow)]
    ask: &'a RawValue,
    #[serde(borrow)]
    volume: HashMap<String, &'a RawValue>,
}

impl Exchange for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn base_url(&self) -> &'static str {
        "https://api.gemini.com"
    }

    fn pairs(&self) -> &'static [Pair] {
        &PAIRS
    }

    fn batching(&self) -> Batching {
        Batching::EachPair
    }

    fn path(&self, pairs: &[Pair]) -> String {
        let symbol = pairs.first().map_or("", |pair| pair.symbol);
        format!("/v1/pubticker/{symbol}")
    }

    fn ticker(&self, body: &str, pair: &Pair) -> Result<Ticker, Fault> {
        let answer: Answer<'_> = parse(body)?;
        let names = |code: &str| answer.volume.contains_key(&code.to_ascii_uppercase());
        if !names(pair.asset.code()) || !names(code_of(pair.unit)) {
            return Err(Fault::WrongPair);
        }
        Ticker::read(answer.bid, answer.ask, None)
    }
}
