//! What is broken in a file.

use rusqlite::Connection;

use super::errors::from_sqlite;
use crate::StoreError;

/// The file's structure, its indexes, its CHECKs and its foreign keys: at most so many sentences about each.
pub(crate) fn damage(connection: &Connection, most: usize) -> Result<Vec<String>, StoreError> {
    let failed = |error: rusqlite::Error| from_sqlite(connection, error);
    let sentences = |sql: &str| -> rusqlite::Result<Vec<String>> {
        connection.prepare(sql)?.query_map([], |row| row.get(0))?.take(most).collect()
    };
    let mut found = sentences(&format!("PRAGMA integrity_check({most})")).map_err(failed)?;
    found.retain(|sentence| sentence != "ok");
    let lost = "SELECT 'row ' || COALESCE(rowid, '?') || ' of ' || \"table\" || ' points at a row of ' || parent || \
         ' that does not exist' FROM pragma_foreign_key_check";
    found.extend(sentences(lost).map_err(failed)?);
    Ok(found)
}
