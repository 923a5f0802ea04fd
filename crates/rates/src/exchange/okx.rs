//! OKX, `GET /api/v5/market/ticker?instId=BTC-USDT`.
//!
//! Documented at <https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-ticker>: `code` is `"0"` when all
//! is well; `data` holds one row with `instId`, `bidPx`, `askPx` as strings and `ts`, when it was made, in Unix
//! milliseconds. Markets are in USDT. The page itself warns that the ask may lie below the bid before trading opens.

use domain::{Asset, Timestamp};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Batching, Exchange, Pair, Ticker, digits, parse};
use crate::error::Fault;

/// OKX.
pub(crate) static EXCHANGE: Exchange = Exchange {
    name: "okx",
    base_url: "https://www.okx.com",
    path: "/api/v5/market/ticker?instId={}",
    batching: Batching::EachPair,
    pairs: &[
        Pair::usdt(Asset::Btc, "BTC-USDT"),
        Pair::usdt(Asset::Eth, "ETH-USDT"),
        Pair::usdt(Asset::Ltc, "LTC-USDT"),
        Pair::usdt(Asset::Sol, "SOL-USDT"),
        Pair::usdt(Asset::Trx, "TRX-USDT"),
        Pair::usdt(Asset::Usdc, "USDC-USDT"),
    ],
    ticker,
};

/// The code of an instrument that does not exist.
const UNKNOWN_INSTRUMENT: &str = "51001";

#[derive(Deserialize)]
struct Answer<'a> {
    code: &'a str,
    #[serde(borrow, default)]
    data: Vec<Row<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    inst_id: &'a str,
    #[serde(borrow)]
    bid_px: &'a RawValue,
    #[serde(borrow)]
    ask_px: &'a RawValue,
    #[serde(borrow)]
    ts: &'a RawValue,
}

fn ticker(body: &str, pair: &Pair) -> Result<Ticker, Fault> {
    let answer: Answer<'_> = parse(body)?;
    match answer.code {
        "0" => {}
        UNKNOWN_INSTRUMENT => return Err(Fault::NotListed),
        _ => return Err(Fault::Refused),
    }
    let row = answer.data.iter().find(|row| row.inst_id == pair.symbol).ok_or(Fault::WrongPair)?;
    let millis = digits(row.ts)?;
    let time = Timestamp::from_micros(millis.checked_mul(1000).ok_or(Fault::BadTime)?);
    Ticker::read(row.bid_px, row.ask_px, Some(time))
}
