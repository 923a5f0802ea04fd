//! Price sources on this machine that answer as documented. Two of them give the time of their price, and can be made to give
//! one of an hour ago: then only two are left that count, and three are needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use testkit::http_stub::{Answer, HttpStub};

/// An hour.
const STALE_SECONDS: u64 = 3_600;

/// Four sources.
pub struct Prices {
    stub: HttpStub,
    stale: Arc<AtomicBool>,
}

impl Prices {
    /// Sources that answer well.
    pub fn start() -> Self {
        let stale = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&stale);
        let stub = HttpStub::start(move |target| answer(target, theirs.load(Ordering::SeqCst))).unwrap();
        Self { stub, stale }
    }

    /// From now on two of the prices are an hour old, or good again.
    pub fn set_stale(&self, stale: bool) {
        self.stale.store(stale, Ordering::SeqCst);
    }

    /// How many prices were asked for so far.
    pub fn asked(&self) -> usize {
        self.stub.requests().len()
    }

    /// The configuration's lines that name them.
    pub fn configuration(&self) -> String {
        let url = self.stub.url();
        format!(
            "sources = [\"bitstamp\", \"coinbase\", \"gemini\", \"kraken\"]\n\n[prices.at]\nbitstamp = \"{url}\"\n\
             coinbase = \"{url}\"\ngemini = \"{url}\"\nkraken = \"{url}\"\n"
        )
    }
}

/// The shapes are those in the documentation of each exchange; the path tells who is asked.
fn answer(target: &str, stale: bool) -> Answer {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let at = if stale { now - STALE_SECONDS } else { now };
    if !target.to_ascii_lowercase().contains("ltc") {
        return Answer::status(404, "{}");
    }
    if target.starts_with("/api/v2/ticker") {
        return Answer::ok(format!(r#"{{"timestamp":"{at}","bid":"97.98","ask":"98.02","last":"98.00"}}"#));
    }
    if target.starts_with("/products/") {
        let time = rfc3339(at);
        return Answer::ok(format!(r#"{{"price":"98.02","bid":"98.01","ask":"98.03","time":"{time}"}}"#));
    }
    if target.starts_with("/v1/pubticker") {
        let volume = r#"{"LTC":"2210.5","USD":"216629.5","timestamp":1767225600000}"#;
        return Answer::ok(format!(r#"{{"bid":"98.00","ask":"98.05","last":"98.02","volume":{volume}}}"#));
    }
    Answer::ok(
        r#"{"error":[],"result":{"XLTCZUSD":{"a":["98.02000","120","120.000"],"b":["98.00000","80","80.000"]}}}"#,
    )
}

/// UTC, to the second, by the calendar of the address records.
fn rfc3339(seconds: u64) -> String {
    let micros = i64::try_from(seconds).unwrap() * 1_000_000;
    let day = manifest::Day::of(domain::Timestamp::from_micros(micros));
    let of_day = seconds % 86_400;
    format!("{day}T{:02}:{:02}:{:02}Z", of_day / 3_600, of_day / 60 % 60, of_day % 60)
}
