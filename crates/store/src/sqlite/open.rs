//! Opening a file so that what was acknowledged survives.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::errors::from_sqlite;
use crate::StoreError;

/// How long a connection waits for another process's lock.
const BUSY: Duration = Duration::from_secs(5);
/// Prepared statements kept per connection.
const STATEMENTS: usize = 512;

/// Held while a process owns the database. The system gives it back when the process dies, however it dies.
pub(crate) struct FileLock {
    _file: File,
}

impl FileLock {
    /// `InUse` when another store holds the file.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let beside = beside(path, ".lock");
        let io = |error: std::io::Error| StoreError::Io { detail: format!("{}: {error}", beside.display()) };
        let file = private(OpenOptions::new().write(true).create(true)).open(&beside).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: path.display().to_string() }),
            Err(TryLockError::Error(error)) => Err(io(error)),
        }
    }
}

/// The path with something added to its last part.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// New files are readable by their owner only.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes the file if it is absent, before SQLite would make it for everyone to read.
pub(crate) fn create(path: &Path) -> Result<(), StoreError> {
    let opened = private(OpenOptions::new().write(true).create(true)).open(path);
    opened.map(|_| ()).map_err(|error| StoreError::Io { detail: format!("{}: {error}", path.display()) })
}

/// The one connection that writes: write-ahead log, synced at every commit. Each setting is read back, because
/// SQLite ignores what it cannot do (a network drive keeps another journal mode and would corrupt the file).
pub(crate) fn writer(path: &Path) -> Result<Connection, StoreError> {
    create(path)?;
    let connection = connect(path)?;
    let set = |name: &str, value: &str, wanted: &str| -> Result<(), StoreError> {
        connection
            .execute_batch(&format!("PRAGMA {name} = {value}"))
            .map_err(|error| from_sqlite(&connection, error))?;
        expect(&connection, name, wanted)
    };
    set("journal_mode", "WAL", "wal")?;
    set("synchronous", "FULL", "2")?;
    set("foreign_keys", "ON", "1")?;
    #[cfg(target_os = "macos")]
    set("fullfsync", "ON", "1")?;
    Ok(connection)
}

/// A connection that only reads.
pub(crate) fn reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = connect(path)?;
    connection.execute_batch("PRAGMA query_only = ON").map_err(|error| from_sqlite(&connection, error))?;
    expect(&connection, "query_only", "1")?;
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let unopened = |error: rusqlite::Error| StoreError::Io { detail: format!("{}: {error}", path.display()) };
    let connection = Connection::open_with_flags(path, flags).map_err(unopened)?;
    connection.busy_timeout(BUSY).map_err(unopened)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // LIKE is case-sensitive on PostgreSQL; functions named in a schema could do harm in a file made by someone else.
    connection
        .execute_batch("PRAGMA case_sensitive_like = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        .map_err(|error| from_sqlite(&connection, error))?;
    Ok(connection)
}

fn expect(connection: &Connection, name: &str, wanted: &str) -> Result<(), StoreError> {
    let found = connection
        .query_row(&format!("PRAGMA {name}"), [], |row| {
            let value: rusqlite::types::Value = row.get(0)?;
            Ok(match value {
                rusqlite::types::Value::Integer(number) => number.to_string(),
                rusqlite::types::Value::Text(text) => text,
                other => format!("{other:?}"),
            })
        })
        .map_err(|error| from_sqlite(connection, error))?;
    if found == wanted {
        return Ok(());
    }
    Err(StoreError::Unfit {
        reason: format!("SQLite keeps {name} at {found}, not {wanted}: is the file on a network drive?"),
    })
}
