//! SQLite: one writer thread with group commit, a few readers apart.
//!
//! The names that [`crate::StoreError::Unique`] carries are PostgreSQL's: SQLite says `table.a, table.b`, and the driver looks up
//! the index: `table_pkey` for the primary key, `table_a_b_key` for an inline UNIQUE, else the name of the index.

mod batch;
mod damage;
pub(crate) mod errors;
pub(crate) mod exec;
pub(crate) mod open;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

pub(crate) use self::damage::damage;
use self::open::FileLock;
use self::writer::Writer;
use crate::migrations::ServerMigration;
use crate::pool::{Pool, Returned};
use crate::tx::{Connection, Ran, run_use_case};
use crate::{StoreError, Tx};

/// Reading connections at most: reads are short, and each connection holds a page cache of its own.
const READERS: usize = 4;

/// An open SQLite database.
pub(crate) struct SqliteStore {
    writer: Writer,
    path: PathBuf,
    readers: Pool<rusqlite::Connection>,
    _lock: FileLock,
}

impl SqliteStore {
    pub fn open(path: &Path, migrations: &[ServerMigration]) -> Result<Self, StoreError> {
        let lock = FileLock::take(path)?;
        let mut connection = open::writer(path)?;
        migrate::migrate(&mut connection, &ServerMigration::for_sqlite(migrations))?;
        Ok(Self { writer: Writer::start(connection)?, path: path.to_owned(), readers: Pool::new(READERS), _lock: lock })
    }

    pub fn write<T, E, F>(&self, use_case: Arc<Mutex<F>>, give_up: Option<Instant>) -> Ran<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.writer.run(use_case, give_up)
    }

    pub fn read<T, E: From<StoreError>>(
        &self,
        query: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
        give_up: Option<Instant>,
    ) -> Ran<T, E> {
        let lent = self.readers.with(
            give_up,
            || open::reader(&self.path),
            |reader| {
                let ran = read_once(reader, query);
                // One left inside a transaction would show its next user an old moment.
                (ran, if reader.is_autocommit() { Returned::Usable } else { Returned::Spent })
            },
        );
        lent.unwrap_or_else(Ran::failed)
    }

    pub fn check(&self, sql: &str) -> Result<(), StoreError> {
        let open = || open::reader(&self.path);
        self.readers.with(None, open, |reader| (exec::check(reader, sql), Returned::Usable))?
    }

    pub fn close(&self) {
        self.writer.close();
        self.readers.close();
    }

    pub fn is_closed(&self) -> bool {
        self.writer.is_closed()
    }
}

/// Opens a file to look into it, if it is there.
pub(crate) fn look(path: &Path, migrations: &[ServerMigration]) -> Result<Option<rusqlite::Connection>, StoreError> {
    if !path.try_exists().map_err(|error| StoreError::Io { detail: format!("{}: {error}", path.display()) })? {
        return Ok(None);
    }
    let connection = open::reader(path)?;
    match migrate::pending(&connection, &ServerMigration::for_sqlite(migrations))? {
        Some(name) => Err(StoreError::lacks(name)),
        None => Ok(Some(connection)),
    }
}

/// Begins a snapshot, runs, ends it.
pub(crate) fn read_once<T, E: From<StoreError>>(
    reader: &rusqlite::Connection,
    query: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Ran<T, E> {
    let mut tx = Tx::new(Connection::Sqlite(reader));
    if let Err(fault) = tx.control("BEGIN DEFERRED") {
        return Ran::failed(fault);
    }
    let ran = run_use_case(&mut tx, query);
    // Nothing was written, so how the transaction ends changes nothing.
    let _ = exec::execute(reader, "ROLLBACK", &[]);
    ran
}
