//! Telling everything to stop, threads and tasks alike.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// Shared by all that runs.
pub struct Stop {
    stopped: Mutex<bool>,
    changed: Condvar,
    tasks: watch::Sender<bool>,
}

impl Default for Stop {
    fn default() -> Self {
        Self { stopped: Mutex::default(), changed: Condvar::new(), tasks: watch::Sender::new(false) }
    }
}

impl Stop {
    /// Stop, all of you.
    pub fn stop(&self) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
        self.tasks.send_replace(true);
    }

    /// Waits on a thread; false when it is time to stop.
    pub fn pause(&self, at_most: Duration) -> bool {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(stopped, at_most, |stopped| !*stopped);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits in a task until it is time to stop.
    pub async fn stopped(&self) {
        // The sender lives as long as `self`, so the only way out is a stop.
        let _ = self.tasks.subscribe().wait_for(|stopped| *stopped).await;
    }
}
