//! Whatever a source sends, nothing panics, and no price appears that is not written there.

use std::sync::{Arc, Mutex};

use domain::Rate;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rates::{Fault, PriceSources, Round, Source};
use testkit::http_stub::{Answer, HttpStub};

use crate::answers;
use crate::harness::{LIMITS, NOW};

/// A server whose one answer can be changed between rounds.
struct Mirror {
    answer: Arc<Mutex<Vec<u8>>>,
    sources: PriceSources,
    _stub: HttpStub,
}

impl Mirror {
    fn of(sources: Vec<Source>) -> Self {
        let answer = Arc::new(Mutex::new(Vec::new()));
        let shown = Arc::clone(&answer);
        let stub = HttpStub::start(move |_| Answer::ok(shown.lock().unwrap().clone())).unwrap();
        let sources = sources.into_iter().map(|source| source.at(&stub.url()).unwrap()).collect();
        Self { answer, sources: PriceSources::new(sources, LIMITS).unwrap(), _stub: stub }
    }

    fn round(&self, body: &[u8]) -> Round {
        *self.answer.lock().unwrap() = body.to_vec();
        self.sources.fetch(&|| NOW)
    }
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

#[test]
fn arbitrary_bytes_are_never_a_price() {
    let mirror = Mirror::of(Source::all());
    let text = "[\\[\\]{}\",:0-9a-z. ]{0,60}".prop_map(String::into_bytes);
    let bytes = prop_oneof![prop::collection::vec(any::<u8>(), 0..200), text];
    runner(24)
        .run(&bytes, |body| {
            let round = mirror.round(&body);
            prop_assert_eq!(round.readings, []);
            Ok(())
        })
        .unwrap();
}

/// One byte of a true answer changed at random: the pair is refused, or its price is made of two numbers in the text.
#[test]
fn a_damaged_answer_gives_no_price_that_is_not_written_in_it() {
    let bodies = [answers::KRAKEN, answers::BITFINEX];
    let mirrors =
        [Mirror::of(vec![Source::named("kraken").unwrap()]), Mirror::of(vec![Source::named("bitfinex").unwrap()])];
    let damage = (0..bodies.len(), any::<prop::sample::Index>(), any::<u8>());
    runner(150)
        .run(&damage, |(which, at, byte)| {
            let mut body = bodies[which].as_bytes().to_vec();
            let position = at.index(body.len());
            body[position] = byte;
            let round = mirrors[which].round(&body);
            let written = numbers(&body);
            for reading in round.readings {
                let twice = reading.rate.units() * 2;
                let sums = |low: &u128| written.iter().any(|high| (low + high) / 2 * 2 == twice / 2 * 2);
                prop_assert!(written.iter().any(sums), "{:?}", reading);
            }
            Ok(())
        })
        .unwrap();
}

/// Every number in the text in units of a rate, found without the JSON reader under test.
fn numbers(body: &[u8]) -> Vec<u128> {
    let text = String::from_utf8_lossy(body);
    let words = text.split(|character: char| !matches!(character, '0'..='9' | '.' | 'e' | 'E' | '-' | '+'));
    words.filter_map(units).collect()
}

fn units(word: &str) -> Option<u128> {
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    let shift = exponent - i64::try_from(fraction.len()).ok()? + 10;
    let scale = 10u128.checked_pow(u32::try_from(shift.unsigned_abs()).ok()?)?;
    if shift >= 0 { digits.checked_mul(scale) } else { digits.is_multiple_of(scale).then_some(digits / scale) }
}

/// A price is written with a dot whatever the locale of the machine says.
#[test]
fn a_comma_is_no_decimal_point() {
    let mirror = Mirror::of(vec![Source::named("binance").unwrap()]);
    let body = answers::BINANCE.replace("98.00000000", "98,00000000");
    let round = mirror.round(body.as_bytes());
    assert!(round.errors.iter().any(|error| error.fault == Fault::NotANumber));
    assert!(Rate::parse("98,00").is_err());
}
