//! Backup and restore, each verified before it counts.
//!
//! A backup is one file (a database file of SQLite, a custom-format dump of PostgreSQL) and beside it `FILE.sums`: rows and
//! a digest of the content per table, taken in the very snapshot that was copied. A backup is read back before it gets its name,
//! a restore is compared after it: the ledger is among the tables, so not a cent can differ. What a database has to learn from
//! having been restored, its caller writes into the copy before anybody can open it.

mod files;
mod postgres;
mod sqlite;
mod sums;

use std::path::Path;

pub use self::sums::{Sums, TableSums};
use crate::{ServerMigration, Settings, StoreError, Tx, migrations};

/// What a restore was compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// What the backup holds.
    pub sums: Sums,
    /// Whether `FILE.sums` was there to compare with. Without it only the file's own consistency is known.
    pub compared: bool,
}

/// Writes a verified backup of a database, which may be in use, to a file that must not exist yet.
pub fn create(settings: &Settings, to: &Path) -> Result<Sums, StoreError> {
    let files = files::Target::reserve(to)?;
    let sums = match settings {
        Settings::Sqlite { path } => sqlite::create(path, files.partial())?,
        Settings::Postgres { url } => postgres::create(url, files.partial())?,
    };
    files.finish(&sums)?;
    Ok(sums)
}

/// Reads a backup whole and compares it with its sums. On PostgreSQL that is a restore into a scratch database.
pub fn verify(settings: &Settings, from: &Path) -> Result<Restored, StoreError> {
    let sums = match settings {
        Settings::Sqlite { .. } => sqlite::read_back(from)?,
        Settings::Postgres { url } => postgres::read_back(url, from)?,
    };
    compare(from, sums)
}

/// Restores a backup into a database that does not exist yet (SQLite: the path; PostgreSQL: a database without tables).
///
/// `adapt` runs in the compared copy, brought up to this program's schema, before the copy can be opened: whenever the restore
/// is killed, either `adapt` is committed or [`crate::Store::open`] finds no database (SQLite) or one that it refuses (PostgreSQL).
///
/// # Errors
/// Those of the store, and those of `adapt`, which end the restore.
pub fn restore<T, E: From<StoreError>>(
    settings: &Settings,
    from: &Path,
    adapt: impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Result<(Restored, T), E> {
    restore_with(settings, from, migrations::SERVER, adapt)
}

/// Like [`restore`], with another list of migrations.
pub fn restore_with<T, E: From<StoreError>>(
    settings: &Settings,
    from: &Path,
    migrations: &[ServerMigration],
    mut adapt: impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Result<(Restored, T), E> {
    let compare = |sums| compare(from, sums);
    match settings {
        Settings::Sqlite { path } => sqlite::restore(path, from, compare, migrations, &mut adapt),
        Settings::Postgres { url } => postgres::restore(url, from, compare, migrations, &mut adapt),
    }
}

fn compare(from: &Path, sums: Sums) -> Result<Restored, StoreError> {
    match files::read_sums(from)? {
        None => Ok(Restored { sums, compared: false }),
        Some(expected) => {
            expected.expect(&sums)?;
            Ok(Restored { sums, compared: true })
        }
    }
}

fn refused(reason: impl Into<String>) -> StoreError {
    StoreError::Backup { reason: reason.into() }
}
