//! Invented prices for the sandbox, marked as such in every reading.

use domain::rate::RATE_DECIMALS;
use domain::{Asset, Environment, Rate, Timestamp};

use crate::error::SetupError;
use domain::quote::{PriceUnit, Reading};

/// Names of the made-up sources: enough that the same rule which judges real ones runs unchanged.
const NAMES: [&str; 4] = ["made-up-1", "made-up-2", "made-up-3", "made-up-4"];
/// How far each of them stands from the price, in millionths: well inside the 2 % of P3.
const OFFSETS_PPM: [i128; 4] = [-600, -200, 200, 700];
/// One rise and fall of a price, in seconds.
const WAVE_SECONDS: i64 = 6 * 60 * 60;
/// Millionths in a whole.
const MILLION: i128 = 1_000_000;

/// A made-up price: its middle in US cents, how far it moves in millionths, and where in the wave it starts in seconds.
const PRICES: [(Asset, u64, i128, i64); 7] = [
    (Asset::Btc, 9_600_000, 20_000, 0),
    (Asset::Eth, 330_000, 25_000, 3_000),
    (Asset::Ltc, 9_800, 20_000, 6_000),
    (Asset::Sol, 19_000, 30_000, 9_000),
    (Asset::Trx, 30, 15_000, 12_000),
    (Asset::Usdt, 100, 400, 15_000),
    (Asset::Usdc, 100, 300, 18_000),
];

/// Four made-up sources whose prices move slowly and depend on the time alone.
#[derive(Clone, Copy, Debug)]
pub struct MadeUpSources {
    _proof_that_this_is_no_production: (),
}

impl MadeUpSources {
    /// Made-up sources for a sandbox or for private test chains.
    ///
    /// # Errors
    /// [`SetupError::MadeUpInProduction`]: nobody pays real money by an invented price.
    pub const fn new(environment: Environment) -> Result<Self, SetupError> {
        match environment {
            Environment::Production => Err(SetupError::MadeUpInProduction),
            Environment::Sandbox | Environment::Regtest => Ok(Self { _proof_that_this_is_no_production: () }),
        }
    }

    /// What the four sources say of every asset at `now`.
    pub fn fetch(&self, now: Timestamp) -> Vec<Reading> {
        let sources = NAMES.into_iter().zip(OFFSETS_PPM);
        sources
            .flat_map(|(name, offset)| PRICES.into_iter().filter_map(move |price| say(name, offset, price, now)))
            .collect()
    }
}

fn say(name: &str, offset_ppm: i128, price: (Asset, u64, i128, i64), now: Timestamp) -> Option<Reading> {
    let (asset, cents, swing_ppm, phase_seconds) = price;
    let middle = i128::from(cents).checked_mul(10i128.checked_pow(RATE_DECIMALS - 2)?)?;
    let moved_ppm = MILLION + offset_ppm + swing_ppm * wave_ppm(now, phase_seconds) / MILLION;
    let units = middle.checked_mul(moved_ppm)? / MILLION;
    // A cent is fine enough for people to read; coins worth a dollar or less keep five places.
    let step = if cents > 100 { 100_000_000 } else { 100_000 };
    let rate = Rate::new(u128::try_from(units - units % step).ok()?)?;
    Some(Reading {
        source: name.to_owned(),
        asset,
        rate,
        unit: PriceUnit::Usd,
        fetched_at: now,
        source_time: Some(now),
        made_up: true,
    })
}

/// A triangle between -1 000 000 and 1 000 000.
fn wave_ppm(now: Timestamp, phase_seconds: i64) -> i128 {
    let seconds = (now.micros() / domain::time::SECOND_MICROS).saturating_add(phase_seconds).rem_euclid(WAVE_SECONDS);
    let quarter = i128::from(WAVE_SECONDS / 4);
    let distance = (i128::from(seconds) - 2 * quarter).abs() - quarter;
    distance * MILLION / quarter
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: i64 = 1_767_225_600;

    #[test]
    fn production_gets_no_invented_price() {
        assert_eq!(MadeUpSources::new(Environment::Production).err(), Some(SetupError::MadeUpInProduction));
        assert!(MadeUpSources::new(Environment::Sandbox).is_ok());
    }

    #[test]
    fn every_invented_price_says_so_and_the_same_second_gives_the_same_one() {
        let sources = MadeUpSources::new(Environment::Sandbox).unwrap();
        let now = Timestamp::from_seconds(START);
        let readings = sources.fetch(now);
        assert_eq!(readings.len(), NAMES.len() * PRICES.len());
        assert!(readings.iter().all(|reading| reading.made_up && reading.source.starts_with("made-up")));
        assert_eq!(readings, sources.fetch(now));
    }

    /// A demo whose price jumped would look like an attack, and P3 would refuse it.
    #[test]
    fn prices_move_but_never_more_than_a_tenth_of_a_percent_a_minute() {
        let sources = MadeUpSources::new(Environment::Sandbox).unwrap();
        let at = |minute: i64| sources.fetch(Timestamp::from_seconds(START + 60 * minute));
        for minute in 0..WAVE_SECONDS / 60 {
            for (before, after) in at(minute).iter().zip(at(minute + 1)) {
                let (low, high) = (before.rate.min(after.rate).units(), before.rate.max(after.rate).units());
                assert!((high - low) * 1000 <= low, "{before:?} {after:?}");
            }
        }
        assert_ne!(at(0).first().map(|reading| reading.rate), at(60).first().map(|reading| reading.rate));
    }
}
