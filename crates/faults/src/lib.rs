//! Planted faults that the suite must catch.
//!
//! A test build (feature `planted`) can switch one on by name; without the feature every question answers «no» at compile
//! time and no fault's name stays in the program.

/// A watcher passes over a block as if it had been read.
pub const WATCHER_SKIPS_BLOCK: &str = "watcher-skips-block";
/// The ledger takes a sighting's credit a second time.
pub const CREDIT_TWICE: &str = "credit-twice";
/// The client accepts a record signed by any key.
pub const ANY_KEY: &str = "any-key";
/// Reading an order asks nobody whose it is.
pub const NO_OWNER_CHECK: &str = "no-owner-check";
/// A restored database gives out the addresses that were free in its backup.
pub const RESTORE_KEEPS_FREE: &str = "restore-keeps-free";

/// Whether the fault of that name is switched on, by `KERNODECK_FAULTS` (names separated by commas).
#[cfg(feature = "planted")]
pub fn planted(name: &str) -> bool {
    std::env::var("KERNODECK_FAULTS").is_ok_and(|list| list.split(',').any(|fault| fault == name))
}

/// No fault exists outside a test build.
#[cfg(not(feature = "planted"))]
#[inline(always)]
pub const fn planted(_name: &str) -> bool {
    false
}
