//! Taking in a page of the sync: its rows and its cursor in one commit.

use api::server::{SyncAnswer, SyncRow};
use domain::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::Cache;
use super::facts::{self, Fact};
use super::known;
use super::read::Synced;
use crate::error::StorageError;

/// Rows that can stand in one microsecond.
const PLACES_PER_MICRO: i64 = 1_000;

impl Cache {
    /// Takes in a page. Killed before the commit, the cursor still points before the page, and it comes again whole.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn take(&mut self, page: &SyncAnswer, now: Timestamp) -> Result<(), StorageError> {
        let tx = self.connection.transaction()?;
        if page.reset {
            known::keep_all(&tx)?;
            tx.execute("DELETE FROM history", [])?;
            facts::remove(&tx, Fact::Cursor)?;
        }
        for row in &page.rows {
            take_row(&tx, row, now)?;
        }
        facts::put(&tx, Fact::Cursor, &page.cursor)?;
        facts::put(&tx, Fact::SyncedAt, &now.micros().to_string())?;
        Ok(tx.commit()?)
    }

    /// Keeps what a command answered until the pages bring it. A row that is held stays: the answer to a command that was
    /// repeated is the first one, and may be older.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn keep_answer<T: Synced>(&mut self, id: &str, view: &T, now: Timestamp) -> Result<(), StorageError> {
        let body = serde_json::to_value(view).map_err(|error| StorageError::Damaged { detail: error.to_string() })?;
        let row = SyncRow { kind: T::KIND.to_owned(), id: id.to_owned(), body };
        let tx = self.connection.transaction()?;
        let mut held = tx.prepare_cached("SELECT 1 FROM history WHERE kind = ?1 AND id = ?2")?;
        if held.query_row([&row.kind, &row.id], |_| Ok(())).optional()?.is_none() {
            take_row(&tx, &row, now)?;
        }
        drop(held);
        Ok(tx.commit()?)
    }
}

/// A row keeps its place when it changes. A kind that this version does not know is kept for one that does.
fn take_row(connection: &Connection, row: &SyncRow, now: Timestamp) -> rusqlite::Result<()> {
    known::keep_before(connection, row)?;
    let body = row.body.to_string();
    let mut update = connection.prepare_cached("UPDATE history SET body = ?3 WHERE kind = ?1 AND id = ?2")?;
    if update.execute(params![row.kind, row.id, body])? > 0 {
        return Ok(());
    }
    let place = free_place(connection, dated(row).unwrap_or(now))?;
    let mut insert =
        connection.prepare_cached("INSERT INTO history (place, kind, id, body) VALUES (?1, ?2, ?3, ?4)")?;
    insert.execute(params![place, row.kind, row.id, body]).map(|_| ())
}

/// The date by which a row is listed.
fn dated(row: &SyncRow) -> Option<Timestamp> {
    let field = match row.kind.as_str() {
        "order" => "placed_at",
        "payment" => "issued_at",
        "balance_entry" => "at",
        "account" => "created_at",
        _ => return None,
    };
    row.body.get(field).and_then(Value::as_str)?.parse().ok().map(Timestamp::from_micros)
}

/// The first free place at or after the date's first.
fn free_place(connection: &Connection, at: Timestamp) -> rusqlite::Result<i64> {
    let first = at.micros().saturating_mul(PLACES_PER_MICRO);
    let mut taken = connection.prepare_cached("SELECT 1 FROM history WHERE place = ?1")?;
    let mut place = first;
    while taken.query_row([place], |_| Ok(())).optional()?.is_some() {
        place = place.checked_add(1).unwrap_or(i64::MIN);
    }
    Ok(place)
}
