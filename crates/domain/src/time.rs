//! Instants and spans. The crate reads no clock: an instant always comes in as an argument.

/// Microseconds in one second.
pub const SECOND_MICROS: i64 = 1_000_000;
/// Microseconds in one minute.
pub const MINUTE_MICROS: i64 = 60 * SECOND_MICROS;
/// Microseconds in one hour.
pub const HOUR_MICROS: i64 = 60 * MINUTE_MICROS;
/// Microseconds in 24 hours. A rental day is always this long, whatever the local calendar does.
pub const DAY_MICROS: i64 = 24 * HOUR_MICROS;

/// An instant: microseconds since 1970-01-01T00:00:00 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From microseconds since the Unix epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// From whole seconds since the Unix epoch, as block headers carry them.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(SECOND_MICROS))
    }

    /// Microseconds since the Unix epoch.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// This instant moved by a number of microseconds, held at the ends of the range.
    pub const fn plus_micros(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// Microseconds from `earlier` to this instant; negative when `earlier` is later.
    pub const fn micros_since(self, earlier: Timestamp) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}
