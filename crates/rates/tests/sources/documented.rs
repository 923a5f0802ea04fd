//! What a quiet day looks like.

use domain::quote::PriceUnit;
use domain::{Asset, Timestamp};
use rates::{PriceSources, SetupError, Source};

use crate::answers;
use crate::harness::{LIMITS, NOW, rate, reading, round, round_of};

#[test]
fn every_pair_of_every_source_is_read_as_documented() {
    let round = round(answers::documented);
    assert_eq!(round.errors, []);
    let litecoin = [
        ("kraken", "98.01", PriceUnit::Usd, None),
        ("coinbase", "98.02", PriceUnit::Usd, Some(1_767_225_600_833_897)),
        ("bitstamp", "98", PriceUnit::Usd, Some(1_767_225_600_000_000)),
        ("bitfinex", "98.03", PriceUnit::Usd, None),
        ("gemini", "98.025", PriceUnit::Usd, None),
        ("okx", "98.01", PriceUnit::Usdt, Some(1_767_225_600_085_000)),
        ("binance", "98.005", PriceUnit::Usdt, None),
    ];
    for (source, price, unit, source_time) in litecoin {
        let reading = reading(&round, source, Asset::Ltc).unwrap();
        assert_eq!(reading.rate, rate(price), "{source}");
        assert_eq!(reading.unit, unit, "{source}");
        assert_eq!(reading.source_time, source_time.map(Timestamp::from_micros), "{source}");
        assert_eq!(reading.fetched_at, NOW, "{source}");
        assert!(!reading.made_up, "{source}");
    }
}

#[test]
fn numbers_with_and_without_an_exponent_are_read_exactly() {
    let round = round(answers::documented);
    // 3.0001e-1 and 0.30003: a float in between would have left a tail.
    assert_eq!(reading(&round, "bitfinex", Asset::Trx).unwrap().rate, rate("0.30002"));
    assert_eq!(reading(&round, "bitfinex", Asset::Btc).unwrap().rate, rate("96005.3"));
    assert_eq!(reading(&round, "kraken", Asset::Btc).unwrap().rate, rate("96010.05"));
    assert_eq!(reading(&round, "kraken", Asset::Trx).unwrap().rate, rate("0.30001"));
}

/// A public source that is asked more often than it allows stops answering, and then nobody can pay.
#[test]
fn a_source_with_a_batch_endpoint_is_asked_once() {
    let (_, requests) = round_of(vec![Source::named("kraken").unwrap()], LIMITS, answers::documented);
    assert_eq!(requests, ["/0/public/Ticker?pair=XXBTZUSD,XETHZUSD,XLTCZUSD,SOLUSD,TRXUSD,USDTZUSD,USDCUSD"]);
    let (_, requests) = round_of(vec![Source::named("bitfinex").unwrap()], LIMITS, answers::documented);
    assert_eq!(requests.len(), 1);
}

#[test]
fn a_source_cannot_vote_twice() {
    let twice = vec![Source::named("kraken").unwrap(), Source::named("kraken").unwrap()];
    assert_eq!(PriceSources::new(twice, LIMITS).err(), Some(SetupError::Duplicate("kraken")));
}
