//! Backup and restore on PostgreSQL: `pg_dump` in an exported snapshot, `pg_restore` to read it back.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use ::postgres::config::Host;
use ::postgres::fallible_iterator::FallibleIterator;
use ::postgres::{Client, Config};

use super::{Restored, Sums, TableSums, refused};
use crate::migrations::ServerMigration;
use crate::pg::PostgresStore;
use crate::pg::connect::{self, UNFINISHED};
use crate::pg::errors::from_postgres;
use crate::{StoreError, Tx, Value};

/// Dumps a live database into a file, restores it into a scratch database and compares.
pub(super) fn create(url: &str, partial: &Path) -> Result<Sums, StoreError> {
    let config = connect::config(url)?;
    let mut client = connect::connect(&config)?;
    connect::refuse_unfinished(&mut client)?;
    batch(&mut client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
    let snapshot = client.query_one("SELECT pg_export_snapshot()", &[]).map_err(|error| from_postgres(&error))?;
    let snapshot: String = snapshot.get(0);
    // The snapshot lives as long as this transaction.
    let dump = [
        OsStr::new("--format=custom"),
        OsStr::new("--no-owner"),
        OsStr::new("--snapshot"),
        OsStr::new(&snapshot),
        OsStr::new("--file"),
        partial.as_os_str(),
    ];
    run("pg_dump", &config, name(&config)?, &dump)?;
    let expected = sums(&mut client)?;
    batch(&mut client, "COMMIT")?;
    expected.expect(&in_scratch(&config, partial)?)?;
    Ok(expected)
}

/// Sums of a backup, restored into a scratch database.
pub(super) fn read_back(url: &str, file: &Path) -> Result<Sums, StoreError> {
    in_scratch(&connect::config(url)?, file)
}

/// Restores into a database without tables, compares and adapts. Until that is done a table stands in it for which nobody opens
/// it; it goes in the transaction that adapts.
pub(super) fn restore<T, E: From<StoreError>>(
    url: &str,
    from: &Path,
    compare: impl FnOnce(Sums) -> Result<Restored, StoreError>,
    migrations: &[ServerMigration],
    adapt: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Result<(Restored, T), E> {
    let config = connect::config(url)?;
    let mut client = connect::connect(&config)?;
    connect::check(&mut client)?;
    if !tables(&mut client)?.is_empty() {
        connect::refuse_unfinished(&mut client)?;
        return Err(refused("the database has tables: a backup is restored into an empty one only").into());
    }
    let restored = compare(in_scratch(&config, from)?)?;
    if !faults::planted(faults::RESTORED_TOO_EARLY) {
        batch(&mut client, &format!("CREATE TABLE IF NOT EXISTS {UNFINISHED} ()"))?;
    }
    load(&config, name(&config)?, from)?;
    restored.sums.expect(&sums(&mut client)?)?;
    Ok((restored, adapted(url, migrations, adapt)?))
}

/// Runs the use case, and opens the database to everybody in the same transaction.
fn adapted<T, E: From<StoreError>>(
    url: &str,
    migrations: &[ServerMigration],
    adapt: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let store = PostgresStore::open_unfinished(url, migrations)?;
    let open_after = |tx: &mut Tx<'_>| {
        let value = adapt(tx)?;
        tx.control(&format!("DROP TABLE IF EXISTS {UNFINISHED}"))?;
        Ok::<T, E>(value)
    };
    store.write(&mut Vec::new(), &Mutex::new(open_after), None).outcome
}

/// Restores into a new database, sums it up and drops it.
fn in_scratch(config: &Config, file: &Path) -> Result<Sums, StoreError> {
    let scratch = format!("kernodeck_verify_{}_{}", std::process::id(), name(config)?.len());
    let mut client = connect::connect(config)?;
    batch(&mut client, &format!("DROP DATABASE IF EXISTS {scratch}"))?;
    batch(
        &mut client,
        &format!("CREATE DATABASE {scratch} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"),
    )?;
    let outcome = load(config, &scratch, file).and_then(|()| {
        let mut there = config.clone();
        sums(&mut connect::connect(there.dbname(&scratch))?)
    });
    batch(&mut client, &format!("DROP DATABASE {scratch} WITH (FORCE)"))?;
    outcome
}

fn load(config: &Config, database: &str, file: &Path) -> Result<(), StoreError> {
    let load = [
        OsStr::new("--exit-on-error"),
        OsStr::new("--single-transaction"),
        OsStr::new("--no-owner"),
        OsStr::new("--dbname"),
        OsStr::new(database),
        file.as_os_str(),
    ];
    run("pg_restore", config, database, &load)
}

/// Runs one of PostgreSQL's programs. The password travels in its environment, which only the same user can read.
fn run(program: &str, config: &Config, database: &str, arguments: &[&OsStr]) -> Result<(), StoreError> {
    let hosts: Vec<String> = config.get_hosts().iter().map(host).collect();
    let ports: Vec<String> = config.get_ports().iter().map(u16::to_string).collect();
    let mut command = Command::new(program);
    command.args(arguments).env("PGHOST", hosts.join(",")).env("PGDATABASE", database);
    if !ports.is_empty() {
        command.env("PGPORT", ports.join(","));
    }
    if let Some(user) = config.get_user() {
        command.env("PGUSER", user);
    }
    if let Some(password) = config.get_password() {
        command.env("PGPASSWORD", OsStr::new(&*String::from_utf8_lossy(password)));
    }
    if connect::is_remote(config) {
        command.env("PGSSLMODE", "require");
    }
    if config.get_target_session_attrs() == ::postgres::config::TargetSessionAttrs::ReadWrite {
        command.env("PGTARGETSESSIONATTRS", "read-write");
    }
    let output = command.output().map_err(|error| {
        refused(format!("{program} could not be run ({error}): install PostgreSQL's client programs"))
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(refused(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

fn host(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(folder) => folder.display().to_string(),
    }
}

/// The database of the address; PostgreSQL's default is the user's name.
fn name(config: &Config) -> Result<&str, StoreError> {
    config.get_dbname().or(config.get_user()).ok_or_else(|| refused("the address names no database"))
}

/// Every table but the one of a restore that is going on.
fn tables(client: &mut Client) -> Result<Vec<String>, StoreError> {
    let rows = client.query(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND tablename <> $1 \
         ORDER BY tablename",
        &[&UNFINISHED],
    );
    Ok(rows.map_err(|error| from_postgres(&error))?.iter().map(|row| row.get(0)).collect())
}

/// Sums of every table, read as a stream.
fn sums(client: &mut Client) -> Result<Sums, StoreError> {
    let tables = tables(client)?;
    let summed = tables.iter().map(|table| table_sums(client, table).map_err(|error| from_postgres(&error)));
    Ok(Sums::new(summed.collect::<Result<_, _>>()?))
}

fn table_sums(client: &mut Client, table: &str) -> Result<TableSums, ::postgres::Error> {
    let mut sums = TableSums::new(table);
    let columns = client.query_one(
        "SELECT string_agg(quote_ident(column_name), ', ' ORDER BY column_name COLLATE \"C\") \
         FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1",
        &[&table],
    )?;
    let columns: String = columns.get(0);
    let mut rows = client.query_raw(&format!("SELECT {columns} FROM \"{table}\""), std::iter::empty::<i32>())?;
    while let Some(row) = rows.next()? {
        let values = (0..row.len()).map(|at| row.try_get::<_, Value>(at)).collect::<Result<Vec<_>, _>>()?;
        sums.add(values.iter());
    }
    Ok(sums)
}

fn batch(client: &mut Client, sql: &str) -> Result<(), StoreError> {
    client.batch_execute(sql).map_err(|error| from_postgres(&error))
}
