//! One bad pair, one bad answer, one bad source: never more than itself.

use std::time::{Duration, Instant};

use domain::Asset;
use rates::{Fault, Limits, PriceSources, Source};
use testkit::http_stub::{Answer, HttpStub};

use crate::answers::{self, BITFINEX, BITSTAMP, COINBASE, KRAKEN, OKX};
use crate::harness::{LIMITS, NOW, assert_only_these_failed, fault, rate, reading, round_of, round_with};

const EVERY_ASSET: [Asset; 7] = [Asset::Btc, Asset::Eth, Asset::Ltc, Asset::Sol, Asset::Trx, Asset::Usdt, Asset::Usdc];

/// A documented answer with one part of it replaced; the part must be there.
fn changed(body: &str, from: &str, to: &str) -> Answer {
    assert!(body.contains(from), "{from}");
    Answer::ok(body.replacen(from, to, 1))
}

#[test]
fn one_bad_price_in_an_answer_for_all_pairs_costs_that_pair_alone() {
    for (from, to, expected) in [
        (r#""a":["98.02000""#, r#""a":[null"#, Fault::NotANumber),
        (r#""a":["98.02000""#, r#""a":["NaN""#, Fault::NotANumber),
        (r#""a":["98.02000""#, r#""a":["98,02""#, Fault::NotANumber),
        (r#""a":["98.02000""#, r#""a":["0.00000""#, Fault::NotPositive),
        (r#""b":["98.00000""#, r#""b":["-98.00000""#, Fault::NotPositive),
        (r#""a":["98.02000""#, r#""a":["97.99000""#, Fault::Crossed),
        (r#""a":["98.02000""#, r#""a":["98.02000000001""#, Fault::OutOfRange),
        (r#""a":["98.02000","120","120.000"]"#, r#""a":[]"#, Fault::Malformed),
        (r#""a":["98.02000","120","120.000"]"#, r#""a":"98.02000""#, Fault::Malformed),
        ("XLTCZUSD", "XLTCZEUR", Fault::WrongPair),
    ] {
        let round = round_with("/0/public/Ticker", changed(KRAKEN, from, to));
        assert_only_these_failed(&round, "kraken", &[Asset::Ltc], expected);
    }
    for (from, to, expected) in [
        ("98.02", "null", Fault::NotANumber),
        ("98.02", "0", Fault::NotPositive),
        ("98.02", "98.05", Fault::Crossed),
        (r#""tLTCUSD",98.02,1,98.04,1,0.5,0.005,98.03,1,99,95"#, r#""tLTCUSD",98.02"#, Fault::Malformed),
        (r#"["tLTCUSD""#, r#"[7"#, Fault::WrongPair),
        ("tLTCUSD", "tLTCBTC", Fault::WrongPair),
    ] {
        let round = round_with("/v2/tickers", changed(BITFINEX, from, to));
        assert_only_these_failed(&round, "bitfinex", &[Asset::Ltc], expected);
    }
}

#[test]
fn one_bad_answer_costs_its_pair_alone() {
    let cases = [
        (Answer::ok("{\"bid\":\"98\""), Fault::Malformed),
        (Answer::ok("<html>maintenance</html>"), Fault::Malformed),
        (Answer::ok(""), Fault::Malformed),
        (Answer::ok("null"), Fault::Malformed),
        (Answer::ok(b"\xff\xfe".to_vec()), Fault::Malformed),
        (changed(COINBASE, "\"98.01\"", "null"), Fault::NotANumber),
        (changed(COINBASE, "\"98.01\"", "\"98.04\""), Fault::Crossed),
        (changed(COINBASE, "\"2026-01-01T00:00:00.833897Z\"", "null"), Fault::BadTime),
        (changed(COINBASE, "2026-01-01T", "01/01/2026 "), Fault::BadTime),
        (Answer::status(429, "{\"message\":\"slow down\"}"), Fault::Status(429)),
        (Answer::status(500, COINBASE), Fault::Status(500)),
        (Answer::status(204, ""), Fault::Status(204)),
        (Answer::Half(COINBASE.into()), Fault::CutOff),
    ];
    for (answer, expected) in cases {
        let round = round_with("/products/LTC-USD/", answer);
        assert_only_these_failed(&round, "coinbase", &[Asset::Ltc], expected);
    }
}

#[test]
fn a_time_that_cannot_be_read_is_no_fresh_price() {
    for (from, to) in [("\"1767225600\"", "\"\""), ("\"1767225600\"", "\"soon\""), ("\"1767225600\"", "null")] {
        let round = round_with("/api/v2/ticker/ltcusd/", changed(BITSTAMP, from, to));
        assert_only_these_failed(&round, "bitstamp", &[Asset::Ltc], Fault::BadTime);
    }
    let far = round_with("LTC-USDT", changed(OKX, "1767225600085", "9223372036854775807"));
    assert_only_these_failed(&far, "okx", &[Asset::Ltc], Fault::BadTime);
}

/// Its age is kept as the source states it; the rule of P3 throws it out.
#[test]
fn a_stale_answer_keeps_its_stated_age() {
    let round = round_with("/api/v2/ticker/ltcusd/", changed(BITSTAMP, "1767225600", "1767222000"));
    let reading = reading(&round, "bitstamp", Asset::Ltc).unwrap();
    assert_eq!(reading.fetched_at.micros_since(reading.source_time.unwrap()), 3_601_000_000);
}

#[test]
fn an_answer_for_another_pair_is_refused_wherever_the_answer_names_its_pair() {
    for (part, body, source) in [
        ("instId=LTC-USDT", OKX.replace("LTC-USDT", "BTC-USDT"), "okx"),
        ("symbol=LTCUSDT", answers::BINANCE.replace("LTCUSDT", "LTCBTC"), "binance"),
        ("pubticker/ltcusd", answers::GEMINI.replace("LTC", "BTC"), "gemini"),
        ("pubticker/ltcusd", answers::GEMINI.replace("USD", "EUR"), "gemini"),
    ] {
        let round = round_with(part, Answer::ok(body));
        assert_only_these_failed(&round, source, &[Asset::Ltc], Fault::WrongPair);
    }
}

#[test]
fn errors_in_the_sources_own_words_are_told_apart() {
    let kraken = r#"{"error":["EGeneral:Too many requests"]}"#;
    let bitfinex = r#"["error",20060,"maintenance"]"#;
    let okx = r#"{"code":"50011","msg":"Too Many Requests","data":[]}"#;
    let unlisted = r#"{"code":"51001","msg":"Instrument ID does not exist","data":[]}"#;
    let round = round_with("/0/public/Ticker", Answer::ok(kraken));
    assert_only_these_failed(&round, "kraken", &EVERY_ASSET, Fault::Refused);
    let round = round_with("/v2/tickers", Answer::ok(bitfinex));
    assert_only_these_failed(&round, "bitfinex", &EVERY_ASSET, Fault::Refused);
    let round = round_with("instId=LTC-USDT", Answer::ok(okx));
    assert_only_these_failed(&round, "okx", &[Asset::Ltc], Fault::Refused);
    let round = round_with("instId=LTC-USDT", Answer::ok(unlisted));
    assert_only_these_failed(&round, "okx", &[Asset::Ltc], Fault::NotListed);
}

/// One delisted pair makes Kraken refuse the whole question; the other six must still be priced.
#[test]
fn a_pair_that_spoils_its_batch_is_found_and_left_out() {
    let refusal = r#"{"error":["EQuery:Unknown asset pair"]}"#;
    let (round, requests) = round_of(vec![Source::named("kraken").unwrap()], LIMITS, move |target| {
        if target.contains("TRXUSD") { Answer::ok(refusal) } else { answers::documented(target) }
    });
    assert_eq!(fault(&round, "kraken", Asset::Trx), Some(Fault::NotListed));
    assert_eq!(round.readings.len(), 6);
    assert_eq!(reading(&round, "kraken", Asset::Ltc).unwrap().rate, rate("98.01"));
    assert_eq!(requests.len(), 8);
}

#[test]
fn an_answer_that_never_ends_is_not_taken_in() {
    let single = Fault::TooLong { limit: 64 * 1024 };
    let stated = Answer::ok(vec![b' '; 64 * 1024 + 1]);
    assert_only_these_failed(&round_with("/products/LTC-USD/", stated), "coinbase", &[Asset::Ltc], single);
    assert_only_these_failed(&round_with("/products/LTC-USD/", Answer::Endless), "coinbase", &[Asset::Ltc], single);
    let batch = Fault::TooLong { limit: 1024 * 1024 };
    assert_only_these_failed(&round_with("/v2/tickers", Answer::Endless), "bitfinex", &EVERY_ASSET, batch);
    // A long answer within the limit is read: the limit is what refused the others.
    let padded = format!("{COINBASE}{}", " ".repeat(63 * 1024));
    assert_eq!(round_with("/products/LTC-USD/", Answer::ok(padded)).errors, []);
}

#[test]
fn a_source_that_sends_its_readers_elsewhere_is_not_followed() {
    let elsewhere = HttpStub::start(|_| Answer::ok(COINBASE)).unwrap();
    let round = round_with("/products/LTC-USD/", Answer::redirect(format!("{}/", elsewhere.url())));
    assert_only_these_failed(&round, "coinbase", &[Asset::Ltc], Fault::Status(302));
    assert_eq!(elsewhere.requests(), Vec::<String>::new());
}

/// The slow one gives up alone: the others are read in the same round, and the round is over long before the drip is.
#[test]
fn a_source_that_is_silent_or_drips_delays_nobody_past_the_bound() {
    let limits = Limits { call_timeout: Duration::from_secs(4), ..LIMITS };
    let dripping = Answer::Drip(format!("{COINBASE}{}", " ".repeat(3000)).into());
    for slow in [Answer::Silence, dripping] {
        let started = Instant::now();
        let handler = move |target: &str| match target {
            "/products/LTC-USD/ticker" => slow.clone(),
            _ => answers::documented(target),
        };
        let (round, _) = round_of(Source::all(), limits, handler);
        assert_only_these_failed(&round, "coinbase", &[Asset::Ltc], Fault::TimedOut);
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    }
}

#[test]
fn when_nobody_answers_the_round_still_ends_and_says_so_for_every_pair() {
    let limits = Limits { round_timeout: Duration::from_secs(2), ..LIMITS };
    let started = Instant::now();
    let (silent, _) = round_of(Source::all(), limits, |_| Answer::Silence);
    assert!(started.elapsed() < LIMITS.call_timeout / 2, "{:?}", started.elapsed());
    assert_eq!(silent.readings, []);
    assert!(silent.errors.iter().all(|error| error.fault == Fault::TimedOut), "{:?}", silent.errors);
    let pairs: usize = Source::all().iter().map(|source| source.pairs().len()).sum();
    assert_eq!(silent.errors.len(), pairs);
}

#[test]
fn a_source_that_is_not_there_is_unreachable() {
    let gone = HttpStub::start(|_| Answer::Silence).unwrap().url();
    let source = Source::named("bitfinex").unwrap().at(&gone).unwrap();
    let round = PriceSources::new(vec![source], LIMITS).unwrap().fetch(&|| NOW);
    assert_eq!(fault(&round, "bitfinex", Asset::Btc), Some(Fault::Unreachable));
    assert_eq!(round.errors[0].to_string(), "bitfinex btc/usd: unreachable");
}
