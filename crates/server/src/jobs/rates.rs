//! Prices: fetched every twenty seconds, recorded every minute.

use std::time::{Duration, Instant};

use backend::addresses;
use backend::prices::{self, Prices};
use domain::quote::{MAX_READING_AGE_MICROS, Reading};
use rates::{Limits, MadeUpSources, PriceSources, Source};

use crate::app::App;

const FETCH_EVERY: Duration = Duration::from_secs(20);
/// Made-up prices cost nothing, and a test that moves the clock wants them at once.
const MAKE_UP_EVERY: Duration = Duration::from_millis(500);
const RECORD_EVERY: Duration = Duration::from_secs(60);

/// Where prices come from.
pub enum PriceFeed {
    /// Exchanges.
    Sources(Vec<Source>),
    /// Nowhere: a sandbox, or a private test chain.
    MadeUp(MadeUpSources),
}

/// Fetches and records until everything stops.
pub(super) fn run(app: &App, feed: PriceFeed) {
    match feed {
        PriceFeed::MadeUp(sources) => every(app, MAKE_UP_EVERY, || sources.fetch(app.clock.now())),
        PriceFeed::Sources(sources) => match PriceSources::new(sources, Limits::default()) {
            Ok(sources) => every(app, FETCH_EVERY, || fetch(app, &sources)),
            Err(error) => tracing::error!(%error, "no prices: the sources can't be used"),
        },
    }
}

fn every(app: &App, pause: Duration, mut fetch: impl FnMut() -> Vec<Reading>) {
    let mut readings: Vec<Reading> = Vec::new();
    let mut recorded: Option<Instant> = None;
    loop {
        readings = merged(readings, fetch(), app);
        app.set_prices(Prices::new(readings.clone()));
        if recorded.is_none_or(|at| at.elapsed() >= RECORD_EVERY) {
            recorded = Some(Instant::now());
            record(app);
        }
        if !app.stop.pause(pause) {
            return;
        }
    }
}

/// What a source said a moment ago stands until it is too old, should the source miss a round.
fn merged(old: Vec<Reading>, new: Vec<Reading>, app: &App) -> Vec<Reading> {
    let now = app.clock.now();
    let same = |a: &Reading, b: &Reading| a.source == b.source && a.asset == b.asset && a.unit == b.unit;
    let kept = old.into_iter().filter(|old| {
        now.micros_since(old.fetched_at) <= MAX_READING_AGE_MICROS && !new.iter().any(|new| same(old, new))
    });
    let mut all: Vec<Reading> = kept.collect();
    all.extend(new);
    all
}

fn fetch(app: &App, sources: &PriceSources) -> Vec<Reading> {
    let clock = app.clock.clone();
    let round = sources.fetch(&move || clock.now());
    for error in &round.errors {
        tracing::warn!(%error, "a price is missing");
    }
    round.readings
}

fn record(app: &App) {
    let (now, prices) = (app.clock.now(), app.prices());
    let policy = app.policy.clone();
    let recorded = app.store.write_job(move |tx| {
        addresses::watch_pools(tx, &policy, now)?;
        prices::record(tx, now, &prices)
    });
    if let Err(error) = recorded {
        tracing::error!(%error, "prices could not be recorded");
    }
}
