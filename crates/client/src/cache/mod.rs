//! The cache: what the server told of one account, readable, searchable and exportable without a network (H1).
//! Everything in it can be dropped and fetched again.

mod facts;
mod known;
mod pages;
mod read;

use std::fs;
use std::path::Path;

use migrate::Migration;
use rusqlite::Connection;

use crate::error::StorageError;
use crate::sealed::{self, AccountKey, with_side_files};

pub use facts::Fact;

/// The file's name inside an account's folder.
pub const FILE_NAME: &str = "cache.db";

/// The schema of the file.
pub const SCHEMA: &[Migration] = &[
    Migration { name: "0001_first", sql: include_str!("../../../../migrations/client/cache/0001_first.sql") },
    Migration { name: "0002_last_known", sql: include_str!("../../../../migrations/client/cache/0002_last_known.sql") },
];

/// The open cache of one account.
pub struct Cache {
    connection: Connection,
}

impl Cache {
    /// Opens the cache. One that can't be opened with the account's key, or that another version wrote, is dropped and
    /// begun anew: the next sync fills it.
    ///
    /// # Errors
    /// [`StorageError`] when the new one can't be made either.
    pub fn open(folder: &Path, key: &AccountKey) -> Result<Self, StorageError> {
        let connection = match sealed::open(folder, FILE_NAME, key, SCHEMA) {
            Err(error) if is_beyond_repair(&error) => {
                tracing::warn!(%error, "the cache is dropped and fetched again");
                for path in with_side_files(&folder.join(FILE_NAME)) {
                    if path.exists() {
                        fs::remove_file(path)?;
                    }
                }
                sealed::open(folder, FILE_NAME, key, SCHEMA)?
            }
            other => other?,
        };
        Ok(Self { connection })
    }
}

/// Whether the file itself is at fault, rather than a full disk or another program.
fn is_beyond_repair(error: &StorageError) -> bool {
    matches!(error, StorageError::Migration(_)) || error.is_unreadable_file()
}

#[cfg(test)]
mod tests;
