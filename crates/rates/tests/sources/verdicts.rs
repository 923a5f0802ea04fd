//! From the exchange's answer to the quote: what the rule of P3 makes of rounds that went wrong.

use domain::quote::{DropReason, NoQuote, PriceUnit, quote};
use domain::{Asset, Environment, Timestamp};
use rates::{MadeUpSources, Round};
use testkit::http_stub::Answer;

use crate::answers::{self, BITSTAMP, KRAKEN};
use crate::harness::{NOW, rate, reading, round, round_with};

const EVERY_ASSET: [Asset; 7] = [Asset::Btc, Asset::Eth, Asset::Ltc, Asset::Sol, Asset::Trx, Asset::Usdt, Asset::Usdc];

fn why_dropped(round: &Round, asset: Asset, source: &str) -> Option<DropReason> {
    let quote = quote(asset, &round.readings, NOW).unwrap();
    quote.dropped.iter().find(|dropped| dropped.source == source).map(|dropped| dropped.reason)
}

#[test]
fn on_a_quiet_day_every_asset_has_a_quote() {
    let round = round(answers::documented);
    for asset in EVERY_ASSET {
        let quote = quote(asset, &round.readings, NOW).unwrap();
        assert_eq!(quote.dropped, [], "{asset:?}");
        assert!(!quote.made_up);
    }
    let litecoin = quote(Asset::Ltc, &round.readings, NOW).unwrap();
    assert_eq!(litecoin.used.len(), 7);
    assert_eq!(litecoin.rate, rate("98.01"));
}

/// A shop that read 1/98 for 98 would sell a month for cents.
#[test]
fn an_inverted_price_is_read_as_written_and_counts_for_nothing() {
    let inverted = KRAKEN.replace("\"98.02000\"", "\"0.0102040816\"").replace("\"98.00000\"", "\"0.0102020000\"");
    let round = round_with("/0/public/Ticker", Answer::ok(inverted));
    assert_eq!(reading(&round, "kraken", Asset::Ltc).unwrap().rate, rate("0.0102030408"));
    assert!(matches!(why_dropped(&round, Asset::Ltc, "kraken"), Some(DropReason::FarFromMedian { .. })));
    assert_eq!(why_dropped(&round, Asset::Btc, "kraken"), None);
}

/// A closed exchange went on answering with its last price for weeks.
#[test]
fn a_price_that_its_source_calls_old_counts_for_nothing() {
    let old = BITSTAMP.replace("1767225600", "1767225540");
    let round = round_with("/api/v2/ticker/ltcusd/", Answer::ok(old));
    let expected = DropReason::SourceTooOld { age_micros: 61_000_000 };
    assert_eq!(why_dropped(&round, Asset::Ltc, "bitstamp"), Some(expected));
}

#[test]
fn without_usdt_its_prices_are_left_out_rather_than_taken_for_dollars() {
    let mut round = round(answers::documented);
    round.readings.retain(|reading| reading.asset != Asset::Usdt);
    assert_eq!(why_dropped(&round, Asset::Ltc, "okx"), Some(DropReason::NoUsdtRate));
    assert_eq!(why_dropped(&round, Asset::Ltc, "binance"), Some(DropReason::NoUsdtRate));
}

/// When USDT loses its peg, a coin's price in USDT is worth that much less.
#[test]
fn a_price_in_usdt_is_worth_what_usdt_is_worth() {
    let mut round = round(answers::documented);
    for reading in round.readings.iter_mut().filter(|reading| reading.asset == Asset::Usdt) {
        reading.rate = rate("0.99");
    }
    let quote = quote(Asset::Ltc, &round.readings, NOW).unwrap();
    let okx = quote.used.iter().find(|used| used.source == "okx").unwrap();
    assert_eq!((okx.rate, okx.unit), (rate("97.0299"), PriceUnit::Usdt));
}

#[test]
fn with_too_few_sources_left_there_is_no_price_at_all() {
    let round = round(|target| match target {
        "/v1/pubticker/ltcusd" | "/api/v2/ticker/ltcusd/" => answers::documented(target),
        _ => Answer::status(503, ""),
    });
    assert!(matches!(quote(Asset::Ltc, &round.readings, NOW), Err(NoQuote::TooFewRemain { remaining: 2, .. })));
    assert!(matches!(quote(Asset::Btc, &round.readings, NOW), Err(NoQuote::NoReadings { .. })));
}

#[test]
fn made_up_sources_pass_the_same_rule_at_any_time_and_the_quote_says_so() {
    let sources = MadeUpSources::new(Environment::Sandbox).unwrap();
    for hour in 0..30 {
        let now = Timestamp::from_micros(NOW.micros() + hour * 3_600_000_000);
        let readings = sources.fetch(now);
        for asset in EVERY_ASSET {
            let quote = quote(asset, &readings, now).unwrap();
            assert!(quote.made_up);
            assert_eq!(quote.used.len(), 4, "{asset:?}: {:?}", quote.dropped);
        }
    }
}
