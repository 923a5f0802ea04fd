use proptest::prelude::*;

use super::*;

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

fn reading(source: &str, asset: Asset, unit: PriceUnit, rate: &str) -> Reading {
    let rate = Rate::parse(rate).unwrap();
    let fetched_at = NOW.plus_micros(-10 * SECOND_MICROS);
    Reading { source: source.into(), asset, unit, rate, fetched_at, source_time: None, made_up: false }
}

fn ltc(prices: &[(&str, &str)]) -> Vec<Reading> {
    prices.iter().map(|(source, rate)| reading(source, Asset::Ltc, PriceUnit::Usd, rate)).collect()
}

fn four() -> Vec<Reading> {
    ltc(&[("kraken", "98.00"), ("coinbase", "98.10"), ("bitstamp", "97.90"), ("bitfinex", "98.30")])
}

fn usdt(rate: &str) -> Vec<Reading> {
    ["a", "b", "c"].map(|source| reading(source, Asset::Usdt, PriceUnit::Usd, rate)).into()
}

fn rate_of(readings: &[Reading]) -> Result<String, NoQuote> {
    quote(Asset::Ltc, readings, NOW).map(|quote| quote.rate.to_string())
}

fn reasons(result: &Result<Quote, NoQuote>) -> Vec<(String, DropReason)> {
    let dropped = match result {
        Ok(quote) => &quote.dropped,
        Err(NoQuote::TooFewRemain { dropped, .. }) => dropped,
        Err(NoQuote::NoReadings { .. }) => return Vec::new(),
    };
    dropped.iter().map(|dropped| (dropped.source.clone(), dropped.reason)).collect()
}

#[test]
fn four_agreeing_sources_give_the_mean_of_the_middle_two() {
    let quote = quote(Asset::Ltc, &four(), NOW).unwrap();
    assert_eq!(quote.rate.to_string(), "98.05");
    let names: Vec<&str> = quote.used.iter().map(|used| used.source.as_str()).collect();
    assert_eq!(names, ["bitfinex", "bitstamp", "coinbase", "kraken"]);
    assert_eq!(quote.age_micros(NOW), 10 * SECOND_MICROS);
    assert!(!quote.made_up && quote.dropped.is_empty());
}

#[test]
fn the_middle_of_an_even_count_is_rounded_down_in_the_last_unit() {
    let readings = ltc(&[("a", "1"), ("b", "1.0000000001"), ("c", "1.0000000002"), ("d", "1.0000000005")]);
    assert_eq!(rate_of(&readings).unwrap(), "1.0000000001");
}

#[test]
fn a_source_that_is_wrong_is_dropped_and_harms_nobody() {
    let mut readings = four();
    readings.push(reading("inverted", Asset::Ltc, PriceUnit::Usd, "0.0102"));
    let result = quote(Asset::Ltc, &readings, NOW);
    let median = Rate::parse("98").unwrap();
    assert_eq!(reasons(&result), [("inverted".into(), DropReason::FarFromMedian { median })]);
    assert_eq!(result.unwrap().rate.to_string(), "98.05");
}

#[test]
fn two_percent_from_the_median_is_still_near_and_a_hair_more_is_not() {
    let at_the_edge = ltc(&[("a", "98"), ("b", "100"), ("c", "102")]);
    assert_eq!(rate_of(&at_the_edge).unwrap(), "100.00");
    for far in ["97.9999999999", "102.0000000001"] {
        let readings = ltc(&[("a", "100"), ("b", "100"), ("c", far)]);
        assert!(matches!(quote(Asset::Ltc, &readings, NOW), Err(NoQuote::TooFewRemain { remaining: 2, .. })), "{far}");
    }
}

