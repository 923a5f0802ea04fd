//! Waiting for something that will be there, never for a time.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long anything may take on a loaded machine before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(45);
/// Between two looks.
pub const POLL: Duration = Duration::from_millis(40);

thread_local! {
    static ABANDONED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// From now on whatever this thread waits for fails at once when the flag is up: what it waits for will not come, because
/// another thread of the same test has failed.
pub fn unless_abandoned(flag: Arc<AtomicBool>) {
    ABANDONED.set(Some(flag));
}

/// Whether another thread of the same test has failed.
pub fn abandoned() -> bool {
    ABANDONED.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::SeqCst)))
}

/// Looks until there is something, and answers it; panics with `what` when there is nothing for too long.
pub fn until<T>(what: &str, probe: impl FnMut() -> Option<T>) -> T {
    within(PATIENCE, probe).unwrap_or_else(|| panic!("waited {PATIENCE:?} in vain for {what}"))
}

/// Looks until there is something, at most so long.
pub fn within<T>(limit: Duration, mut probe: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    loop {
        if let Some(found) = probe() {
            return Some(found);
        }
        if started.elapsed() > limit || abandoned() {
            return None;
        }
        std::thread::sleep(POLL);
    }
}
