//! Alarms that stand, and small facts of the installation.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// An alarm that stands.
    AlarmRow {
        /// What kind, such as `watcher` or `rates`.
        kind: String,
        /// Of what.
        subject: String,
        /// What is wrong.
        detail: String,
        /// Since when.
        since: Timestamp,
    }
}

statements! {
    RAISE = "INSERT INTO alarm (kind, subject, detail, since) VALUES ($1, $2, $3, $4) ON CONFLICT (kind, subject) DO UPDATE SET detail = excluded.detail";
    CLEAR = "DELETE FROM alarm WHERE kind = $1 AND subject = $2";
    STANDING = "SELECT * FROM alarm ORDER BY since, kind, subject";
    SET = "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    GET = "SELECT value FROM setting WHERE name = $1";
}

/// Raises an alarm, or renews its detail; its age stays.
pub fn raise(tx: &mut Tx<'_>, alarm: &AlarmRow) -> Result<(), StoreError> {
    tx.execute(RAISE, &alarm.values()).map(|_| ())
}

/// Clears an alarm; whether it stood.
pub fn clear(tx: &mut Tx<'_>, kind: &str, subject: &str) -> Result<bool, StoreError> {
    Ok(tx.execute(CLEAR, params![kind, subject])? == 1)
}

/// Alarms that stand, oldest first.
pub fn standing(tx: &mut Tx<'_>) -> Result<Vec<AlarmRow>, StoreError> {
    all(&tx.query(STANDING, params![])?, AlarmRow::from_row)
}

/// Sets a fact.
pub fn set(tx: &mut Tx<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    tx.execute(SET, params![name, value]).map(|_| ())
}

/// Reads a fact.
pub fn get(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>, StoreError> {
    tx.query_opt(GET, params![name])?.map(|row| row.get("value")).transpose()
}
