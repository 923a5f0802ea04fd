//! Running one statement on SQLite.

use std::borrow::Cow;
use std::sync::Arc;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection};

use super::errors::from_sqlite;
use crate::{Row, StoreError, Value};

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

pub(crate) fn execute(connection: &Connection, sql: &str, params: &[Value]) -> Result<u64, StoreError> {
    let mut statement = prepare(connection, sql)?;
    bind(connection, &mut statement, params)?;
    let changed = statement.raw_execute().map_err(|error| from_sqlite(connection, error))?;
    Ok(u64::try_from(changed).unwrap_or(u64::MAX))
}

pub(crate) fn query(connection: &Connection, sql: &str, params: &[Value]) -> Result<Vec<Row>, StoreError> {
    may_lock(connection, sql)?;
    let mut statement = prepare(connection, sql)?;
    bind(connection, &mut statement, params)?;
    let columns: Arc<[String]> = statement.column_names().map(str::to_owned).collect();
    let mut found = Vec::new();
    each(connection, &mut statement, &columns, |values| found.push(Row::new(Arc::clone(&columns), values)))?;
    Ok(found)
}

/// Hands over the rows of a statement without parameters one by one, however many there are.
pub(crate) fn for_each(connection: &Connection, sql: &str, take: impl FnMut(Vec<Value>)) -> Result<(), StoreError> {
    let mut statement = prepare(connection, sql)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    each(connection, &mut statement, &columns, take)
}

fn each(
    connection: &Connection,
    statement: &mut CachedStatement<'_>,
    columns: &[String],
    mut take: impl FnMut(Vec<Value>),
) -> Result<(), StoreError> {
    let failed = |error| from_sqlite(connection, error);
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(failed)? {
        let mut values = Vec::with_capacity(columns.len());
        for (at, column) in columns.iter().enumerate() {
            values.push(from_ref(row.get_ref(at).map_err(failed)?, column)?);
        }
        take(values);
    }
    Ok(())
}

/// A row lock in a read-only transaction is refused as PostgreSQL refuses it, though there is nothing to lock here: what works
/// on one engine must work on the other.
fn may_lock(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    if matches!(without_row_locks(sql), Cow::Borrowed(_)) {
        return Ok(());
    }
    let only_reads = connection.pragma_query_value(None, "query_only", |row| row.get(0));
    if only_reads.map_err(|error| from_sqlite(connection, error))? { Err(StoreError::ReadOnly) } else { Ok(()) }
}

/// Checks that a statement can be prepared and that its parameters are `$1 … $n`.
pub(crate) fn check(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    let statement = prepare(connection, sql)?;
    let count = statement.parameter_count();
    places(&statement, count).map(|_| ())
}

fn prepare<'c>(connection: &'c Connection, sql: &str) -> Result<CachedStatement<'c>, StoreError> {
    connection.prepare_cached(&without_row_locks(sql)).map_err(|error| from_sqlite(connection, error))
}

/// SQLite knows `$1` as a named parameter and numbers names as they first appear: values are bound by name.
fn bind(connection: &Connection, statement: &mut CachedStatement<'_>, params: &[Value]) -> Result<(), StoreError> {
    for (at, place) in places(statement, params.len())?.into_iter().enumerate() {
        let bound = statement.raw_bind_parameter(at + 1, &params[place]);
        bound.map_err(|error| from_sqlite(connection, error))?;
    }
    Ok(())
}

/// For each of SQLite's parameters, which of the `given` values it takes.
fn places(statement: &CachedStatement<'_>, given: usize) -> Result<Vec<usize>, StoreError> {
    let count = statement.parameter_count();
    if count != given {
        return Err(StoreError::ParameterCount { wanted: count, given });
    }
    (1..=count)
        .map(|at| {
            let name = statement.parameter_name(at).unwrap_or("?");
            let number = name.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok());
            number.and_then(|number| number.checked_sub(1)).filter(|place| *place < count).ok_or_else(|| {
                StoreError::Type {
                    what: format!("parameter {name}"),
                    wanted: "$1 … $n without a gap",
                    found: name.to_owned(),
                }
            })
        })
        .collect()
}

fn from_ref(value: ValueRef<'_>, column: &str) -> Result<Value, StoreError> {
    let wrong = |found: &str| StoreError::Type {
        what: format!("column {column}"),
        wanted: "integer, text or bytes",
        found: found.to_owned(),
    };
    match value {
        ValueRef::Null => Ok(Value::Null),
        ValueRef::Integer(number) => Ok(Value::Int(number)),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes)
            .map(|text| Value::Text(text.to_owned()))
            .map_err(|_| wrong("text that is not UTF-8")),
        ValueRef::Blob(bytes) => Ok(Value::Blob(bytes.to_vec())),
        ValueRef::Real(_) => Err(wrong("real")),
    }
}

/// Drops `FOR UPDATE` and `FOR UPDATE SKIP LOCKED` outside quotes: there is one writer, and it has the file to itself.
fn without_row_locks(sql: &str) -> Cow<'_, str> {
    const LOCKS: [&str; 2] = ["FOR UPDATE SKIP LOCKED", "FOR UPDATE"];
    if !sql.contains(LOCKS[1]) {
        return Cow::Borrowed(sql);
    }
    // Every second part between quotes is a literal; a doubled quote only adds an empty part outside.
    let parts = sql.split('\'').enumerate().map(|(at, part)| match at % 2 {
        0 => Cow::Owned(LOCKS.iter().fold(part.to_owned(), |part, lock| part.replace(lock, ""))),
        _ => Cow::Borrowed(part),
    });
    Cow::Owned(parts.collect::<Vec<_>>().join("'"))
}

#[cfg(test)]
mod tests {
    use super::without_row_locks;

    #[test]
    fn row_locks_go_and_literals_stay() {
        let free = "SELECT id FROM a WHERE n = 'it''s FOR UPDATE' LIMIT 1 FOR UPDATE SKIP LOCKED";
        assert_eq!(without_row_locks(free), "SELECT id FROM a WHERE n = 'it''s FOR UPDATE' LIMIT 1 ");
        assert_eq!(without_row_locks("SELECT (SELECT 1 FOR UPDATE) + 1"), "SELECT (SELECT 1 ) + 1");
    }
}
