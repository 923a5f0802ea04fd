//! The background: hints from the server where they arrive, polling where they do not. Deadlines go by the wall clock in
//! short ticks, because timers stand still while a laptop sleeps.

mod events;

use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant as Monotonic};

use domain::Timestamp;

use crate::desktop::Inner;
use crate::signal::{Signal, Woken};

/// One tick: how soon a wake from sleep, or a server that fell silent, is noticed.
const TICK: Duration = Duration::from_secs(1);
/// Between two rounds while hints arrive: they tell of the account, but not that the watcher looked and saw nothing.
const ROUND_WITH_HINTS: Duration = Duration::from_secs(20);
/// Between two rounds while they do not. Well within the 60 s after which an open payment is withdrawn.
const ROUND_WITHOUT_HINTS: Duration = Duration::from_secs(10);
/// The wall clock left the monotonic one by so much within a tick: the machine slept, or the clock was set.
const JUMP_MICROS: i64 = 5_000_000;

/// Starts both threads. They end soon after the desktop is dropped.
pub(crate) fn start(inner: &Arc<Inner>) {
    let (signal, weak) = (Arc::clone(&inner.signal), Arc::downgrade(inner));
    signal.hint();
    spawn("sync", move || rounds(&signal, &weak));
    let (signal, weak) = (Arc::clone(&inner.signal), Arc::downgrade(inner));
    spawn("events", move || events::listen(&signal, &weak));
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    if let Err(error) = thread::Builder::new().name(name.into()).spawn(work) {
        tracing::error!(%error, name, "a thread could not be started");
    }
}

fn rounds(signal: &Signal, weak: &Weak<Inner>) {
    let mut last_round: Option<Monotonic> = None;
    let mut before: Option<(Monotonic, Timestamp)> = None;
    let mut was = (false, false);
    loop {
        let woken = signal.wait(TICK);
        let Some(inner) = weak.upgrade() else { return };
        let now = (Monotonic::now(), inner.now());
        let jumped = before.replace(now).is_some_and(|before| has_jumped(before, now));
        if jumped {
            // The line of events may be dead without knowing it.
            signal.set_events_connected(false);
        }
        let pace = if signal.events_connected() { ROUND_WITH_HINTS } else { ROUND_WITHOUT_HINTS };
        let due = last_round.is_none_or(|last| last.elapsed() >= pace);
        match woken {
            Woken::Stopped => return,
            Woken::Hinted | Woken::Ticked if due || jumped => {
                inner.round();
                last_round = Some(Monotonic::now());
            }
            Woken::Hinted => inner.catch_up(),
            Woken::Ticked => {}
        }
        let is = (inner.is_online(), inner.somebody().is_some_and(|account| inner.is_current(&account)));
        // Nothing to do but to say so when the server, or the account in it, has been silent for too long.
        if (was.0 && !is.0) || (was.1 && !is.1) {
            (inner.on_changed)();
        }
        was = is;
    }
}

fn has_jumped(before: (Monotonic, Timestamp), now: (Monotonic, Timestamp)) -> bool {
    let by_monotonic = i64::try_from(now.0.duration_since(before.0).as_micros()).unwrap_or(i64::MAX);
    (now.1.micros_since(before.1) - by_monotonic).abs() > JUMP_MICROS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_and_a_set_clock_are_noticed_and_a_slow_round_is_not() {
        let start = Monotonic::now();
        let at = |seconds: u64, wall: i64| (start + Duration::from_secs(seconds), Timestamp::from_seconds(wall));
        assert!(!has_jumped(at(0, 100), at(1, 101)));
        assert!(!has_jumped(at(0, 100), at(30, 130)));
        assert!(has_jumped(at(0, 100), at(1, 3_700)));
        assert!(has_jumped(at(0, 100), at(1, 50)));
    }
}
