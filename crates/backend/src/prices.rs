//! The latest readings of all price sources, and their record.

use std::sync::Arc;

use api::views::{QuoteSourceView, QuoteView};
use domain::quote::{self, NoQuote, Quote, Reading};
use domain::{Method, Timestamp};
use store::Tx;
use store::repo::rate::{self, RateRow};

use crate::policy::BUILT;
use crate::refusal::{Outcome, Refusal};

/// Readings as last fetched. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    readings: Arc<Vec<Reading>>,
}

impl Prices {
    /// From a round of readings.
    pub fn new(readings: Vec<Reading>) -> Self {
        Self { readings: Arc::new(readings) }
    }

    /// The quote of a method now, by P3.
    pub fn quote(&self, method: Method, now: Timestamp) -> Result<Quote, NoQuote> {
        if faults::planted(faults::STALE_RATES) {
            return quote::quote(method.asset(), &as_of_now(&self.readings, now), now);
        }
        quote::quote(method.asset(), &self.readings, now)
    }
}

fn as_of_now(readings: &[Reading], now: Timestamp) -> Vec<Reading> {
    readings.iter().map(|one| Reading { fetched_at: now, source_time: None, ..one.clone() }).collect()
}

/// The quote as the wire shows it and a payment keeps it.
pub fn view(quote: &Quote) -> QuoteView {
    let sources = quote.used.iter().map(|used| QuoteSourceView {
        name: used.source.clone(),
        rate: used.rate.to_string(),
        fetched_at: quote.quoted_at.plus_micros(-used.age_micros).into(),
    });
    QuoteView {
        rate: quote.rate.to_string(),
        taken_at: quote.quoted_at.into(),
        sources: sources.collect(),
        made_up: quote.made_up,
    }
}

/// Records the rate of every built method; those without a quote are left out and raise an alarm.
pub fn record(tx: &mut Tx<'_>, now: Timestamp, prices: &Prices) -> Outcome<()> {
    use store::repo::installation::{self, AlarmRow};
    for method in BUILT {
        match prices.quote(method, now) {
            Ok(quote) => {
                let text = serde_json::to_string(&view(&quote)).map_err(|error| Refusal::broken(error.to_string()))?;
                let (method_code, rate) = (method.code().to_owned(), quote.rate.to_string());
                rate::insert(tx, &RateRow { method: method_code, at: now, rate, quote: text })?;
                installation::clear(tx, "rates", method.code())?;
            }
            Err(none) => {
                let (kind, subject) = ("rates".to_owned(), method.code().to_owned());
                installation::raise(tx, &AlarmRow { kind, subject, detail: none.to_string(), since: now })?;
            }
        }
    }
    Ok(())
}
