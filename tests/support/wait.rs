//! Waiting for something that will be there, never for a time.

use std::time::{Duration, Instant};

/// How long anything may take on a loaded machine before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(45);
/// Between two looks.
pub const POLL: Duration = Duration::from_millis(40);

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
        if started.elapsed() > limit {
            return None;
        }
        std::thread::sleep(POLL);
    }
}
