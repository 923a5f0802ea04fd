//! How the background is woken, and stopped.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
struct State {
    hinted: bool,
    stopped: bool,
    events_connected: bool,
}

/// Shared by the commands, the sync and the listener for events.
#[derive(Default)]
pub(crate) struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// There is something to fetch or to send.
    Hinted,
    /// Time passed.
    Ticked,
    /// The desktop is closing.
    Stopped,
}

impl Signal {
    /// There may be something to fetch or to send.
    pub fn hint(&self) {
        self.lock().hinted = true;
        self.changed.notify_all();
    }

    /// The desktop is closing.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Waits for a hint, which is taken, or for the time.
    pub fn wait(&self, at_most: Duration) -> Woken {
        let waited = self.changed.wait_timeout_while(self.lock(), at_most, |state| !state.hinted && !state.stopped);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            return Woken::Stopped;
        }
        if std::mem::take(&mut state.hinted) { Woken::Hinted } else { Woken::Ticked }
    }

    /// Waits without taking a hint; whether the desktop is still open.
    pub fn pause(&self, at_most: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), at_most, |state| !state.stopped);
        !waited.unwrap_or_else(PoisonError::into_inner).0.stopped
    }

    /// Whether the server's hints arrive.
    pub fn events_connected(&self) -> bool {
        self.lock().events_connected
    }

    /// The server's hints arrive, or no longer do.
    pub fn set_events_connected(&self, connected: bool) {
        self.lock().events_connected = connected;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
