//! A round: every pair of every source asked at the same time, answered or given up within one bound.

use std::thread;
use std::time::{Duration, Instant};

use domain::Timestamp;
use reqwest::blocking::Client;

use crate::error::{Fault, SetupError, SourceError};
use crate::exchange::{Batching, Pair};
use crate::http;
use crate::source::Source;
use domain::quote::Reading;

/// Bytes that the answer for one pair may have. Documented answers have under 1 KiB.
const PAIR_ANSWER_BYTES: u64 = 64 * 1024;
/// Bytes that the answer for all pairs may have.
const BATCH_ANSWER_BYTES: u64 = 1024 * 1024;

/// Bounds of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time to reach a source.
    pub connect_timeout: Duration,
    /// Time for one question, from connecting to the answer's last byte.
    pub call_timeout: Duration,
    /// Time for the whole round.
    pub round_timeout: Duration,
    /// Whether the proxy of the environment (`HTTPS_PROXY`, `NO_PROXY` …) is used.
    pub use_system_proxy: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(3),
            call_timeout: Duration::from_secs(5),
            round_timeout: Duration::from_secs(10),
            use_system_proxy: true,
        }
    }
}

/// What a round brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// One reading for each pair that answered, in the order of the sources and their pairs.
    pub readings: Vec<Reading>,
    /// One error for each pair that did not.
    pub errors: Vec<SourceError>,
}

/// The configured sources, ready to be asked again and again.
///
/// Blocking: made, used and dropped on a plain thread, never inside an async task.
pub struct PriceSources {
    client: Client,
    sources: Vec<Source>,
    limits: Limits,
}

impl PriceSources {
    /// Sources asked within these limits.
    ///
    /// # Errors
    /// [`SetupError::Duplicate`] and [`SetupError::Client`].
    pub fn new(sources: Vec<Source>, limits: Limits) -> Result<Self, SetupError> {
        for (index, source) in sources.iter().enumerate() {
            if sources.iter().skip(index + 1).any(|other| other.name() == source.name()) {
                return Err(SetupError::Duplicate(source.name()));
            }
        }
        let client = http::client(limits.connect_timeout, limits.use_system_proxy)?;
        Ok(Self { client, sources, limits })
    }

    /// Asks every pair once. Returns within [`Limits::round_timeout`], with a reading or an error for every pair.
    ///
    /// `clock` is read just before each question, so that a slow answer counts as old, not as fresh.
    pub fn fetch(&self, clock: &(dyn Fn() -> Timestamp + Sync)) -> Round {
        let end = Instant::now() + self.limits.round_timeout;
        let outcomes = thread::scope(|scope| {
            let ask = |source, pairs| scope.spawn(move || self.ask(source, pairs, end, clock));
            let calls: Vec<_> = self.sources.iter().flat_map(calls_of).collect();
            let threads: Vec<_> = calls.iter().map(|(source, pairs)| (source, pairs, ask(*source, *pairs))).collect();
            let join = |(source, pairs, thread): (&&Source, &&[Pair], thread::ScopedJoinHandle<'_, Vec<Outcome>>)| {
                // A panic in one call must not take the readings of the others with it.
                thread.join().unwrap_or_else(|_| failed(source, pairs, Fault::Malformed))
            };
            threads.into_iter().flat_map(join).collect::<Vec<_>>()
        });
        let mut round = Round::default();
        for outcome in outcomes {
            match outcome {
                Ok(reading) => round.readings.push(reading),
                Err(error) => round.errors.push(error),
            }
        }
        round
    }

    /// One question; a batch that the source refused because it does not know one of the pairs is asked pair by pair.
    fn ask(
        &self,
        source: &Source,
        pairs: &[Pair],
        end: Instant,
        clock: &(dyn Fn() -> Timestamp + Sync),
    ) -> Vec<Outcome> {
        let fetched_at = clock();
        let deadline = end.min(Instant::now() + self.limits.call_timeout);
        let limit = if pairs.len() > 1 { BATCH_ANSWER_BYTES } else { PAIR_ANSWER_BYTES };
        let body = match http::get(&self.client, &source.url(pairs), deadline, limit) {
            Ok(body) => body,
            Err(fault) => return failed(source, pairs, fault),
        };
        let outcomes: Vec<Outcome> = pairs.iter().map(|pair| read(source, pair, &body, fetched_at)).collect();
        let unlisted = |outcome: &Outcome| outcome.as_ref().is_err_and(|error| error.fault == Fault::NotListed);
        if pairs.len() > 1 && outcomes.iter().all(unlisted) {
            return pairs.chunks(1).flat_map(|single| self.ask(source, single, end, clock)).collect();
        }
        outcomes
    }
}

type Outcome = Result<Reading, SourceError>;

/// The questions to one source.
fn calls_of(source: &Source) -> Vec<(&Source, &'static [Pair])> {
    let size = match source.exchange.batching {
        Batching::EachPair => 1,
        Batching::AllPairs => source.pairs().len().max(1),
    };
    source.pairs().chunks(size).map(|pairs| (source, pairs)).collect()
}

fn read(source: &Source, pair: &Pair, body: &str, fetched_at: Timestamp) -> Outcome {
    let ticker = (source.exchange.ticker)(body, pair).map_err(|fault| error_of(source, pair, fault))?;
    Ok(Reading {
        source: source.name().to_owned(),
        asset: pair.asset,
        rate: ticker.price,
        unit: pair.unit,
        fetched_at,
        source_time: ticker.source_time,
        made_up: false,
    })
}

fn failed(source: &Source, pairs: &[Pair], fault: Fault) -> Vec<Outcome> {
    pairs.iter().map(|pair| Err(error_of(source, pair, fault))).collect()
}

fn error_of(source: &Source, pair: &Pair, fault: Fault) -> SourceError {
    SourceError { source_name: source.name(), asset: pair.asset, unit: pair.unit, fault }
}
