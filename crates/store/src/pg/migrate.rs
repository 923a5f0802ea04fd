//! The runner of migrations on PostgreSQL.

use ::postgres::{Client, GenericClient};

use migrate::{Applied, Migration, MigrationError, checksum, failed, next};

/// Key of the advisory lock: only one program migrates at a time.
const LOCK: i64 = 0x4b45_524e_4f44_4543;

const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migration (\
    name TEXT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL)";

/// Applies what is missing, under an advisory lock of the session, which a lost connection gives back.
pub(crate) fn migrate(client: &mut Client, migrations: &[Migration]) -> Result<(), MigrationError> {
    let runner = |error: ::postgres::Error| failed("-", words(&error));
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).map_err(runner)?;
    let outcome = apply_all(client, migrations);
    let unlocked = client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK]).map_err(runner);
    outcome.and(unlocked.map(|_| ()))
}

/// What a database lacks.
pub(crate) enum Pending {
    /// It was never used.
    Everything,
    /// Migrations from this one on.
    From(&'static str),
    /// It is up to date.
    Nothing,
}

/// What the database lacks; nothing is changed.
pub(crate) fn pending(client: &mut Client, migrations: &[Migration]) -> Result<Pending, MigrationError> {
    let runner = |error: ::postgres::Error| failed("-", words(&error));
    let begun = client.query_one("SELECT to_regclass('schema_migration') IS NOT NULL", &[]).map_err(runner)?;
    if !begun.get::<_, bool>(0) {
        return Ok(Pending::Everything);
    }
    let applied = applied(client).map_err(runner)?;
    Ok(next(migrations, &applied)?.map_or(Pending::Nothing, |step| Pending::From(step.name)))
}

fn applied(client: &mut impl GenericClient) -> Result<Vec<Applied>, ::postgres::Error> {
    let rows = client.query("SELECT name, checksum FROM schema_migration ORDER BY name COLLATE \"C\"", &[])?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

fn apply_all(client: &mut Client, migrations: &[Migration]) -> Result<(), MigrationError> {
    client.batch_execute(TABLE).map_err(|error| failed("-", words(&error)))?;
    while apply_next(client, migrations)? {}
    Ok(())
}

/// Applies one migration in a transaction of its own; whether there was one.
fn apply_next(client: &mut Client, migrations: &[Migration]) -> Result<bool, MigrationError> {
    let runner = |error: ::postgres::Error| failed("-", words(&error));
    let mut tx = client.transaction().map_err(runner)?;
    let applied = applied(&mut tx).map_err(runner)?;
    let Some(step) = next(migrations, &applied)? else { return Ok(false) };
    let stepped = |error: ::postgres::Error| failed(step.name, words(&error));
    tx.batch_execute(step.sql).map_err(stepped)?;
    tx.execute("INSERT INTO schema_migration (name, checksum) VALUES ($1, $2)", &[&step.name, &checksum(step.sql)])
        .map_err(stepped)?;
    tx.commit().map_err(stepped)?;
    Ok(true)
}

/// The server's own words: the crate's `Display` says only «db error».
fn words(error: &::postgres::Error) -> String {
    error.as_db_error().map_or_else(|| error.to_string(), |db| format!("{}: {}", db.code().code(), db.message()))
}
