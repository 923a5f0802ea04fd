//! Looking into a database beside its servers.

use super::session::Session;
use super::{connect, migrate};
use crate::migrations::ServerMigration;
use crate::{StoreError, params};

/// Constraints that were never checked against every row, indexes that were never finished, blocks that did not fit their checksum.
/// Each answers sentences. What was there once is told by the engine itself: it checks every reference at every write.
const BROKEN: [&str; 3] = [
    "SELECT 'constraint ' || conname || ' was not checked against every row' AS sentence FROM pg_constraint \
     WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY conname LIMIT 20",
    "SELECT 'index ' || relname || ' is not valid' AS sentence FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid \
     WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace ORDER BY relname LIMIT 20",
    "SELECT checksum_failures || ' blocks did not fit their checksum' AS sentence FROM pg_stat_database \
     WHERE datname = current_database() AND checksum_failures > 0",
];

/// Opens a database to look into it, if it has our tables.
pub(crate) fn look(url: &str, migrations: &[ServerMigration]) -> Result<Option<Session>, StoreError> {
    let mut client = connect::connect(&connect::config(url)?)?;
    connect::check(&mut client)?;
    match migrate::pending(&mut client, &ServerMigration::for_postgres(migrations))? {
        migrate::Pending::Everything => Ok(None),
        migrate::Pending::From(name) => Err(StoreError::lacks(name)),
        migrate::Pending::Nothing => Ok(Some(Session::new(client))),
    }
}

/// What is broken. Every table is read whole, which finds blocks that can't be.
pub(crate) fn damage(session: &mut Session) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let tables = "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename";
    for table in session.query(tables, params![])? {
        let name: String = table.get("name")?;
        if let Err(error) = session.query(&format!("SELECT COUNT(*) AS rows FROM \"{name}\""), params![]) {
            found.push(format!("table {name} can't be read: {error}"));
        }
    }
    for sql in BROKEN {
        for row in session.query(sql, params![])? {
            found.push(row.get("sentence")?);
        }
    }
    Ok(found)
}
