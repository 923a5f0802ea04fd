//! Single values beside the history.

use api::server::{CatalogueAnswer, StatusAnswer};
use domain::Timestamp;
use rusqlite::{Connection, OptionalExtension};
use serde::de::DeserializeOwned;

use super::Cache;
use crate::error::StorageError;

/// A value that is kept once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Where the sync goes on.
    Cursor,
    /// When the last page came, microseconds of this device's clock: ages are told by the clock they began on.
    SyncedAt,
    /// The catalogue with its version.
    Catalogue,
    /// The server's status.
    Status,
    /// Server clock minus device clock, microseconds.
    ClockOffset,
}

impl Fact {
    const fn name(self) -> &'static str {
        match self {
            Fact::Cursor => "cursor",
            Fact::SyncedAt => "synced_at",
            Fact::Catalogue => "catalogue",
            Fact::Status => "status",
            Fact::ClockOffset => "clock_offset",
        }
    }
}

pub(super) fn put(connection: &Connection, fact: Fact, value: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO fact (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(sql, [fact.name(), value]).map(|_| ())
}

pub(super) fn get(connection: &Connection, fact: Fact) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT value FROM fact WHERE name = ?1", [fact.name()], |row| row.get(0)).optional()
}

pub(super) fn remove(connection: &Connection, fact: Fact) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM fact WHERE name = ?1", [fact.name()]).map(|_| ())
}

impl Cache {
    /// Where the sync goes on; none before the first page.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn cursor(&self) -> Result<Option<String>, StorageError> {
        Ok(get(&self.connection, Fact::Cursor)?)
    }

    /// When the last page came.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn synced_at(&self) -> Result<Option<Timestamp>, StorageError> {
        Ok(self.number(Fact::SyncedAt)?.map(Timestamp::from_micros))
    }

    /// Keeps the catalogue as told.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn keep_catalogue(&mut self, answer: &CatalogueAnswer) -> Result<(), StorageError> {
        let text = serde_json::to_string(answer).map_err(damaged)?;
        Ok(put(&self.connection, Fact::Catalogue, &text)?)
    }

    /// The catalogue as last told.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn catalogue(&self) -> Result<Option<CatalogueAnswer>, StorageError> {
        self.json(Fact::Catalogue)
    }

    /// Keeps the status and the clock's offset as told.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn keep_status(&mut self, status: &StatusAnswer, offset_micros: Option<i64>) -> Result<(), StorageError> {
        let text = serde_json::to_string(status).map_err(damaged)?;
        let tx = self.connection.transaction()?;
        put(&tx, Fact::Status, &text)?;
        if let Some(offset) = offset_micros {
            put(&tx, Fact::ClockOffset, &offset.to_string())?;
        }
        Ok(tx.commit()?)
    }

    /// The status as last told.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn status(&self) -> Result<Option<StatusAnswer>, StorageError> {
        self.json(Fact::Status)
    }

    /// The clock's offset as last measured.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn clock_offset(&self) -> Result<Option<i64>, StorageError> {
        self.number(Fact::ClockOffset)
    }

    fn number(&self, fact: Fact) -> Result<Option<i64>, StorageError> {
        Ok(get(&self.connection, fact)?.and_then(|text| text.parse().ok()))
    }

    /// A kept answer; one that another version wrote and this one can't read counts as absent.
    fn json<T: DeserializeOwned>(&self, fact: Fact) -> Result<Option<T>, StorageError> {
        Ok(get(&self.connection, fact)?.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

fn damaged(error: serde_json::Error) -> StorageError {
    StorageError::Damaged { detail: error.to_string() }
}
