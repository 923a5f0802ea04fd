//! Signed addresses: files imported, addresses free and issued.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// An imported file.
    FileRow {
        /// Random id.
        id: String,
        /// The network's code.
        network: String,
        /// Epoch of its records.
        epoch: u32,
        /// Fingerprint of the key that signed it.
        key_fingerprint: String,
        /// The signed header, as text.
        header: String,
        /// How many addresses it holds.
        addresses: u32,
        /// Last day of its records, ISO.
        last_day: String,
        /// When it was imported.
        imported_at: Timestamp,
        /// SHA-256 of the whole text.
        text_hash: Vec<u8>,
    }
}

record! {
    /// An address.
    AddressRow {
        /// Random id.
        id: String,
        /// The network's code.
        network: String,
        /// The address.
        address: String,
        /// Its scriptPubKey, hexadecimal.
        script_hex: String,
        /// Its index below the account key.
        derivation_index: u32,
        /// Epoch of its record.
        epoch: u32,
        /// Last day of its record, ISO.
        last_day: String,
        /// The signed record with its header, as the client reads it.
        record: String,
        /// The file it came from.
        file_id: String,
        /// The payment that has it.
        payment_id: Option<String>,
        /// When it was issued.
        issued_at: Option<Timestamp>,
        /// When a restore set it aside, if one did: from then on it is watched and never given out.
        set_aside_at: Option<Timestamp>,
    }
}

statements! {
    INSERT_FILE = "INSERT INTO address_file (id, network, epoch, key_fingerprint, header, addresses, last_day, imported_at, text_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    FILE_KNOWN = "SELECT id FROM address_file WHERE text_hash = $1";
    INSERT = "INSERT INTO address (id, network, address, script_hex, derivation_index, epoch, last_day, record, file_id, payment_id, issued_at, set_aside_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    RENEW = "UPDATE address SET epoch = $3, last_day = $4, record = $5, file_id = $6 WHERE network = $1 AND address = $2 AND payment_id IS NULL AND set_aside_at IS NULL AND epoch <= $3";
    FREE = "SELECT * FROM address WHERE network = $1 AND payment_id IS NULL AND set_aside_at IS NULL AND id NOT IN (SELECT address_id FROM transfer WHERE payment_id IS NULL) AND last_day >= $2 AND epoch = (SELECT MAX(epoch) FROM address WHERE network = $1) ORDER BY derivation_index LIMIT 1 FOR UPDATE SKIP LOCKED";
    COUNT_FREE = "SELECT COUNT(*) AS free FROM address WHERE network = $1 AND payment_id IS NULL AND set_aside_at IS NULL AND id NOT IN (SELECT address_id FROM transfer WHERE payment_id IS NULL) AND last_day >= $2 AND epoch = (SELECT MAX(epoch) FROM address WHERE network = $1)";
    FREE_UNTIL = "SELECT MIN(last_day) AS last_day FROM address WHERE network = $1 AND payment_id IS NULL AND set_aside_at IS NULL AND id NOT IN (SELECT address_id FROM transfer WHERE payment_id IS NULL) AND last_day >= $2 AND epoch = (SELECT MAX(epoch) FROM address WHERE network = $1)";
    COUNT = "SELECT COUNT(*) AS addresses FROM address WHERE network = $1 AND epoch = (SELECT MAX(epoch) FROM address WHERE network = $1)";
    ISSUE = "UPDATE address SET payment_id = $2, issued_at = $3 WHERE id = $1 AND payment_id IS NULL AND set_aside_at IS NULL";
    SET_ASIDE = "UPDATE address SET set_aside_at = $1 WHERE payment_id IS NULL AND set_aside_at IS NULL";
    BY_ID = "SELECT * FROM address WHERE id = $1";
    BY_ADDRESS = "SELECT * FROM address WHERE network = $1 AND address = $2";
    WATCHED = "SELECT script_hex, address FROM address WHERE network = $1 ORDER BY id";
    WATCHED_COUNT = "SELECT COUNT(*) AS addresses FROM address WHERE network = $1";
}

/// Adds an imported file.
pub fn insert_file(tx: &mut Tx<'_>, file: &FileRow) -> Result<(), StoreError> {
    tx.execute(INSERT_FILE, &file.values()).map(|_| ())
}

/// Whether a file of exactly that text was imported before.
pub fn file_known(tx: &mut Tx<'_>, text_hash: &[u8]) -> Result<bool, StoreError> {
    Ok(tx.query_opt(FILE_KNOWN, params![text_hash])?.is_some())
}

/// Adds an address. `Unique` when the network has it, or its script, already.
pub fn insert(tx: &mut Tx<'_>, address: &AddressRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &address.values()).map(|_| ())
}

/// Gives a free address a newer record; false when it is issued, set aside, unknown, or of a later epoch.
pub fn renew(tx: &mut Tx<'_>, newer: &AddressRow) -> Result<bool, StoreError> {
    let values = params![&newer.network, &newer.address, newer.epoch, &newer.last_day, &newer.record, &newer.file_id];
    Ok(tx.execute(RENEW, values)? == 1)
}

/// A free address of the newest epoch whose last day is that day or later, lowest index first. One that money was sent to is not
/// free: the wallet that it comes from gave it to somebody else.
pub fn free(tx: &mut Tx<'_>, network: &str, good_until: &str) -> Result<Option<AddressRow>, StoreError> {
    tx.query_opt(FREE, params![network, good_until])?.as_ref().map(AddressRow::from_row).transpose()
}

/// Free addresses, as [`free`] knows them, and all addresses, of the newest epoch.
pub fn pool(tx: &mut Tx<'_>, network: &str, good_until: &str) -> Result<(u32, u32), StoreError> {
    let free = tx.query_one(COUNT_FREE, params![network, good_until])?.get("free")?;
    Ok((free, tx.query_one(COUNT, params![network])?.get("addresses")?))
}

/// The earliest last day among the free addresses of the newest epoch; none when none is free.
pub fn free_until(tx: &mut Tx<'_>, network: &str, today: &str) -> Result<Option<String>, StoreError> {
    tx.query_one(FREE_UNTIL, params![network, today])?.get("last_day")
}

/// Gives an address to a payment, once; false when another payment has it, or it was set aside.
pub fn issue(tx: &mut Tx<'_>, id: &str, payment_id: &str, now: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.execute(ISSUE, params![id, payment_id, now])? == 1)
}

/// Sets every free address of every network aside, and answers how many those were.
pub fn set_free_aside(tx: &mut Tx<'_>, now: Timestamp) -> Result<u64, StoreError> {
    tx.execute(SET_ASIDE, params![now])
}

/// The address of that id.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<AddressRow, StoreError> {
    AddressRow::from_row(&tx.query_one(BY_ID, params![id])?)
}

/// The address of that text.
pub fn by_address(tx: &mut Tx<'_>, network: &str, address: &str) -> Result<Option<AddressRow>, StoreError> {
    tx.query_opt(BY_ADDRESS, params![network, address])?.as_ref().map(AddressRow::from_row).transpose()
}

/// Script and address of everything ever imported for a network: what the watcher matches against.
pub fn watched(tx: &mut Tx<'_>, network: &str) -> Result<Vec<(String, String)>, StoreError> {
    all(&tx.query(WATCHED, params![network])?, |row| Ok((row.get("script_hex")?, row.get("address")?)))
}

/// How many addresses were ever imported for a network.
pub fn watched_count(tx: &mut Tx<'_>, network: &str) -> Result<i64, StoreError> {
    tx.query_one(WATCHED_COUNT, params![network])?.get("addresses")
}
