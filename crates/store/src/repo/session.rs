//! Sign-ins, and how often something was tried.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// A sign-in on one device.
    SessionRow {
        /// Random id.
        id: String,
        /// Whose.
        account_id: String,
        /// What the device calls itself.
        device_name: String,
        /// Number of the newest token that was used.
        token_number: i64,
        /// When it began.
        created_at: Timestamp,
        /// When it was last used.
        last_used_at: Timestamp,
        /// When it ends if it is not used; when it ended, if that was earlier.
        expires_at: Timestamp,
        /// When it was ended.
        ended_at: Option<Timestamp>,
        /// Why: `signed_out`, `password_changed`, `copied` or `removed`.
        ended_why: Option<String>,
    }
}

record! {
    /// A token of a sign-in.
    TokenRow {
        /// SHA-256 of it.
        token_hash: Vec<u8>,
        /// The sign-in.
        session_id: String,
        /// Its place among the sign-in's tokens, from 1.
        number: i64,
        /// When it was made.
        made_at: Timestamp,
        /// When its successor was first used.
        replaced_at: Option<Timestamp>,
    }
}

statements! {
    INSERT = "INSERT INTO session (id, account_id, device_name, token_number, created_at, last_used_at, expires_at, ended_at, ended_why) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    BY_ID = "SELECT * FROM session WHERE id = $1";
    INSERT_TOKEN = "INSERT INTO session_token (token_hash, session_id, number, made_at, replaced_at) VALUES ($1, $2, $3, $4, $5)";
    TOKEN = "SELECT * FROM session_token WHERE token_hash = $1";
    TOKEN_NUMBERED = "SELECT * FROM session_token WHERE session_id = $1 AND number = $2";
    MOVE_ON = "UPDATE session SET token_number = $2 WHERE id = $1 AND token_number < $2";
    REPLACED = "UPDATE session_token SET replaced_at = $3 WHERE session_id = $1 AND number < $2 AND replaced_at IS NULL";
    USE = "UPDATE session SET last_used_at = $2, expires_at = $3 WHERE id = $1 AND ended_at IS NULL";
    END = "UPDATE session SET ended_at = $2, ended_why = $3, expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END WHERE id = $1 AND ended_at IS NULL";
    END_OTHERS = "UPDATE session SET ended_at = $3, ended_why = $4, expires_at = CASE WHEN expires_at < $3 THEN expires_at ELSE $3 END WHERE account_id = $1 AND id <> $2 AND ended_at IS NULL";
    OVER = "SELECT id FROM session WHERE expires_at <= $1 ORDER BY expires_at, id LIMIT $2";
    DELETE_TOKENS = "DELETE FROM session_token WHERE session_id = $1";
    DELETE = "DELETE FROM session WHERE id = $1";
    TRY = "INSERT INTO throttle (key, window_started_at, tries) VALUES ($1, $2, 1) ON CONFLICT (key) DO UPDATE SET tries = CASE WHEN throttle.window_started_at <= $3 THEN 1 ELSE throttle.tries + 1 END, window_started_at = CASE WHEN throttle.window_started_at <= $3 THEN $2 ELSE throttle.window_started_at END RETURNING tries, window_started_at";
    FORGET_TRIES = "DELETE FROM throttle WHERE key = $1";
    SWEEP_TRIES = "DELETE FROM throttle WHERE window_started_at <= $1";
}

/// Adds a sign-in.
pub fn insert(tx: &mut Tx<'_>, session: &SessionRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &session.values()).map(|_| ())
}

/// The sign-in of that id, ended ones too.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<SessionRow>, StoreError> {
    tx.query_opt(BY_ID, params![id])?.as_ref().map(SessionRow::from_row).transpose()
}

/// Adds a token. `Unique` when it is taken, or when the sign-in has one of that number.
pub fn insert_token(tx: &mut Tx<'_>, token: &TokenRow) -> Result<(), StoreError> {
    tx.execute(INSERT_TOKEN, &token.values()).map(|_| ())
}

/// The token of that hash, replaced ones and those of ended sign-ins too.
pub fn token(tx: &mut Tx<'_>, token_hash: &[u8]) -> Result<Option<TokenRow>, StoreError> {
    tx.query_opt(TOKEN, params![token_hash])?.as_ref().map(TokenRow::from_row).transpose()
}

/// The sign-in's token of that number.
pub fn token_numbered(tx: &mut Tx<'_>, session_id: &str, number: i64) -> Result<Option<TokenRow>, StoreError> {
    tx.query_opt(TOKEN_NUMBERED, params![session_id, number])?.as_ref().map(TokenRow::from_row).transpose()
}

/// A token is used for the first time: every earlier one of the sign-in is replaced from now on.
pub fn move_on(tx: &mut Tx<'_>, session_id: &str, number: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(MOVE_ON, params![session_id, number])?;
    tx.execute(REPLACED, params![session_id, number, now]).map(|_| ())
}

/// Notes a use and moves the end; false when the sign-in was ended.
pub fn touch(tx: &mut Tx<'_>, id: &str, now: Timestamp, expires_at: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.execute(USE, params![id, now, expires_at])? == 1)
}

/// Ends a sign-in; false when it was ended before.
pub fn end(tx: &mut Tx<'_>, id: &str, now: Timestamp, why: &str) -> Result<bool, StoreError> {
    Ok(tx.execute(END, params![id, now, why])? == 1)
}

/// Ends every other sign-in of the account; all of them when `kept_id` is empty.
pub fn end_others(
    tx: &mut Tx<'_>,
    account_id: &str,
    kept_id: &str,
    now: Timestamp,
    why: &str,
) -> Result<(), StoreError> {
    tx.execute(END_OTHERS, params![account_id, kept_id, now, why]).map(|_| ())
}

/// Sign-ins that ended by then, oldest first.
pub fn over(tx: &mut Tx<'_>, by: Timestamp, limit: i64) -> Result<Vec<String>, StoreError> {
    all(&tx.query(OVER, params![by, limit])?, |row| row.get("id"))
}

/// Deletes a sign-in with its tokens.
pub fn delete(tx: &mut Tx<'_>, id: &str) -> Result<(), StoreError> {
    tx.execute(DELETE_TOKENS, params![id])?;
    tx.execute(DELETE, params![id]).map(|_| ())
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