#[test]
fn prices_older_than_a_minute_do_not_count_by_our_clock_or_the_sources_own() {
    let aged = |fetched: i64, own: Option<i64>| {
        let mut readings = four();
        readings[0].fetched_at = NOW.plus_micros(fetched.saturating_neg());
        readings[0].source_time = own.map(|age| NOW.plus_micros(age.saturating_neg()));
        reasons(&quote(Asset::Ltc, &readings, NOW)).into_iter().map(|(_, reason)| reason).collect::<Vec<_>>()
    };
    let minute = 60 * SECOND_MICROS;
    assert_eq!(aged(minute, Some(minute)), []);
    assert_eq!(aged(minute + 1, None), [DropReason::FetchedTooLongAgo { age_micros: minute + 1 }]);
    assert_eq!(aged(0, Some(minute + 1)), [DropReason::SourceTooOld { age_micros: minute + 1 }]);
    let skew = MAX_CLOCK_SKEW_MICROS;
    assert_eq!(aged(-skew, Some(-skew)), []);
    assert_eq!(aged(-skew - 1, None), [DropReason::FromTheFuture { ahead_micros: skew + 1 }]);
    assert_eq!(aged(0, Some(-skew - 1)), [DropReason::FromTheFuture { ahead_micros: skew + 1 }]);
    assert_eq!(aged(i64::MIN, Some(i64::MIN)).len(), 1);
}

#[test]
fn two_believable_sources_are_no_quote_and_nothing_is_made_up_in_its_place() {
    let two = ltc(&[("a", "98"), ("b", "98")]);
    assert_eq!(
        quote(Asset::Ltc, &two, NOW),
        Err(NoQuote::TooFewRemain { asset: Asset::Ltc, remaining: 2, dropped: vec![] })
    );
    assert_eq!(quote(Asset::Sol, &two, NOW), Err(NoQuote::NoReadings { asset: Asset::Sol }));
    assert_eq!(quote(Asset::Ltc, &[], NOW), Err(NoQuote::NoReadings { asset: Asset::Ltc }));
}

#[test]
fn one_source_that_answers_three_times_counts_once() {
    let mut readings = ltc(&[("a", "98"), ("b", "98"), ("a", "99"), ("a", "98")]);
    assert!(matches!(quote(Asset::Ltc, &readings, NOW), Err(NoQuote::TooFewRemain { remaining: 2, .. })));
    readings[2].fetched_at = NOW;
    readings.push(reading("c", Asset::Ltc, PriceUnit::Usd, "98"));
    let quote = quote(Asset::Ltc, &readings, NOW).unwrap();
    assert_eq!(quote.used[0].rate.to_string(), "99.00", "the latest answer of a source is the one that counts");
    assert_eq!(quote.dropped.len(), 2);
}

#[test]
fn a_price_in_usdt_is_converted_by_usdts_own_median() {
    let mut readings = ltc(&[("kraken", "98"), ("coinbase", "98")]);
    readings.push(reading("binance", Asset::Ltc, PriceUnit::Usdt, "100"));
    readings.extend(usdt("0.98"));
    let quote = quote(Asset::Ltc, &readings, NOW).unwrap();
    assert_eq!(quote.used[0].rate.to_string(), "98.00");
    assert_eq!(quote.used[0].unit, PriceUnit::Usdt);
}

#[test]
fn without_a_price_of_usdt_what_is_counted_in_it_does_not_count_as_dollars() {
    let mut readings = ltc(&[("kraken", "98"), ("coinbase", "98")]);
    readings.push(reading("binance", Asset::Ltc, PriceUnit::Usdt, "98"));
    readings.extend(usdt("1").into_iter().take(2));
    let result = quote(Asset::Ltc, &readings, NOW);
    assert_eq!(reasons(&result), [("binance".into(), DropReason::NoUsdtRate)]);
}

#[test]
fn stablecoins_are_priced_and_never_taken_for_a_dollar() {
    let priced = quote(Asset::Usdt, &usdt("0.97"), NOW).unwrap();
    assert_eq!(priced.rate.to_string(), "0.97");
    let in_itself = ["a", "b", "c"].map(|source| reading(source, Asset::Usdt, PriceUnit::Usdt, "1"));
    let result = quote(Asset::Usdt, &in_itself, NOW);
    assert!(matches!(&result, Err(NoQuote::TooFewRemain { remaining: 0, .. })));
    assert_eq!(reasons(&result).len(), 3);
    // Beside honest dollars too, USDT counted in USDT has no say.
    let mut mixed = usdt("0.97");
    mixed.push(reading("d", Asset::Usdt, PriceUnit::Usdt, "1"));
    let dropped = reasons(&quote(Asset::Usdt, &mixed, NOW));
    assert_eq!(dropped, [("d".into(), DropReason::NoUsdtRate)]);
}

