//! The one place where the server reads the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use domain::Timestamp;

/// The system's clock, and how far a test has moved it. Clones share the offset.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset_micros: Arc<AtomicI64>,
}

impl Clock {
    /// Now, UTC.
    pub fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(since.as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(micros).plus_micros(self.offset_micros.load(Ordering::Relaxed))
    }

    /// Moves the clock on, for tests of deadlines.
    #[cfg(feature = "testing")]
    pub fn advance_micros(&self, micros: i64) {
        self.offset_micros.fetch_add(micros, Ordering::Relaxed);
    }
}
