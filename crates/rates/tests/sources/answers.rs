//! The documented answers, by the address that was asked.

use testkit::http_stub::Answer;

pub const KRAKEN: &str = include_str!("../../fixtures/kraken.json");
pub const BITFINEX: &str = include_str!("../../fixtures/bitfinex.json");
pub const COINBASE: &str = include_str!("../../fixtures/coinbase-LTC-USD.json");
pub const BITSTAMP: &str = include_str!("../../fixtures/bitstamp-ltcusd.json");
pub const GEMINI: &str = include_str!("../../fixtures/gemini-ltcusd.json");
pub const OKX: &str = include_str!("../../fixtures/okx-LTC-USDT.json");
pub const BINANCE: &str = include_str!("../../fixtures/binance-LTCUSDT.json");

/// Bid and ask of the single-pair answers by base currency; litecoin's are those of the documented answer.
const BOOKS: [(&str, &str, &str); 6] = [
    ("BTC", "96000.00", "96020.00"),
    ("ETH", "3300.00", "3300.20"),
    ("SOL", "190.00", "190.04"),
    ("TRX", "0.30000", "0.30010"),
    ("USDT", "0.99990", "1.00010"),
    ("USDC", "0.99990", "1.00010"),
];

/// What the source documents for that path and query.
pub fn documented(target: &str) -> Answer {
    let symbol = target.trim_end_matches("/ticker").trim_end_matches('/').rsplit(['/', '=']).next().unwrap_or_default();
    let base = symbol.to_ascii_uppercase().replace('-', "");
    let base =
        base.strip_suffix("USDT").filter(|base| !base.is_empty()).or(base.strip_suffix("USD")).unwrap_or_default();
    let body = if target.starts_with("/0/public/Ticker?pair=") {
        KRAKEN.to_owned()
    } else if target.starts_with("/v2/tickers?symbols=") {
        BITFINEX.to_owned()
    } else if target.starts_with("/products/") {
        book_of(base, COINBASE, ["\"bid\":\"98.01\"", "\"ask\":\"98.03\""])
    } else if target.starts_with("/api/v2/ticker/") {
        book_of(base, BITSTAMP, ["\"bid\":\"97.98\"", "\"ask\":\"98.02\""])
    } else if target.starts_with("/v1/pubticker/") {
        book_of(base, GEMINI, ["\"bid\":\"98.00\"", "\"ask\":\"98.05\""]).replace("LTC", base)
    } else if target.starts_with("/api/v5/market/ticker?instId=") {
        book_of(base, OKX, ["\"bidPx\":\"98\"", "\"askPx\":\"98.02\""]).replace("LTC-USDT", symbol)
    } else if target.starts_with("/api/v3/ticker/bookTicker?symbol=") {
        let fields = ["\"bidPrice\":\"98.00000000\"", "\"askPrice\":\"98.01000000\""];
        book_of(base, BINANCE, fields).replace("LTCUSDT", symbol)
    } else {
        return Answer::status(404, "no such endpoint");
    };
    Answer::ok(body)
}

/// Litecoin's answer with another currency's bid and ask.
fn book_of(base: &str, body: &str, fields: [&str; 2]) -> String {
    let Some((_, bid, ask)) = BOOKS.into_iter().find(|(code, _, _)| *code == base) else {
        assert_eq!(base, "LTC", "no prices for it");
        return body.to_owned();
    };
    fields.into_iter().zip([bid, ask]).fold(body.to_owned(), |body, (field, price)| {
        let name = field.split(':').next().unwrap_or_default();
        assert!(body.contains(field), "{field}");
        body.replace(field, &format!("{name}:\"{price}\""))
    })
}
