//! What is said of many measurements.

use std::time::Duration;

/// Milliseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// So many in a time.
#[allow(clippy::cast_precision_loss)]
pub fn per_second(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE)
}

/// The value that `percent` of the values do not exceed (nearest rank), in milliseconds; 100 is the largest.
pub fn percentile(values: &[Duration], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().map_or(f64::NAN, millis)
}

/// The middle value, in milliseconds.
pub fn median(values: &[Duration]) -> f64 {
    percentile(values, 50)
}

/// The largest value, in milliseconds.
pub fn most(values: &[Duration]) -> f64 {
    percentile(values, 100)
}

/// MiB of KiB.
pub fn mib(kib: u64) -> f64 {
    f64::from(u32::try_from(kib).unwrap_or(u32::MAX)) / 1024.0
}

/// The middle of whole numbers.
pub fn middle(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        let found = [50, 99, 100].map(|percent| percentile(&values, percent));
        assert!(
            found.iter().zip([100.0, 198.0, 200.0]).all(|(found, wanted)| (found - wanted).abs() < 1e-9),
            "{found:?}"
        );
        assert!((median(&values[..1]) - 200.0).abs() < 1e-9);
        assert_eq!(middle(&[5, 1, 3, 2]), 2);
        assert!((per_second(10, Duration::from_millis(500)) - 20.0).abs() < 1e-9);
    }
}
