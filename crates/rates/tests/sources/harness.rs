//! All sources pointed at one stub server.

use std::time::Duration;

use domain::quote::Reading;
use domain::{Asset, Rate, Timestamp};
use rates::{Fault, Limits, PriceSources, Round, Source};
use testkit::http_stub::{Answer, HttpStub};

use crate::answers;

/// When every round of these tests takes place: a second after the documented answers were made.
pub const NOW: Timestamp = Timestamp::from_seconds(1_767_225_601);

/// Bounds that a busy machine keeps: nothing but a test about time may depend on them.
pub const LIMITS: Limits = Limits {
    connect_timeout: Duration::from_secs(20),
    call_timeout: Duration::from_secs(30),
    round_timeout: Duration::from_secs(40),
    use_system_proxy: false,
};

/// One round of all sources against a server that answers through `handler`.
pub fn round(handler: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Round {
    round_of(Source::all(), LIMITS, handler).0
}

/// One round of some sources within some bounds, and what they asked.
pub fn round_of(
    sources: Vec<Source>,
    limits: Limits,
    handler: impl Fn(&str) -> Answer + Send + Sync + 'static,
) -> (Round, Vec<String>) {
    let stub = HttpStub::start(handler).unwrap();
    let sources = sources.into_iter().map(|source| source.at(&stub.url()).unwrap()).collect();
    let round = PriceSources::new(sources, limits).unwrap().fetch(&|| NOW);
    (round, stub.requests())
}

/// One round in which the requests that contain `part` get another answer than documented.
pub fn round_with(part: &'static str, answer: Answer) -> Round {
    round(move |target| if target.contains(part) { answer.clone() } else { answers::documented(target) })
}

/// The reading of that source for that asset.
pub fn reading<'a>(round: &'a Round, source: &str, asset: Asset) -> Option<&'a Reading> {
    round.readings.iter().find(|reading| reading.source == source && reading.asset == asset)
}

/// Why that source gave no reading for that asset.
pub fn fault(round: &Round, source: &str, asset: Asset) -> Option<Fault> {
    let mine = round.errors.iter().find(|error| error.source_name == source && error.asset == asset);
    mine.map(|error| error.fault)
}

/// Asserts that exactly these pairs of one source failed so, and that every other pair of every source was read.
pub fn assert_only_these_failed(round: &Round, source: &str, assets: &[Asset], expected: Fault) {
    let pairs: usize = Source::all().iter().map(|source| source.pairs().len()).sum();
    for asset in assets {
        assert_eq!(fault(round, source, *asset), Some(expected), "{source} {asset:?}");
    }
    assert_eq!(round.errors.len(), assets.len(), "{:?}", round.errors);
    assert_eq!(round.readings.len(), pairs - assets.len());
}

pub fn rate(text: &str) -> Rate {
    Rate::parse(text).unwrap()
}
