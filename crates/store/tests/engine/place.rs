//! Databases to test on.

use std::fmt;

use store::{ServerMigration, Settings, Store};
use tempfile::TempDir;
use testkit::postgres::Postgres;

/// Where databases can be made.
pub enum Host {
    Sqlite,
    Postgres(Box<Postgres>),
}

impl Host {
    pub fn sqlite() -> Self {
        Self::Sqlite
    }

    pub fn postgres() -> Self {
        Self::Postgres(Box::new(Postgres::start()))
    }

    /// A place for one database that does not exist yet (on PostgreSQL: that is empty).
    pub fn place(&self) -> Place {
        let folder = TempDir::new().unwrap();
        let settings = match self {
            Self::Sqlite => Settings::Sqlite { path: folder.path().join("store.db") },
            Self::Postgres(server) => Settings::Postgres { url: server.database() },
        };
        let second = match self {
            Self::Sqlite => Settings::Sqlite { path: folder.path().join("second.db") },
            Self::Postgres(server) => Settings::Postgres { url: server.database() },
        };
        Place { settings, second, folder }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        })
    }
}

/// One database, a second one to restore into, and a folder for files.
pub struct Place {
    pub settings: Settings,
    pub second: Settings,
    pub folder: TempDir,
}

impl Place {
    /// The database with the tables of the cases.
    pub fn open(&self) -> Store {
        Store::open_with(&self.settings, MIGRATIONS).unwrap()
    }
}

/// The tables of the cases: an account with a balance, notes with every kind of constraint.
pub const MIGRATIONS: &[ServerMigration] = &[ServerMigration {
    name: "0001_cases",
    sqlite: "
        CREATE TABLE purse (id TEXT NOT NULL PRIMARY KEY, cents INTEGER NOT NULL,
            CONSTRAINT purse_not_negative CHECK (cents >= 0)) STRICT;
        CREATE TABLE note (id INTEGER NOT NULL PRIMARY KEY, purse_id TEXT REFERENCES purse (id),
            title TEXT NOT NULL UNIQUE, memo TEXT, body BLOB, a INTEGER, b INTEGER,
            CONSTRAINT note_pair UNIQUE (a, b), UNIQUE (b, purse_id)) STRICT;
        CREATE UNIQUE INDEX note_first ON note (purse_id) WHERE a = 1;",
    postgres: "
        CREATE TABLE purse (id TEXT NOT NULL PRIMARY KEY, cents BIGINT NOT NULL,
            CONSTRAINT purse_not_negative CHECK (cents >= 0));
        CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, purse_id TEXT REFERENCES purse (id),
            title TEXT NOT NULL UNIQUE, memo TEXT, body BYTEA, a BIGINT, b BIGINT,
            CONSTRAINT note_pair UNIQUE (a, b), UNIQUE (b, purse_id));
        CREATE UNIQUE INDEX note_first ON note (purse_id) WHERE a = 1;",
}];
