//! Where the database is.

use std::fmt;
use std::path::PathBuf;

/// Which engine a store runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// One file, one writer.
    Sqlite,
    /// A server, any number of processes.
    Postgres,
}

/// Where the database is.
#[derive(Clone, PartialEq, Eq)]
pub enum Settings {
    /// A file on a local disk, made if absent; its folder must exist.
    Sqlite {
        /// Path of the file.
        path: PathBuf,
    },
    /// A PostgreSQL server, 15 or later.
    Postgres {
        /// `postgresql://user:password@host:port/database?…`, or several hosts with `target_session_attrs=read-write`.
        /// Any host but this machine is reached over TLS only, with a certificate that the system trusts.
        url: String,
    },
}

impl Settings {
    /// The engine these settings lead to.
    pub fn engine(&self) -> Engine {
        match self {
            Self::Sqlite { .. } => Engine::Sqlite,
            Self::Postgres { .. } => Engine::Postgres,
        }
    }
}

impl fmt::Debug for Settings {
    /// Without the address of PostgreSQL: it holds a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite { path } => f.debug_struct("Sqlite").field("path", path).finish(),
            Self::Postgres { .. } => f.debug_struct("Postgres").finish_non_exhaustive(),
        }
    }
}
