//! A small pool of connections, one for both engines.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::StoreError;

/// What a lent connection is good for when it comes back.
pub(crate) enum Returned {
    /// The next one may have it.
    Usable,
    /// It is thrown away.
    Spent,
    /// It is thrown away, and so are the idle ones: a server's restart breaks all of them together.
    Broken,
}

/// Connections made on demand, at most so many.
pub(crate) struct Pool<C> {
    most: usize,
    state: Mutex<State<C>>,
    given_back: Condvar,
}

struct State<C> {
    idle: Vec<C>,
    taken: usize,
    closed: bool,
}

impl<C> Pool<C> {
    pub fn new(most: usize) -> Self {
        let state = State { idle: Vec::new(), taken: 0, closed: false };
        Self { most, state: Mutex::new(state), given_back: Condvar::new() }
    }

    /// Lends a connection, opened if none is idle; `Busy` when none came free in time.
    pub fn with<T>(
        &self,
        give_up: Option<Instant>,
        open: impl FnOnce() -> Result<C, StoreError>,
        use_it: impl FnOnce(&mut C) -> (T, Returned),
    ) -> Result<T, StoreError> {
        let idle = self.take(give_up)?;
        let opened = idle.map_or_else(open, Ok);
        let outcome = opened.map(|mut connection| (use_it(&mut connection), connection));
        let mut state = self.lock();
        state.taken -= 1;
        let mut thrown_away = Vec::new();
        let outcome = outcome.map(|((value, returned), connection)| {
            match returned {
                Returned::Usable if !state.closed => state.idle.push(connection),
                Returned::Usable | Returned::Spent => thrown_away.push(connection),
                Returned::Broken => {
                    thrown_away = std::mem::take(&mut state.idle);
                    thrown_away.push(connection);
                }
            }
            value
        });
        drop(state);
        self.given_back.notify_one();
        outcome
    }

    /// Closes what is idle and lends no more.
    pub fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        let idle = std::mem::take(&mut state.idle);
        drop(state);
        drop(idle);
        self.given_back.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    fn take(&self, give_up: Option<Instant>) -> Result<Option<C>, StoreError> {
        let mut state = self.lock();
        while state.taken >= self.most && !state.closed {
            let left = give_up.map_or(Duration::from_secs(1), |at| at.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(StoreError::Busy);
            }
            state = self.given_back.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.closed {
            return Err(StoreError::Closed);
        }
        state.taken += 1;
        Ok(state.idle.pop())
    }

    fn lock(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
