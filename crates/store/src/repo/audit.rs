//! The audit log: numbered without gaps, each record chained to the one before by its hash.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// A record.
    AuditRow {
        /// From 1, without gaps.
        number: i64,
        /// When.
        at: Timestamp,
        /// Who.
        actor: String,
        /// What.
        action: String,
        /// Of what.
        subject: String,
        /// Details, JSON; no secrets.
        data: String,
        /// Hash of the record before; zeros for the first.
        previous_hash: String,
        /// SHA-256 of all the above, hexadecimal.
        hash: String,
    }
}

statements! {
    INSERT = "INSERT INTO audit (number, at, actor, action, subject, data, previous_hash, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    LAST = "SELECT * FROM audit ORDER BY number DESC LIMIT 1";
    PAGE = "SELECT * FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2";
    FROM = "SELECT * FROM audit WHERE number >= $1 ORDER BY number LIMIT $2";
}

/// Adds the next record. `Unique` when another took its number.
pub fn insert(tx: &mut Tx<'_>, record: &AuditRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &record.values()).map(|_| ())
}

/// The newest record.
pub fn last(tx: &mut Tx<'_>) -> Result<Option<AuditRow>, StoreError> {
    tx.query_opt(LAST, params![])?.as_ref().map(AuditRow::from_row).transpose()
}

/// Records before a number, newest first.
pub fn page(tx: &mut Tx<'_>, before: i64, limit: i64) -> Result<Vec<AuditRow>, StoreError> {
    all(&tx.query(PAGE, params![before, limit])?, AuditRow::from_row)
}

/// Records from a number on, oldest first.
pub fn from(tx: &mut Tx<'_>, number: i64, limit: i64) -> Result<Vec<AuditRow>, StoreError> {
    all(&tx.query(FROM, params![number, limit])?, AuditRow::from_row)
}