#[test]
fn a_quote_that_rests_on_anything_made_up_says_so() {
    let mut readings = four();
    readings[3].made_up = true;
    assert!(quote(Asset::Ltc, &readings, NOW).unwrap().made_up);
    let mut converted = ltc(&[("kraken", "98"), ("coinbase", "98")]);
    converted.push(reading("binance", Asset::Ltc, PriceUnit::Usdt, "98"));
    converted.extend(usdt("1").into_iter().map(|reading| Reading { made_up: true, ..reading }));
    assert!(quote(Asset::Ltc, &converted, NOW).unwrap().made_up);
    let mut outlier = four();
    outlier.push(Reading { made_up: true, ..reading("sandbox", Asset::Ltc, PriceUnit::Usd, "1") });
    assert!(!quote(Asset::Ltc, &outlier, NOW).unwrap().made_up, "what was dropped marks nothing");
}

#[test]
fn a_quote_is_good_for_twenty_minutes_and_not_an_instant_longer() {
    let quote = quote(Asset::Ltc, &four(), NOW).unwrap();
    let end = 20 * MINUTE_MICROS;
    let table = [(-1, false), (0, true), (end - 1, true), (end, false)];
    for (later, valid) in table {
        assert_eq!(quote.is_valid(NOW.plus_micros(later)), valid, "{later}");
    }
    assert_eq!(quote.age_micros(NOW.plus_micros(MINUTE_MICROS)), 70 * SECOND_MICROS);
}

proptest! {
    /// A minority of wrong sources, whatever they say, can't move the price outside of what the honest ones say.
    #[test]
    fn a_lying_minority_never_sets_the_price(honest in prop::collection::vec(9_950_000u128..10_050_000, 3..6), lies in prop::collection::vec(1u128.., 0..3), shuffle in any::<prop::sample::Index>()) {
        prop_assume!(lies.len() < honest.len() - 1);
        let mut readings = Vec::new();
        for (index, units) in honest.iter().chain(&lies).enumerate() {
            let mut one = reading(&format!("source {index}"), Asset::Ltc, PriceUnit::Usd, "1");
            one.rate = Rate::new(*units).unwrap();
            readings.push(one);
        }
        let (low, high) = (honest.iter().min().unwrap(), honest.iter().max().unwrap());
        let first = quote(Asset::Ltc, &readings, NOW);
        if let Ok(quote) = &first {
            prop_assert!((*low..=*high).contains(&quote.rate.units()), "{:?}", quote);
        }
        let turn = shuffle.index(readings.len());
        readings.rotate_left(turn);
        prop_assert_eq!(quote(Asset::Ltc, &readings, NOW), first, "the order of answers decides nothing");
    }

    #[test]
    fn no_rate_and_no_time_makes_it_panic(rows in prop::collection::vec((1u128.., any::<i64>(), any::<Option<i64>>(), any::<bool>(), any::<bool>()), 0..8), now: i64) {
        let readings: Vec<Reading> = rows.into_iter().enumerate().map(|(index, (units, fetched, own, usdt, in_usdt))| Reading {
            source: format!("source {}", index % 6),
            asset: if usdt { Asset::Usdt } else { Asset::Ltc },
            unit: if in_usdt { PriceUnit::Usdt } else { PriceUnit::Usd },
            rate: Rate::new(units).unwrap(),
            fetched_at: Timestamp::from_micros(fetched),
            source_time: own.map(Timestamp::from_micros),
            made_up: false,
        }).collect();
        let _ = quote(Asset::Ltc, &readings, Timestamp::from_micros(now));
    }
}
