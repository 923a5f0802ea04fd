//! The selection itself: fresh, one per source, in USD, near the median, three at least.

use std::collections::BTreeMap;

use ethnum::U256;

use super::{
    DropReason, DroppedSource, MAX_CLOCK_SKEW_MICROS, MAX_DEVIATION_PERCENT, MAX_READING_AGE_MICROS,
    MIN_REMAINING_SOURCES, NoQuote, PriceUnit, Quote, Reading, UsedSource,
};
use crate::rate::RATE_DECIMALS;
use crate::{Asset, Rate, Timestamp};

/// Chooses the price of `asset` from all readings at hand; those of USDT among them convert what is counted in USDT.
///
/// In this order: readings older than a minute or from the future are dropped; of each source one is kept (in USD
/// before in USDT, then the latest); prices in USDT are converted; what is more than 2 % from the median of all these
/// is dropped, once. The rate is the median of what remains. With an even count the median is the mean of the middle
/// two, rounded down in units of the rate.
///
/// # Errors
/// [`NoQuote`] when fewer than three sources remain.
pub fn quote(asset: Asset, readings: &[Reading], now: Timestamp) -> Result<Quote, NoQuote> {
    let in_usdt = |reading: &&Reading| reading.asset == asset && reading.unit == PriceUnit::Usdt;
    let usdt = match asset {
        // USDT priced in USDT would confirm itself.
        Asset::Usdt => None,
        _ => readings.iter().find(in_usdt).and_then(|_| select(Asset::Usdt, readings, None, now).ok()),
    };
    select(asset, readings, usdt.as_ref(), now)
}

fn select(asset: Asset, readings: &[Reading], usdt: Option<&Quote>, now: Timestamp) -> Result<Quote, NoQuote> {
    let about: Vec<&Reading> = readings.iter().filter(|reading| reading.asset == asset).collect();
    if about.is_empty() {
        return Err(NoQuote::NoReadings { asset });
    }
    let mut dropped = Vec::new();
    let mut candidates = Vec::new();
    for reading in one_per_source(&about, now, &mut dropped) {
        match in_usd(reading, usdt, now) {
            Ok(candidate) => candidates.push(candidate),
            Err(reason) => dropped.push(DroppedSource { source: reading.source.clone(), reason }),
        }
    }
    let converted_by_made_up = usdt.is_some_and(|quote| quote.made_up);
    candidates.sort_by_key(|(used, _)| used.rate);
    let (near, made_up) = near_the_median(candidates, converted_by_made_up, &mut dropped);
    dropped.sort_by(|left, right| left.source.cmp(&right.source));
    let remaining = near.len();
    match median(&near).filter(|_| remaining >= MIN_REMAINING_SOURCES) {
        None => Err(NoQuote::TooFewRemain { asset, remaining, dropped }),
        Some(rate) => {
            let mut used = near;
            used.sort_by(|left, right| left.source.cmp(&right.source));
            Ok(Quote { asset, rate, used, dropped, made_up, quoted_at: now })
        }
    }
}

/// The one fresh reading of each source that counts, by name.
fn one_per_source<'a>(about: &[&'a Reading], now: Timestamp, dropped: &mut Vec<DroppedSource>) -> Vec<&'a Reading> {
    let mut kept: BTreeMap<&str, &Reading> = BTreeMap::new();
    // In USD before in USDT, then the latest; the price only makes the choice the same whatever the order was.
    let rank = |reading: &Reading| (reading.unit, std::cmp::Reverse(reading.fetched_at), reading.rate);
    for reading in about {
        let drop_for = |reason| DroppedSource { source: reading.source.clone(), reason };
        if let Some(reason) = not_fresh(reading, now) {
            dropped.push(drop_for(reason));
            continue;
        }
        match kept.get_mut(reading.source.as_str()) {
            None => {
                kept.insert(&reading.source, reading);
            }
            Some(other) => {
                if rank(reading) < rank(other) {
                    *other = reading;
                }
                dropped.push(drop_for(DropReason::Duplicate));
            }
        }
    }
    kept.into_values().collect()
}

