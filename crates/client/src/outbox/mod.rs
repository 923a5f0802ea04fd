//! The outbox: what only this device knows of an account. Commands are saved before they are sent; what the person
//! confirmed and the sign-in stand beside them. Unlike the cache, this file is never dropped while the account is held.

mod commands;
mod sign_in;

use std::fs;
use std::path::Path;

use domain::time::HOUR_MICROS;
use domain::{Cents, Method, Timestamp};
use migrate::Migration;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::StorageError;
use crate::sealed::{self, AccountKey, with_side_files};

pub use commands::{Kept, SavedCommand};
pub use sign_in::SignIn;

/// The file's name inside an account's folder.
pub const FILE_NAME: &str = "outbox.db";

const SCHEMA: &[Migration] =
    &[Migration { name: "0001_first", sql: include_str!("../../../../migrations/client/outbox/0001_first.sql") }];

/// A command that waits for the person, not for the network, is forgotten after so long: an order's price stands as long.
const UNDECIDED_MICROS: i64 = 24 * HOUR_MICROS;

/// What the person confirmed before instructions came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The method.
    pub method: Method,
    /// What was to be paid.
    pub total: Cents,
}

/// Puts a damaged outbox aside, inside the account's folder, where signing out deletes it.
///
/// # Errors
/// When the file system refuses.
pub fn set_aside(folder: &Path, now: Timestamp) -> Result<(), StorageError> {
    for path in with_side_files(&folder.join(FILE_NAME)) {
        if let (true, Some(name)) = (path.exists(), path.file_name()) {
            fs::rename(&path, folder.join(format!("damaged-{}-{}", now.micros(), name.to_string_lossy())))?;
        }
    }
    Ok(())
}

/// The open outbox of one account.
pub struct Outbox {
    connection: Connection,
}

impl Outbox {
    /// Opens the outbox and forgets commands that nobody asked about again for a day.
    ///
    /// # Errors
    /// [`StorageError`]; a file that the key does not open is left alone.
    pub fn open(folder: &Path, key: &AccountKey, now: Timestamp) -> Result<Self, StorageError> {
        let connection = sealed::open(folder, FILE_NAME, key, SCHEMA)?;
        let before = now.plus_micros(-UNDECIDED_MICROS).micros();
        connection.execute("DELETE FROM command WHERE kept = 0 AND made_at < ?1", [before])?;
        Ok(Self { connection })
    }

    /// What was confirmed for a payment on this device.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn confirmed(&self, payment_id: &str) -> Result<Option<Confirmed>, StorageError> {
        let sql = "SELECT method, total_cents FROM confirmed WHERE payment_id = ?1";
        let found: Option<(String, i64)> =
            self.connection.query_row(sql, [payment_id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((method, cents)) = found else { return Ok(None) };
        let method =
            Method::from_code(&method).ok_or_else(|| StorageError::Damaged { detail: "a confirmed method".into() })?;
        Ok(Some(Confirmed { method, total: Cents::new(cents) }))
    }

    /// Keeps what was confirmed for a payment; the first word stands. The command that asked for it is done with.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn confirm(&mut self, payment_id: &str, confirmed: Confirmed, command_id: &str) -> Result<(), StorageError> {
        let tx = self.connection.transaction()?;
        tx.execute(
            "INSERT OR IGNORE INTO confirmed (payment_id, method, total_cents) VALUES (?1, ?2, ?3)",
            params![payment_id, confirmed.method.code(), confirmed.total.get()],
        )?;
        tx.execute("DELETE FROM command WHERE id = ?1", [command_id])?;
        Ok(tx.commit()?)
    }
}

#[cfg(test)]
mod tests;
