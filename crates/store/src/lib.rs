//! Tables, SQL, row mapping, migrations; drivers for SQLite and PostgreSQL.
//!
//! The crate decides nothing: it lends a transaction ([`Tx`]) to a use case and commits it. SQL is shared by both
//! engines; [`statements!`] says in which subset.

pub mod backup;
mod error;
mod look;
pub mod migrations;
mod pg;
mod pool;
pub mod repo;
mod row;
mod settings;
mod sqlite;
mod statements;
mod store;
mod tx;
mod value;

pub use error::StoreError;
pub use look::Look;
pub use migrate::MigrationError;
pub use migrations::ServerMigration;
pub use row::{Column, FromValue, Row};
pub use settings::{Engine, Settings};
#[doc(hidden)] // for the test that compares both schemas
pub use sqlite::errors::unique_indexes as sqlite_unique_indexes;
pub use statements::Statement;
pub use store::{REQUEST_PATIENCE, Store};
pub use tx::Tx;
pub use value::Value;