fn not_fresh(reading: &Reading, now: Timestamp) -> Option<DropReason> {
    let fetched = now.micros_since(reading.fetched_at);
    let own = reading.source_time.map(|time| now.micros_since(time));
    let youngest = own.unwrap_or(fetched).min(fetched);
    if youngest < -MAX_CLOCK_SKEW_MICROS {
        return Some(DropReason::FromTheFuture { ahead_micros: youngest.saturating_neg() });
    }
    if fetched > MAX_READING_AGE_MICROS {
        return Some(DropReason::FetchedTooLongAgo { age_micros: fetched });
    }
    own.filter(|age| *age > MAX_READING_AGE_MICROS).map(|age_micros| DropReason::SourceTooOld { age_micros })
}

/// The reading as a USD price with its age, and whether it is made up.
fn in_usd(reading: &Reading, usdt: Option<&Quote>, now: Timestamp) -> Result<(UsedSource, bool), DropReason> {
    let fetched = now.micros_since(reading.fetched_at);
    let own = reading.source_time.map_or(fetched, |time| now.micros_since(time));
    let age = fetched.max(own).max(0);
    let (rate, age_micros) = match reading.unit {
        PriceUnit::Usd => (reading.rate, age),
        PriceUnit::Usdt => {
            let usdt = usdt.ok_or(DropReason::NoUsdtRate)?;
            let rate = converted(reading.rate, usdt.rate).ok_or(DropReason::OutOfRange)?;
            (rate, age.max(usdt.age_micros(now)))
        }
    };
    Ok((UsedSource { source: reading.source.clone(), rate, unit: reading.unit, age_micros }, reading.made_up))
}

/// USD for a coin from USDT for a coin and USD for a USDT, rounded down.
fn converted(in_usdt: Rate, usdt: Rate) -> Option<Rate> {
    let product = U256::from(in_usdt.units()).checked_mul(U256::from(usdt.units()))?;
    let scale = U256::from(10u8).checked_pow(RATE_DECIMALS)?;
    u128::try_from(product / scale).ok().and_then(Rate::new)
}

/// Keeps what is near the median of all candidates (sorted by price), and says whether any of it is made up.
fn near_the_median(
    candidates: Vec<(UsedSource, bool)>,
    converted_by_made_up: bool,
    dropped: &mut Vec<DroppedSource>,
) -> (Vec<UsedSource>, bool) {
    let rates: Vec<UsedSource> = candidates.iter().map(|(used, _)| used.clone()).collect();
    let Some(median) = median(&rates) else { return (Vec::new(), false) };
    let (mut near, mut any_made_up) = (Vec::new(), false);
    for (used, made_up) in candidates {
        if is_near(used.rate, median) {
            any_made_up |= made_up || (converted_by_made_up && used.unit == PriceUnit::Usdt);
            near.push(used);
        } else {
            dropped.push(DroppedSource { source: used.source, reason: DropReason::FarFromMedian { median } });
        }
    }
    (near, any_made_up)
}

/// Whether the difference is at most 2 % of the median, exactly.
fn is_near(rate: Rate, median: Rate) -> bool {
    let difference = U256::from(rate.units().abs_diff(median.units()));
    // At most 2^128 times 100: far below the range of 256 bits.
    difference * U256::from(100u8) <= U256::from(median.units()) * U256::from(MAX_DEVIATION_PERCENT)
}

/// The middle of prices in order; of an even count the mean of the middle two, rounded down.
fn median(sorted: &[UsedSource]) -> Option<Rate> {
    let high = sorted.get(sorted.len() / 2)?.rate;
    if !sorted.len().is_multiple_of(2) {
        return Some(high);
    }
    let low = sorted.get((sorted.len() / 2).checked_sub(1)?)?.rate;
    Rate::new(low.units() + (high.units() - low.units()) / 2)
}
