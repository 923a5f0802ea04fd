//! Backup and restore on SQLite: the online copy, in one snapshot.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::files::{io, put_in_place};
use super::{Restored, Sums, TableSums, refused};
use crate::migrations::ServerMigration;
use crate::sqlite::damage;
use crate::sqlite::errors::from_sqlite;
use crate::sqlite::exec;
use crate::sqlite::open::{self, FileLock, beside};
use crate::tx::{self, run_use_case};
use crate::{StoreError, Tx};

/// What SQLite may put beside a database.
const BESIDE: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Copies a live database into an empty file and reads the copy back.
pub(super) fn create(path: &Path, partial: &Path) -> Result<Sums, StoreError> {
    if !path.try_exists().map_err(|error| io(path, &error))? {
        return Err(refused(format!("{} does not exist", path.display())));
    }
    copy(path, partial)
}

/// Sums of a backup after all checks of its consistency.
pub(super) fn read_back(file: &Path) -> Result<Sums, StoreError> {
    if !file.try_exists().map_err(|error| io(file, &error))? {
        return Err(refused(format!("{} does not exist", file.display())));
    }
    let connection = open::reader(file)?;
    consistent(&connection)?;
    sums(&connection)
}

/// Copies a backup to where the database will be, compares, adapts, and only then gives it its name.
pub(super) fn restore<T, E: From<StoreError>>(
    path: &Path,
    from: &Path,
    compare: impl FnOnce(Sums) -> Result<Restored, StoreError>,
    migrations: &[ServerMigration],
    adapt: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Result<(Restored, T), E> {
    for taken in BESIDE.map(|suffix| beside(path, suffix)) {
        if taken.try_exists().map_err(|error| io(&taken, &error))? {
            let reason = format!("{} exists: a backup is restored to an absent path only", taken.display());
            return Err(refused(reason).into());
        }
    }
    let _lock = FileLock::take(path)?;
    let restored = compare(read_back(from)?)?;
    let partial = beside(path, ".partial");
    // Left by a restore that was killed. A journal of it would be taken for the new copy's.
    let remove = || BESIDE.iter().for_each(|suffix| drop(std::fs::remove_file(beside(&partial, suffix))));
    remove();
    let adapted = copy(from, &partial).and_then(|found| restored.sums.expect(&found)).map_err(E::from);
    let adapted = adapted.and_then(|()| adapt_copy(&partial, path, migrations, adapt));
    let adapted = adapted.inspect_err(|_| remove())?;
    Ok((restored, adapted))
}

/// Adapts the copy, and gives it its name.
fn adapt_copy<T, E: From<StoreError>>(
    partial: &Path,
    path: &Path,
    migrations: &[ServerMigration],
    adapt: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    if faults::planted(faults::RESTORED_TOO_EARLY) {
        put_in_place(partial, path)?;
        return adapted(path, migrations, adapt);
    }
    let value = adapted(partial, migrations, adapt)?;
    put_in_place(partial, path)?;
    Ok(value)
}

/// Runs the use case in a file that nobody else opens, in one transaction.
fn adapted<T, E: From<StoreError>>(
    file: &Path,
    migrations: &[ServerMigration],
    adapt: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let mut connection = open::writer(file)?;
    migrate::migrate(&mut connection, &ServerMigration::for_sqlite(migrations)).map_err(StoreError::from)?;
    exec::execute(&connection, "BEGIN IMMEDIATE", &[])?;
    let ran = run_use_case(&mut Tx::new(tx::Connection::Sqlite(&connection)), adapt);
    let value = ran.outcome?;
    exec::execute(&connection, "COMMIT", &[])?;
    one_file(&connection)?;
    consistent(&connection)?;
    connection.close().map_err(|(connection, error)| from_sqlite(&connection, error))?;
    Ok(value)
}

/// Ends the write-ahead log: from then on the file needs no other beside it.
fn one_file(connection: &Connection) -> Result<(), StoreError> {
    let mode = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get::<_, String>(0));
    match mode.map_err(|error| from_sqlite(connection, error))?.as_str() {
        "delete" => Ok(()),
        _ => Err(StoreError::Busy),
    }
}

/// Copies a database in one snapshot, reads the copy back and compares it with that snapshot.
fn copy(from: &Path, to: &Path) -> Result<Sums, StoreError> {
    let source = open::reader(from)?;
    let failed = |error: rusqlite::Error| from_sqlite(&source, error);
    // The copy runs in the transaction that is open, so it is of the moment that the sums are of.
    source.execute_batch("BEGIN").map_err(failed)?;
    let expected = sums(&source)?;
    open::create(to)?;
    let mut copy = Connection::open(to).map_err(failed)?;
    let step = Backup::new(&source, &mut copy).and_then(|backup| backup.step(-1)).map_err(failed)?;
    if step != StepResult::Done {
        return Err(StoreError::Busy);
    }
    one_file(&copy)?;
    consistent(&copy)?;
    expected.expect(&sums(&copy)?)?;
    copy.close().map_err(|(_, error)| failed(error))?;
    Ok(expected)
}

/// Refuses a file in which anything is broken.
fn consistent(connection: &Connection) -> Result<(), StoreError> {
    match damage(connection, 1)?.first() {
        Some(what) => Err(refused(format!("the file is damaged: {what}"))),
        None => Ok(()),
    }
}

/// Sums of every table.
fn sums(connection: &Connection) -> Result<Sums, StoreError> {
    let failed = |error: rusqlite::Error| from_sqlite(connection, error);
    let tables: Vec<(String, String)> = connection
        .prepare(
            "SELECT m.name, (SELECT group_concat('\"' || name || '\"', ', ') FROM \
                (SELECT name FROM pragma_table_info(m.name) ORDER BY name)) \
             FROM sqlite_schema AS m WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .and_then(|mut list| list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(failed)?;
    let summed = tables.iter().map(|(table, columns)| {
        let mut sums = TableSums::new(table);
        exec::for_each(connection, &format!("SELECT {columns} FROM \"{table}\""), |values| sums.add(values.iter()))?;
        Ok(sums)
    });
    Ok(Sums::new(summed.collect::<Result<_, StoreError>>()?))
}
