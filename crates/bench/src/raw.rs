//! Raw batches: the very rows that a run left behind, written again by plain statements, 256 units in a commit. Nobody asks,
//! nothing is decided, nothing is looked up: what is left is what SQLite and the disk take.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use store::{Settings, Store};

use crate::Outcome;

/// Units in one commit, as many as the server puts into one at most.
const BATCH: usize = 256;

/// A statement with its values.
type Step = (String, Vec<Value>);

/// Writes the rows of orders again into a new database; answers how many there were and how long it took.
///
/// # Errors
/// SQLite's.
pub fn orders(from: &Path, to: &Path) -> Outcome<(usize, Duration)> {
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let orders = rows(&source, "SELECT * FROM rental_order ORDER BY id")?;
    let commands = rows(&source, "SELECT * FROM command ORDER BY id")?;
    let events = rows(&source, "SELECT * FROM timeline ORDER BY cause")?;
    let changes = rows(&source, "SELECT * FROM account_change WHERE kind = 'order' ORDER BY entity_id")?;
    let target = open_like(to, &source, &["account", "account_head", "offer", "offer_price"])?;
    let count = orders.len();
    if [commands.len(), events.len(), changes.len()] != [count; 3] {
        return Err("an order leaves other rows than the bench knows of: its floor must be written anew".into());
    }
    let mut units: Vec<Vec<Step>> = Vec::with_capacity(count);
    for (((order, command), event), change) in orders.into_iter().zip(commands).zip(events).zip(changes) {
        let head = ("UPDATE account_head SET seq = seq + 1 WHERE account_id = ?1".to_owned(), vec![change[0].clone()]);
        let inserts = [("rental_order", order), ("timeline", event), ("account_change", change), ("command", command)];
        units.push([head].into_iter().chain(inserts.map(|(table, values)| insert(table, values))).collect());
    }
    Ok((count, write(&target, &units)?))
}

/// A new database with the same schema and, of what the rows refer to, the same rows; opened as the server opens it.
fn open_like(path: &Path, source: &Connection, tables: &[&str]) -> Outcome<Connection> {
    Store::open(&Settings::Sqlite { path: path.to_owned() })?.close();
    let target = Connection::open(path)?;
    target.set_prepared_statement_cache_capacity(64);
    target.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    target.execute_batch("BEGIN")?;
    for table in tables {
        for values in rows(source, &format!("SELECT * FROM {table}"))? {
            let (sql, values) = insert(table, values);
            target.execute(&sql, params_from_iter(values))?;
        }
    }
    target.execute_batch("COMMIT")?;
    Ok(target)
}

fn insert(table: &str, values: Vec<Value>) -> Step {
    let places: Vec<String> = (1..=values.len()).map(|number| format!("?{number}")).collect();
    (format!("INSERT INTO {table} VALUES ({})", places.join(", ")), values)
}

fn write(target: &Connection, units: &[Vec<Step>]) -> Outcome<Duration> {
    let started = Instant::now();
    for batch in units.chunks(BATCH) {
        target.execute_batch("BEGIN IMMEDIATE")?;
        for (sql, values) in batch.iter().flatten() {
            target.prepare_cached(sql)?.execute(params_from_iter(values))?;
        }
        target.execute_batch("COMMIT")?;
    }
    Ok(started.elapsed())
}

fn rows(source: &Connection, sql: &str) -> Outcome<Vec<Vec<Value>>> {
    let mut statement = source.prepare(sql)?;
    let columns = statement.column_count();
    let read = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect())?;
    Ok(read.collect::<rusqlite::Result<_>>()?)
}
