//! Sign-ins, and how often something was tried.

use domain::Timestamp;

use super::record::record;
use crate::{StoreError, Tx, params, statements};

record! {
    /// A sign-in on one device.
    SessionRow {
        /// Random id.
        id: String,
        /// Whose.
        account_id: String,
        /// SHA-256 of the token.
        token_hash: Vec<u8>,
        /// What the device calls itself.
        device_name: String,
        /// When it began.
        created_at: Timestamp,
        /// When it was last used.
        last_used_at: Timestamp,
        /// When it ends if it is not used.
        expires_at: Timestamp,
        /// When it was ended.
        ended_at: Option<Timestamp>,
    }
}

statements! {
    INSERT = "INSERT INTO session (id, account_id, token_hash, device_name, created_at, last_used_at, expires_at, ended_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    BY_TOKEN = "SELECT * FROM session WHERE token_hash = $1";
    USE = "UPDATE session SET last_used_at = $2, expires_at = $3 WHERE id = $1 AND ended_at IS NULL";
    END = "UPDATE session SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL";
    END_OTHERS = "UPDATE session SET ended_at = $3 WHERE account_id = $1 AND id <> $2 AND ended_at IS NULL";
    TRY = "INSERT INTO throttle (key, window_started_at, tries) VALUES ($1, $2, 1) ON CONFLICT (key) DO UPDATE SET tries = CASE WHEN throttle.window_started_at <= $3 THEN 1 ELSE throttle.tries + 1 END, window_started_at = CASE WHEN throttle.window_started_at <= $3 THEN $2 ELSE throttle.window_started_at END RETURNING tries, window_started_at";
    FORGET_TRIES = "DELETE FROM throttle WHERE key = $1";
    SWEEP_TRIES = "DELETE FROM throttle WHERE window_started_at <= $1";
}

/// Adds a sign-in.
pub fn insert(tx: &mut Tx<'_>, session: &SessionRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &session.values()).map(|_| ())
}

/// The sign-in of that token, ended ones too.
pub fn by_token(tx: &mut Tx<'_>, token_hash: &[u8]) -> Result<Option<SessionRow>, StoreError> {
    tx.query_opt(BY_TOKEN, params![token_hash])?.as_ref().map(SessionRow::from_row).transpose()
}

/// Notes a use and moves the end.
pub fn touch(tx: &mut Tx<'_>, id: &str, now: Timestamp, expires_at: Timestamp) -> Result<(), StoreError> {
    tx.execute(USE, params![id, now, expires_at]).map(|_| ())
}

/// Ends a sign-in.
pub fn end(tx: &mut Tx<'_>, id: &str, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(END, params![id, now]).map(|_| ())
}

/// Ends every other sign-in of the account.
pub fn end_others(tx: &mut Tx<'_>, account_id: &str, kept_id: &str, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(END_OTHERS, params![account_id, kept_id, now]).map(|_| ())
}

/// Counts a try. A window that began at or before `oldest` starts anew. Returns tries in the window and its start.
pub fn count_try(
    tx: &mut Tx<'_>,
    key: &str,
    now: Timestamp,
    oldest: Timestamp,
) -> Result<(i64, Timestamp), StoreError> {
    let row = tx.query_one(TRY, params![key, now, oldest])?;
    Ok((row.get("tries")?, row.get("window_started_at")?))
}

/// Forgets the tries of a key after a success.
pub fn forget_tries(tx: &mut Tx<'_>, key: &str) -> Result<(), StoreError> {
    tx.execute(FORGET_TRIES, params![key]).map(|_| ())
}

/// Removes windows that began at or before `oldest`.
pub fn sweep_tries(tx: &mut Tx<'_>, oldest: Timestamp) -> Result<u64, StoreError> {
    tx.execute(SWEEP_TRIES, params![oldest])
}
