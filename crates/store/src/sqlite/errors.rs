//! SQLite's errors in the store's terms.

use rusqlite::{Connection, Error, ErrorCode, ffi};

use crate::StoreError;

/// The error in the store's terms; the connection is asked for the name of a violated index.
pub(crate) fn from_sqlite(connection: &Connection, error: Error) -> StoreError {
    let Error::SqliteFailure(failure, message) = &error else {
        return StoreError::Sql { code: "driver".to_owned(), message: error.to_string() };
    };
    let message = message.clone().unwrap_or_else(|| failure.to_string());
    match failure.code {
        ErrorCode::ConstraintViolation => constraint(connection, failure.extended_code, &message),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy,
        ErrorCode::DiskFull => StoreError::Full,
        ErrorCode::ReadOnly => StoreError::ReadOnly,
        ErrorCode::SystemIoFailure
        | ErrorCode::DatabaseCorrupt
        | ErrorCode::NotADatabase
        | ErrorCode::CannotOpen
        | ErrorCode::OutOfMemory => StoreError::Io { detail: message },
        _ => StoreError::Sql { code: failure.extended_code.to_string(), message },
    }
}

fn constraint(connection: &Connection, extended: i32, message: &str) -> StoreError {
    let subject = message.split_once("failed: ").map_or(message, |(_, subject)| subject).to_owned();
    match extended {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => {
            StoreError::Unique { constraint: index_name(connection, &subject) }
        }
        ffi::SQLITE_CONSTRAINT_CHECK => StoreError::Check { constraint: subject },
        ffi::SQLITE_CONSTRAINT_NOTNULL => StoreError::NotNull { column: subject },
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => StoreError::ForeignKey,
        _ => StoreError::Sql { code: extended.to_string(), message: message.to_owned() },
    }
}

/// The index behind `table.a, table.b` (or behind `index 'name'`, which is how SQLite names one over expressions).
fn index_name(connection: &Connection, subject: &str) -> String {
    if let Some(quoted) = subject.strip_prefix("index '") {
        return quoted.trim_end_matches('\'').to_owned();
    }
    let mut table = "";
    let mut columns = Vec::new();
    for part in subject.split(", ") {
        let (of, column) = part.split_once('.').unwrap_or(("", part));
        table = of;
        columns.push(column);
    }
    let joined = columns.join(",");
    let named = unique_indexes(connection, table).unwrap_or_default();
    let name = named.into_iter().find(|(_, over)| *over == joined).map(|(name, _)| name);
    // A primary key that is the rowid has no index.
    name.unwrap_or_else(|| format!("{table}_pkey"))
}

/// Unique indexes of a table under their PostgreSQL names, each with its columns joined by commas.
pub fn unique_indexes(connection: &Connection, table: &str) -> rusqlite::Result<Vec<(String, String)>> {
    let source = "SELECT COALESCE(MAX(sql), '') FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let source: String = connection.query_row(source, [table], |row| row.get(0))?;
    let named = named_uniques(&source);
    let mut statement = connection.prepare(
        "SELECT list.name, list.origin, \
            (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(list.name) ORDER BY seqno)) \
         FROM pragma_index_list(?1) AS list WHERE list.\"unique\" = 1",
    )?;
    let rows = statement.query_map([table], |row| {
        let (name, origin, over): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let over = over.unwrap_or_default();
        let given = named.iter().find(|(_, columns)| *columns == over).map(|(name, _)| name.clone());
        Ok(match origin.as_str() {
            "pk" => (format!("{table}_pkey"), over),
            "u" => (given.unwrap_or_else(|| format!("{table}_{}_key", over.replace(',', "_"))), over),
            _ => (name, over),
        })
    })?;
    rows.collect()
}

/// `CONSTRAINT name UNIQUE (a, b)` in the source of a table: SQLite keeps the name nowhere else.
fn named_uniques(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for part in source.split("CONSTRAINT ").skip(1) {
        let Some((name, rest)) = part.split_once(char::is_whitespace) else { continue };
        let Some(rest) = rest.trim_start().strip_prefix("UNIQUE") else { continue };
        let columns = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        if let Some((columns, _)) = columns {
            let columns: Vec<&str> = columns.split(',').map(str::trim).collect();
            found.push((name.to_owned(), columns.join(",")));
        }
    }
    found
}
