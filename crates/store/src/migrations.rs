//! The server's migrations, in order. A file is never edited after a release: the database remembers its checksum.

use crate::migrate::ServerMigration;

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
