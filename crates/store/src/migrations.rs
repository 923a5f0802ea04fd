//! The server's migrations, in order. A file is never edited after a release: the database remembers its checksum.

use migrate::Migration;

/// One step of the server's schema, for both engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerMigration {
    /// Name of the file in both folders, without `.sql`.
    pub name: &'static str,
    /// Statements for SQLite.
    pub sqlite: &'static str,
    /// Statements for PostgreSQL.
    pub postgres: &'static str,
}

impl ServerMigration {
    pub(crate) fn for_sqlite(list: &[Self]) -> Vec<Migration> {
        list.iter().map(|step| Migration { name: step.name, sql: step.sqlite }).collect()
    }

    pub(crate) fn for_postgres(list: &[Self]) -> Vec<Migration> {
        list.iter().map(|step| Migration { name: step.name, sql: step.postgres }).collect()
    }
}

/// Embeds `migrations/server/{sqlite,postgres}/NAME.sql`.
macro_rules! server {
    ($name:literal) => {
        ServerMigration {
            name: $name,
            sqlite: include_str!(concat!("../../../migrations/server/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../../../migrations/server/postgres/", $name, ".sql")),
        }
    };
}

/// Every migration of the server's database.
pub const SERVER: &[ServerMigration] = &[server!("0001_first_sale")];
