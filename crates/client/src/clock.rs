//! The device's clock. It may be wrong and it may jump: what depends on it says so.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use domain::Timestamp;
use manifest::Day;

/// Where the time comes from.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The device's own clock.
pub fn system() -> Clock {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros());
        Timestamp::from_micros(i64::try_from(since).unwrap_or(i64::MAX))
    })
}

/// When this program was built.
pub fn built_at() -> Timestamp {
    Timestamp::from_seconds(env!("KERNODECK_BUILD_SECONDS").parse().unwrap_or(0))
}

/// The day that a record's last day is compared with: a clock set back before the build does not revive a record.
pub fn today(now: Timestamp) -> Day {
    Day::of(now.max(built_at()))
}
