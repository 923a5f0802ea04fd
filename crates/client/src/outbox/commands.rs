//! Saved commands: sent again under the same id, so that a cut line or a kill doubles nothing.

use domain::Timestamp;
use domain::time::SECOND_MICROS;
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::Outbox;
use crate::error::StorageError;

/// Longest wait between two tries.
const MAX_BACKOFF_MICROS: i64 = 300 * SECOND_MICROS;

/// Who sends it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The outbox, as soon as it can: a notice.
    ByItself,
    /// The person, by asking for the same again: nothing is ordered or paid behind their back (H2).
    ByThePerson,
}

/// A command that was saved and whose outcome is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedCommand {
    /// UUIDv7, made here.
    pub id: String,
    /// The command's name.
    pub name: String,
    /// The request without its id.
    pub subject: String,
    /// The request as it is sent.
    pub body: String,
    /// When it was saved, by this device's clock.
    pub made_at: Timestamp,
    /// Tries so far.
    pub attempts: u32,
    /// What the last try said.
    pub last_error: Option<String>,
}

const COLUMNS: &str = "id, name, subject, body, made_at, attempts, last_error";

fn read(row: &Row<'_>) -> rusqlite::Result<SavedCommand> {
    Ok(SavedCommand {
        id: row.get(0)?,
        name: row.get(1)?,
        subject: row.get(2)?,
        body: row.get(3)?,
        made_at: Timestamp::from_micros(row.get(4)?),
        attempts: row.get(5)?,
        last_error: row.get(6)?,
    })
}

impl Outbox {
    /// Saves a command before it is sent. The same request, while its outcome is unknown, is the same command with the same id.
    /// `body` writes the request with the id that it is given. The id tells the server's time: a device whose clock is wrong
    /// by weeks would make ids that look too old to be carried out.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn save(
        &mut self,
        name: &str,
        subject: &str,
        kept: Kept,
        (now, server_now): (Timestamp, Timestamp),
        body: impl FnOnce(&str) -> String,
    ) -> Result<SavedCommand, StorageError> {
        let tx = self.connection.transaction()?;
        if find(&tx, name, subject)?.is_none() {
            let id = id_at(server_now);
            let by_itself = kept == Kept::ByItself;
            tx.execute(
                "INSERT INTO command (id, name, subject, body, made_at, kept) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![id, name, subject, body(&id), now.micros(), by_itself],
            )?;
        }
        let saved = find(&tx, name, subject)?;
        tx.commit()?;
        saved.ok_or_else(|| StorageError::Damaged { detail: "a command that was just saved".into() })
    }

    /// The saved command of that name and request.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn find(&self, name: &str, subject: &str) -> Result<Option<SavedCommand>, StorageError> {
        Ok(find(&self.connection, name, subject)?)
    }

    /// Every saved command of that name.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn named(&self, name: &str) -> Result<Vec<SavedCommand>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM command WHERE name = ?1 ORDER BY id");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map([name], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Commands that are to be sent by themselves now, oldest first.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn due(&self, now: Timestamp) -> Result<Vec<SavedCommand>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM command WHERE kept = 1 AND next_at <= ?1 ORDER BY id");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map([now.micros()], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The outcome is known: the command is done with.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn done(&mut self, id: &str) -> Result<(), StorageError> {
        self.connection.execute("DELETE FROM command WHERE id = ?1", [id])?;
        Ok(())
    }

    /// A try failed: the next one waits twice as long, five minutes at most.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn failed(&mut self, command: &SavedCommand, error: &str, now: Timestamp) -> Result<(), StorageError> {
        let next_at = now.plus_micros(backoff_micros(command.attempts));
        self.connection.execute(
            "UPDATE command SET attempts = attempts + 1, next_at = ?2, last_error = ?3 WHERE id = ?1",
            params![command.id, next_at.micros(), error],
        )?;
        Ok(())
    }

    /// The network is back: whatever waits is due now.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn wake(&mut self) -> Result<(), StorageError> {
        self.connection.execute("UPDATE command SET next_at = 0", [])?;
        Ok(())
    }

    /// How many commands wait to be sent by themselves.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn unsent(&self) -> Result<u32, StorageError> {
        Ok(self.connection.query_row("SELECT count(*) FROM command WHERE kept = 1", [], |row| row.get(0))?)
    }
}

fn find(connection: &Connection, name: &str, subject: &str) -> rusqlite::Result<Option<SavedCommand>> {
    let sql = format!("SELECT {COLUMNS} FROM command WHERE name = ?1 AND subject = ?2");
    connection.query_row(&sql, [name, subject], read).optional()
}

/// A new UUIDv7 of that moment.
fn id_at(now: Timestamp) -> String {
    let millis = u64::try_from(now.micros() / 1_000).unwrap_or(0);
    let nanos = u32::try_from(millis % 1_000).unwrap_or(0) * 1_000_000;
    Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, millis / 1_000, nanos)).to_string()
}

/// 1 s, 2 s, 4 s … up to five minutes.
fn backoff_micros(attempts: u32) -> i64 {
    SECOND_MICROS.saturating_mul(1 << attempts.min(20)).min(MAX_BACKOFF_MICROS)
}
