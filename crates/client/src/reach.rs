//! Whether the server answers, and how its clock differs from this device's.

use std::time::{Duration, Instant as Monotonic};

use api::server::StatusAnswer;
use domain::Timestamp;

/// A server that has not answered for so long counts as out of reach (H2).
const PATIENCE: Duration = Duration::from_secs(60);
/// A measurement over a slower round trip says too little about the clock, unless it is the first.
const MAX_ROUND_TRIP: Duration = Duration::from_secs(3);

/// When something was last heard, by both clocks: one stands still while the machine sleeps, the other can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heard(Option<(Monotonic, Timestamp)>);

impl Heard {
    /// Now.
    pub fn at(now: Timestamp) -> Self {
        Self(Some((Monotonic::now(), now)))
    }

    /// Whether that was within the last 60 seconds by both clocks.
    pub fn lately(self, now: Timestamp) -> bool {
        let Some((monotonic, wall)) = self.0 else { return false };
        if faults::planted(faults::SILENCE_IGNORED) {
            return true;
        }
        let patience = i64::try_from(PATIENCE.as_micros()).unwrap_or(i64::MAX);
        monotonic.elapsed() < PATIENCE && now.micros_since(wall).abs() < patience
    }
}

/// What is known of the server just now.
#[derive(Default)]
pub struct Reach {
    heard: Heard,
    offset_micros: Option<i64>,
    status: Option<StatusAnswer>,
}

impl Reach {
    /// What was known when the program last ran: a clock offset and a status, but no contact.
    pub fn remembered(offset_micros: Option<i64>, status: Option<StatusAnswer>) -> Self {
        Self { heard: Heard::default(), offset_micros, status }
    }

    /// The server has said something.
    pub fn heard(&mut self, now: Timestamp) {
        self.heard = Heard::at(now);
    }

    /// The server told its clock. It was read somewhere during the round trip: the middle errs by half of it at most.
    pub fn told(&mut self, status: StatusAnswer, asked_at: Timestamp, round_trip: Duration) {
        let half = i64::try_from(round_trip.as_micros() / 2).unwrap_or(i64::MAX);
        let middle = asked_at.plus_micros(half);
        if round_trip <= MAX_ROUND_TRIP || self.offset_micros.is_none() {
            self.offset_micros = Some(status.now.0.micros_since(middle));
        }
        self.status = Some(status);
        self.heard(middle.plus_micros(half));
    }

    /// Whether the server has answered within the last 60 seconds.
    pub fn online(&self, now: Timestamp) -> bool {
        self.heard.lately(now)
    }

    /// The server's clock minus this device's, microseconds.
    pub const fn offset_micros(&self) -> Option<i64> {
        self.offset_micros
    }

    /// The server's clock by this device's; its own where they were never compared.
    pub fn server_now(&self, now: Timestamp) -> Timestamp {
        now.plus_micros(self.offset_micros.unwrap_or(0))
    }

    /// The status as last told.
    pub const fn status(&self) -> Option<&StatusAnswer> {
        self.status.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use api::wire::Instant;

    use super::*;

    fn status(now: i64) -> StatusAnswer {
        StatusAnswer {
            environment: "sandbox".into(),
            now: Instant(Timestamp::from_seconds(now)),
            networks: Vec::new(),
            retention_days: BTreeMap::new(),
        }
    }

    #[test]
    fn a_wrong_device_clock_does_not_move_a_deadline() {
        let mut reach = Reach::default();
        let device = Timestamp::from_seconds(1_000);
        reach.told(status(5_001), device, Duration::from_secs(2));
        assert_eq!(reach.server_now(device), Timestamp::from_seconds(5_000));
        assert_eq!(reach.server_now(Timestamp::from_seconds(1_060)), Timestamp::from_seconds(5_060));
    }

    #[test]
    fn a_slow_answer_does_not_spoil_a_good_measurement() {
        let mut reach = Reach::default();
        reach.told(status(5_000), Timestamp::from_seconds(1_000), Duration::ZERO);
        reach.told(status(5_100), Timestamp::from_seconds(1_010), Duration::from_secs(10));
        assert_eq!(reach.offset_micros(), Some(4_000_000_000));
    }

    #[test]
    fn after_sleep_or_a_set_clock_the_server_counts_as_out_of_reach() {
        let mut reach = Reach::default();
        assert!(!reach.online(Timestamp::from_seconds(0)));
        reach.heard(Timestamp::from_seconds(1_000));
        assert!(reach.online(Timestamp::from_seconds(1_059)));
        // The monotonic clock stood still, the wall clock went on: the machine slept.
        assert!(!reach.online(Timestamp::from_seconds(1_060)));
        assert!(!reach.online(Timestamp::from_seconds(900)));
    }
}
