//! Kraken, `GET /0/public/Ticker?pair=XBTUSD,ETHUSD`.
//!
//! Documented at <https://docs.kraken.com/api/docs/rest-api/get-ticker-information>: `error` is a list that is empty
//! when all is well; `result` maps the pair's long name to `a` (ask) and `b` (bid), each
//! `[price, whole lot volume, lot volume]` as strings. No time is given. One unknown pair makes the whole request
//! fail, so a batch refused for that reason is asked again pair by pair. Public calls are limited to about one a second.

use std::collections::HashMap;

use domain::Asset;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Batching, Exchange, Pair, Ticker, parse};
use crate::error::Fault;

/// Kraken.
pub(crate) static EXCHANGE: Exchange = Exchange {
    name: "kraken",
    base_url: "https://api.kraken.com",
    path: "/0/public/Ticker?pair={}",
    batching: Batching::AllPairs,
    // The long names under which the answers come; they are also accepted as names in the question.
    pairs: &[
        Pair::usd(Asset::Btc, "XXBTZUSD"),
        Pair::usd(Asset::Eth, "XETHZUSD"),
        Pair::usd(Asset::Ltc, "XLTCZUSD"),
        Pair::usd(Asset::Sol, "SOLUSD"),
        Pair::usd(Asset::Trx, "TRXUSD"),
        Pair::usd(Asset::Usdt, "USDTZUSD"),
        Pair::usd(Asset::Usdc, "USDCUSD"),
    ],
    ticker,
};

/// The error of a pair that Kraken does not list.
const UNKNOWN_PAIR: &str = "EQuery:Unknown asset pair";

#[derive(Deserialize)]
struct Answer<'a> {
    error: Vec<String>,
    #[serde(borrow, default)]
    result: HashMap<String, &'a RawValue>,
}

#[derive(Deserialize)]
struct Book<'a> {
    #[serde(borrow, rename = "a")]
    ask: Vec<&'a RawValue>,
    #[serde(borrow, rename = "b")]
    bid: Vec<&'a RawValue>,
}

fn ticker(body: &str, pair: &Pair) -> Result<Ticker, Fault> {
    let answer: Answer<'_> = parse(body)?;
    if answer.error.iter().any(|error| error == UNKNOWN_PAIR) {
        return Err(Fault::NotListed);
    }
    if !answer.error.is_empty() {
        return Err(Fault::Refused);
    }
    let book = answer.result.get(pair.symbol).ok_or(Fault::WrongPair)?;
    let book: Book<'_> = parse(book.get())?;
    let (Some(bid), Some(ask)) = (book.bid.first(), book.ask.first()) else {
        return Err(Fault::Malformed);
    };
    Ticker::read(bid, ask, None)
}
