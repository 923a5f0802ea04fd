//! The runner on SQLite.

use rusqlite::{Connection, TransactionBehavior};

use crate::{Applied, Migration, MigrationError, checksum, failed, next};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migration (\
    name TEXT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL) STRICT";

/// The first migration that the database still lacks; nothing is changed.
///
/// # Errors
/// As [`migrate`].
pub fn pending(connection: &Connection, migrations: &[Migration]) -> Result<Option<&'static str>, MigrationError> {
    const KNOWN: &str = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'schema_migration'";
    let begun: i64 = connection.query_row(KNOWN, [], |row| row.get(0)).map_err(|error| failed("-", error))?;
    let applied = if begun == 0 { Vec::new() } else { applied(connection).map_err(|error| failed("-", error))? };
    Ok(next(migrations, &applied)?.map(|step| step.name))
}

/// Applies what is missing. Foreign keys are off meanwhile, so that tables can be rebuilt, and checked before each commit.
///
/// # Errors
/// [`MigrationError`]; what was applied before it stays applied.
pub fn migrate(connection: &mut Connection, migrations: &[Migration]) -> Result<(), MigrationError> {
    let runner = |error: rusqlite::Error| failed("-", error);
    let enforced: bool = connection.query_row("PRAGMA foreign_keys", [], |row| row.get(0)).map_err(runner)?;
    connection.pragma_update(None, "foreign_keys", false).map_err(runner)?;
    let outcome = apply_all(connection, migrations);
    connection.pragma_update(None, "foreign_keys", enforced).map_err(runner)?;
    outcome
}

fn apply_all(connection: &mut Connection, migrations: &[Migration]) -> Result<(), MigrationError> {
    while apply_next(connection, migrations)? {}
    Ok(())
}

/// Applies one migration in a transaction of its own; whether there was one.
fn apply_next(connection: &mut Connection, migrations: &[Migration]) -> Result<bool, MigrationError> {
    let runner = |error: rusqlite::Error| failed("-", error);
    // The list is read under the lock: two programs starting together do not both apply it.
    let tx = connection.transaction_with_behavior(TransactionBehavior::Exclusive).map_err(runner)?;
    tx.execute_batch(TABLE).map_err(runner)?;
    let applied = applied(&tx).map_err(runner)?;
    let Some(step) = next(migrations, &applied)? else {
        tx.commit().map_err(runner)?;
        return Ok(false);
    };
    let stepped = |error: rusqlite::Error| failed(step.name, error);
    tx.execute_batch(step.sql).map_err(stepped)?;
    if tx.is_autocommit() {
        return Err(failed(step.name, "it ends its own transaction"));
    }
    if let Some(table) = broken_reference(&tx).map_err(stepped)? {
        return Err(failed(step.name, format!("table {table} points at rows that do not exist")));
    }
    tx.execute("INSERT INTO schema_migration (name, checksum) VALUES (?1, ?2)", [step.name, &checksum(step.sql)])
        .map_err(stepped)?;
    tx.commit().map_err(stepped)?;
    Ok(true)
}

fn applied(connection: &Connection) -> rusqlite::Result<Vec<Applied>> {
    let mut statement = connection.prepare("SELECT name, checksum FROM schema_migration ORDER BY name")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// A table with a foreign key that leads nowhere.
fn broken_reference(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query([])?;
    rows.next()?.map(|row| row.get(0)).transpose()
}
