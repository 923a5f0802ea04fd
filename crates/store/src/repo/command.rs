//! First answers of idempotent commands.

use domain::Timestamp;

use crate::{StoreError, Tx, params, statements};

statements! {
    FIND = "SELECT body_hash, answer FROM command WHERE account_id = $1 AND id = $2";
    INSERT = "INSERT INTO command (account_id, id, body_hash, answer, at) VALUES ($1, $2, $3, $4, $5)";
}

/// A command that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRow {
    /// SHA-256 of what was asked.
    pub body_hash: Vec<u8>,
    /// What was answered, JSON.
    pub answer: String,
}

/// The first answer to that id, if it was given before.
pub fn find(tx: &mut Tx<'_>, account_id: &str, id: &str) -> Result<Option<CommandRow>, StoreError> {
    let row = tx.query_opt(FIND, params![account_id, id])?;
    row.map(|row| Ok(CommandRow { body_hash: row.get("body_hash")?, answer: row.get("answer")? })).transpose()
}

/// Stores the first answer.
pub fn insert(tx: &mut Tx<'_>, account_id: &str, id: &str, row: &CommandRow, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(INSERT, params![account_id, id, &row.body_hash, &row.answer, now]).map(|_| ())
}
