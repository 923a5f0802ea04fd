//! The chain as the watcher has read it. Each step is applied by compare-and-set on the generation.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// A network's watcher.
    WatcherRow {
        /// The network's code.
        network: String,
        /// Moves with every applied step.
        generation: i64,
        /// Height of the last block applied.
        height: Option<u32>,
        /// Its hash.
        hash: Option<String>,
        /// Time in its header.
        block_time: Option<Timestamp>,
        /// The node's height when it was last asked.
        tip_height: Option<u32>,
        /// When the watcher last tried.
        checked_at: Option<Timestamp>,
        /// When tip and mempool were last read to the end.
        at_tip_at: Option<Timestamp>,
        /// What is wrong, as a short code with detail.
        error: Option<String>,
        /// Since when.
        error_since: Option<Timestamp>,
    }
}

record! {
    /// A block of the best chain.
    BlockRow {
        /// The network's code.
        network: String,
        /// Height.
        height: i64,
        /// Hash.
        hash: String,
        /// Hash of the block below.
        parent_hash: String,
        /// Time in its header.
        time: Timestamp,
    }
}

statements! {
    ENSURE = "INSERT INTO watcher (network, generation) VALUES ($1, 0) ON CONFLICT (network) DO NOTHING";
    WATCHER = "SELECT * FROM watcher WHERE network = $1";
    WATCHERS = "SELECT * FROM watcher ORDER BY network";
    ADVANCE = "UPDATE watcher SET generation = generation + 1, height = $3, hash = $4, block_time = $5 WHERE network = $1 AND generation = $2";
    CHECKED = "UPDATE watcher SET checked_at = $2, tip_height = $3, error = NULL, error_since = NULL WHERE network = $1";
    AT_TIP = "UPDATE watcher SET at_tip_at = CASE WHEN at_tip_at > $3 AND at_tip_at < $4 THEN at_tip_at ELSE $3 END WHERE network = $1 AND generation = $2";
    FAILED = "UPDATE watcher SET checked_at = $2, error = $3, error_since = COALESCE(error_since, $2) WHERE network = $1";
    INSERT_BLOCK = "INSERT INTO block (network, height, hash, parent_hash, time) VALUES ($1, $2, $3, $4, $5)";
    DROP_ABOVE = "DELETE FROM block WHERE network = $1 AND height > $2";
    PRUNE = "DELETE FROM block WHERE network = $1 AND height < $2";
    RECENT = "SELECT * FROM block WHERE network = $1 ORDER BY height DESC LIMIT $2";
}

/// The network's watcher, made if it is new.
pub fn watcher(tx: &mut Tx<'_>, network: &str) -> Result<Option<WatcherRow>, StoreError> {
    tx.query_opt(WATCHER, params![network])?.as_ref().map(WatcherRow::from_row).transpose()
}

/// Makes the network's watcher unless it is there.
pub fn ensure(tx: &mut Tx<'_>, network: &str) -> Result<(), StoreError> {
    tx.execute(ENSURE, params![network]).map(|_| ())
}

/// Every watcher.
pub fn watchers(tx: &mut Tx<'_>) -> Result<Vec<WatcherRow>, StoreError> {
    all(&tx.query(WATCHERS, params![])?, WatcherRow::from_row)
}

/// Moves the watcher to a block, or to before the first one; false when somebody else moved it: then stop.
pub fn advance(tx: &mut Tx<'_>, network: &str, generation: i64, to: Option<&BlockRow>) -> Result<bool, StoreError> {
    let values = params![
        network,
        generation,
        to.map(|block| block.height),
        to.map(|block| block.hash.clone()),
        to.map(|block| block.time)
    ];
    Ok(tx.execute(ADVANCE, values)? == 1)
}

/// Notes that the node answered.
pub fn checked(tx: &mut Tx<'_>, network: &str, now: Timestamp, tip_height: i64) -> Result<(), StoreError> {
    tx.execute(CHECKED, params![network, now, tip_height]).map(|_| ())
}

/// Notes that tip and mempool were read to the end at that generation; false when the chain moved since. A clock that was set
/// back does not take back what was read, unless the reading is from further ahead than `believed`: then that clock was wrong.
pub fn at_tip(
    tx: &mut Tx<'_>,
    network: &str,
    generation: i64,
    now: Timestamp,
    believed: Timestamp,
) -> Result<bool, StoreError> {
    Ok(tx.execute(AT_TIP, params![network, generation, now, believed])? == 1)
}

/// Notes a failure.
pub fn failed(tx: &mut Tx<'_>, network: &str, now: Timestamp, error: &str) -> Result<(), StoreError> {
    tx.execute(FAILED, params![network, now, error]).map(|_| ())
}

/// Adds a block on top.
pub fn insert_block(tx: &mut Tx<'_>, block: &BlockRow) -> Result<(), StoreError> {
    tx.execute(INSERT_BLOCK, &block.values()).map(|_| ())
}

/// Drops the blocks above a height; below zero drops all.
pub fn drop_above(tx: &mut Tx<'_>, network: &str, height: i64) -> Result<u64, StoreError> {
    tx.execute(DROP_ABOVE, params![network, height])
}

/// Forgets blocks below a height: no fork reaches that deep.
pub fn prune(tx: &mut Tx<'_>, network: &str, below: i64) -> Result<u64, StoreError> {
    tx.execute(PRUNE, params![network, below])
}

/// The newest blocks, newest first.
pub fn recent(tx: &mut Tx<'_>, network: &str, limit: i64) -> Result<Vec<BlockRow>, StoreError> {
    all(&tx.query(RECENT, params![network, limit])?, BlockRow::from_row)
}
