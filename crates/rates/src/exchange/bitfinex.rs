//! Bitfinex, `GET /v2/tickers?symbols=tBTCUSD,tETHUSD`.
//!
//! Documented at <https://docs.bitfinex.com/reference/rest-public-tickers>: a list of lists,
//! `[SYMBOL, BID, BID_SIZE, ASK, ASK_SIZE, …]`, with JSON numbers that may carry an exponent; 90 requests a minute. An
//! error is `["error", code, text]`. No time is given. USDT is called UST there, USDC is UDC.

use domain::Asset;
use serde_json::value::RawValue;

use super::{Batching, Exchange, Pair, Ticker, parse};
use crate::error::Fault;

/// Bitfinex.
pub(crate) static EXCHANGE: Exchange = Exchange {
    name: "bitfinex",
    base_url: "https://api-pub.bitfinex.com",
    path: "/v2/tickers?symbols={}",
    batching: Batching::AllPairs,
    pairs: &[
        Pair::usd(Asset::Btc, "tBTCUSD"),
        Pair::usd(Asset::Eth, "tETHUSD"),
        Pair::usd(Asset::Ltc, "tLTCUSD"),
        Pair::usd(Asset::Sol, "tSOLUSD"),
        Pair::usd(Asset::Trx, "tTRXUSD"),
        Pair::usd(Asset::Usdt, "tUSTUSD"),
        Pair::usd(Asset::Usdc, "tUDCUSD"),
    ],
    ticker,
};

/// Places of a row.
const SYMBOL: usize = 0;
const BID: usize = 1;
const ASK: usize = 3;

fn ticker(body: &str, pair: &Pair) -> Result<Ticker, Fault> {
    let rows: Vec<&RawValue> = parse(body)?;
    if rows.first().is_some_and(|first| first.get() == "\"error\"") {
        return Err(Fault::Refused);
    }
    let row = rows.iter().find_map(|row| row_of(row, pair)).ok_or(Fault::WrongPair)?;
    let (Some(bid), Some(ask)) = (row.get(BID), row.get(ASK)) else {
        return Err(Fault::Malformed);
    };
    Ticker::read(bid, ask, None)
}

/// The row's fields if it is the row of this pair. Rows that cannot be read are other pairs' trouble.
fn row_of<'a>(row: &'a RawValue, pair: &Pair) -> Option<Vec<&'a RawValue>> {
    let fields: Vec<&RawValue> = serde_json::from_str(row.get()).ok()?;
    let symbol: &str = serde_json::from_str(fields.get(SYMBOL)?.get()).ok()?;
    (symbol == pair.symbol).then_some(fields)
}
