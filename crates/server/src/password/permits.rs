//! How many hashes are computed at the same time. A permit is held by the thread that computes, so that clients who hang
//! up free nothing early.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use api::ErrorCode;

/// The longest wait for a permit.
const PATIENCE: Duration = Duration::from_secs(2);
/// Threads that may wait; the next one is told at once. Waiting takes a thread that others need.
const WAITING: usize = 32;

pub(super) struct Permits {
    state: Mutex<State>,
    freed: Condvar,
}

struct State {
    free: usize,
    waiting: usize,
}

pub(super) struct Permit<'a>(&'a Permits);

impl Permits {
    pub fn new(count: usize) -> Self {
        Self { state: Mutex::new(State { free: count, waiting: 0 }), freed: Condvar::new() }
    }

    /// A permit, waited for up to two seconds.
    ///
    /// # Errors
    /// `Busy`.
    pub fn take(&self) -> Result<Permit<'_>, ErrorCode> {
        let mut state = self.lock();
        if state.free == 0 && state.waiting >= WAITING {
            return Err(ErrorCode::Busy);
        }
        state.waiting += 1;
        let waited = self.freed.wait_timeout_while(state, PATIENCE, |state| state.free == 0);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        if state.free == 0 {
            return Err(ErrorCode::Busy);
        }
        state.free -= 1;
        Ok(Permit(self))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().free += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_flood_waits_is_told_and_leaves_no_permit_lost() {
        let permits = Permits::new(1);
        let held = permits.take().unwrap();
        let refused = thread::scope(|scope| {
            let threads: Vec<_> = (0..WAITING + 8).map(|_| scope.spawn(|| permits.take().err())).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .filter(|error| *error == Some(ErrorCode::Busy))
                .count()
        });
        assert_eq!(refused, WAITING + 8);
        drop(held);
        assert!(permits.take().is_ok());
        assert!(permits.take().is_ok());
    }
}
