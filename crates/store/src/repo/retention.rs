//! What is forgotten after its period, a batch at a time.

use domain::Timestamp;

use crate::{StoreError, Tx, params, statements};

statements! {
    COMMANDS = "DELETE FROM command WHERE (account_id, id) IN (SELECT account_id, id FROM command WHERE at <= $1 AND id <= $2 ORDER BY at LIMIT $3)";
    PREFIXES = "UPDATE payment SET network_prefix = '' WHERE id IN (SELECT id FROM payment WHERE network_prefix > '' AND deadline <= $1 LIMIT $2)";
    RATES = "DELETE FROM recorded_rate WHERE method = $1 AND at IN (SELECT at FROM recorded_rate WHERE method = $1 AND at < (SELECT MAX(at) FROM recorded_rate WHERE method = $1 AND at <= $2) ORDER BY at LIMIT $3)";
}

/// Forgets answers of commands that were given by `by` and whose id is not above `highest_id`.
pub fn commands(tx: &mut Tx<'_>, by: Timestamp, highest_id: &str, limit: i64) -> Result<u64, StoreError> {
    tx.execute(COMMANDS, params![by, highest_id, limit])
}

/// Forgets from which network payments were asked for whose deadline passed by `by`.
pub fn prefixes(tx: &mut Tx<'_>, by: Timestamp, limit: i64) -> Result<u64, StoreError> {
    tx.execute(PREFIXES, params![by, limit])
}

/// Forgets a method's rates before the last one that was recorded by `by`, which stays: it is the nearest one before whatever
/// happens after.
pub fn rates(tx: &mut Tx<'_>, method: &str, by: Timestamp, limit: i64) -> Result<u64, StoreError> {
    tx.execute(RATES, params![method, by, limit])
}
