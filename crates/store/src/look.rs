//! Looking into a database without touching it: beside whoever has it open, without a lock, without bringing its schema up to date.

use crate::tx::Ran;
use crate::{Settings, StoreError, Tx, migrations, pg, sqlite};

/// A database that is only looked at.
pub struct Look {
    inner: Inner,
}

enum Inner {
    Sqlite(rusqlite::Connection),
    Postgres(Box<pg::Session>),
}

impl Look {
    /// Opens a database; none when there is none yet.
    ///
    /// # Errors
    /// `Unfit` when its schema is not this program's.
    pub fn open(settings: &Settings) -> Result<Option<Self>, StoreError> {
        Ok(match settings {
            Settings::Sqlite { path } => sqlite::look(path, migrations::SERVER)?.map(Inner::Sqlite),
            Settings::Postgres { url } => pg::look(url, migrations::SERVER)?.map(Box::new).map(Inner::Postgres),
        }
        .map(|inner| Self { inner }))
    }

    /// What is broken in the file, its indexes and its references, as the engine says it: at most twenty of each kind.
    ///
    /// # Errors
    /// The engine's, when it can't even look.
    pub fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match &mut self.inner {
            Inner::Sqlite(connection) => sqlite::damage(connection, 20),
            Inner::Postgres(session) => pg::damage(session),
        }
    }

    /// Runs a query on one moment.
    ///
    /// # Errors
    /// The query's, and the engine's.
    pub fn read<T, E: From<StoreError>>(&mut self, mut query: impl FnMut(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        let ran: Ran<T, E> = match &mut self.inner {
            Inner::Sqlite(connection) => sqlite::read_once(connection, &mut query),
            Inner::Postgres(session) => pg::read_once(session, &mut query),
        };
        ran.outcome
    }
}
