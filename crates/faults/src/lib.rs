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
/// A gap in the readings of the mempool is not noted on the payments that were open in it.
pub const GAP_FORGOTTEN: &str = "gap-forgotten";
/// A mempool that was read in part counts as all there is.
pub const PART_IS_WHOLE: &str = "part-is-whole";
/// Money that was first met in a lost block is never looked for again.
pub const LOST_BLOCK_FORGOTTEN: &str = "lost-block-forgotten";
/// A restored database can be opened before it has learnt that it was restored.
pub const RESTORED_TOO_EARLY: &str = "restored-too-early";
/// A restored database goes on with the generations of its backup.
pub const RESTORE_KEEPS_GENERATIONS: &str = "restore-keeps-generations";
/// An address that somebody paid to already is given out.
pub const PAID_ADDRESS_GIVEN_OUT: &str = "paid-address-given-out";
/// A restored database gives out the addresses that were free in its backup.
pub const RESTORE_KEEPS_FREE: &str = "restore-keeps-free";
/// The client does not look at a record's signature; its key must still be a trusted one.
pub const SIGNATURE_UNCHECKED: &str = "signature-unchecked";
/// The client takes a record of any environment.
pub const ENVIRONMENT_IGNORED: &str = "environment-ignored";
/// The client takes a record of any network.
pub const NETWORK_IGNORED: &str = "network-ignored";
/// The client takes a record of any chain of its network.
pub const CHAIN_IGNORED: &str = "chain-ignored";
/// The client takes a record after its last day.
pub const LAST_DAY_IGNORED: &str = "last-day-ignored";
/// The client takes a record of a lower epoch than it has seen.
pub const EPOCH_IGNORED: &str = "epoch-ignored";
/// The client draws an address again for another payment.
pub const REUSE_IGNORED: &str = "reuse-ignored";
/// The client draws the amount that the server says.
pub const AMOUNT_NOT_COMPUTED: &str = "amount-not-computed";
/// The client does not compare the total with the one that was confirmed.
pub const TOTAL_NOT_COMPARED: &str = "total-not-compared";
/// The client takes a payment's deadline for one a day later.
pub const DEADLINE_LATER: &str = "deadline-later";
/// The client says of no password that its length is wrong.
pub const PASSWORD_LENGTH_UNSAID: &str = "password-length-unsaid";
/// «I have paid» is believed.
pub const NOTICE_BELIEVED: &str = "notice-believed";
/// Signing out leaves the key in the keyring.
pub const SIGN_OUT_KEEPS_KEY: &str = "sign-out-keeps-key";
/// Signing out leaves the account's files.
pub const SIGN_OUT_KEEPS_FILES: &str = "sign-out-keeps-files";
/// The client's files are not encrypted.
pub const FILES_IN_CLEAR: &str = "files-in-clear";
/// Where no address is free, another payment's is offered.
pub const ADDRESS_OF_ANOTHER: &str = "address-of-another";
/// Prices count for ever.
pub const STALE_RATES: &str = "stale-rates";
/// A method is offered although its node does not answer.
pub const NODE_DOWN_IGNORED: &str = "node-down-ignored";
/// A node that no other is connected to counts as one that sees its network.
pub const NODE_WITHOUT_PEERS_HEALTHY: &str = "node-without-peers-healthy";
/// A watcher that does not reach the tip for long is no alarm while its node answers.
pub const LAG_UNSAID: &str = "lag-unsaid";
/// Instructions stay open while the server answers, whether or not the account can be fetched.
pub const SLIP_ON_STATUS_ALONE: &str = "slip-on-status-alone";
/// Lots are sold that others hold.
pub const STOCK_UNCHECKED: &str = "stock-unchecked";
/// The server cuts or fills up a password of the wrong length.
pub const PASSWORD_LENGTH_UNCHECKED: &str = "password-length-unchecked";
/// The store commits each statement by itself.
pub const HALF_COMMITTED: &str = "half-committed";
/// A lost block's credits are not reversed.
pub const FORK_NOT_UNDONE: &str = "fork-not-undone";
/// A token that was replaced long ago is taken for one that a slow answer brought.
pub const REUSE_UNDETECTED: &str = "reuse-undetected";
/// The removal of idle accounts does not ask whether something was ever ordered.
pub const IDLE_REMOVAL_TAKES_CUSTOMERS: &str = "idle-removal-takes-customers";
/// An authenticator code is good as often as it is typed.
pub const CODE_REUSED: &str = "code-reused";
/// The client does not notice that the server has fallen silent.
pub const SILENCE_IGNORED: &str = "silence-ignored";
/// The door for the command line is open to every user of the machine.
pub const OPEN_DOOR: &str = "open-door";
/// The door for the command line writes what it answers into the log.
pub const DOOR_LOGS_ANSWERS: &str = "door-logs-answers";
/// The check of an installation compares no books.
pub const BOOKS_UNCHECKED: &str = "books-unchecked";

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
