//! What a database holds, in a form that can be compared across copies and across engines.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::refused;
use crate::{StoreError, Value};

/// Rows and a digest of the content of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSums {
    /// The table.
    pub table: String,
    /// Its rows.
    pub rows: u64,
    /// Sum over the rows of the first 128 bits of SHA-256 of their values, columns by name: the same on both engines and
    /// in any order of rows. It finds accidents; it is no proof against someone who forges a backup.
    pub digest: u128,
}

impl TableSums {
    pub(super) fn new(table: &str) -> Self {
        Self { table: table.to_owned(), rows: 0, digest: 0 }
    }

    /// Adds a row; values in the order of their columns' names.
    pub(super) fn add<'v>(&mut self, values: impl Iterator<Item = &'v Value>) {
        let mut hash = Sha256::new();
        for value in values {
            let (kind, bytes): (u8, &[u8]) = match value {
                Value::Null => (0, &[]),
                Value::Int(number) => (1, &number.to_be_bytes()),
                Value::Text(text) => (2, text.as_bytes()),
                Value::Blob(bytes) => (3, bytes),
            };
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        }
        let digest = hash.finalize();
        let first = digest.iter().take(16).fold(0_u128, |sum, byte| (sum << 8) | u128::from(*byte));
        self.rows += 1;
        self.digest = self.digest.wrapping_add(first);
    }
}

/// All tables of a database, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// One entry per table.
    pub tables: Vec<TableSums>,
}

impl Sums {
    pub(super) fn new(mut tables: Vec<TableSums>) -> Self {
        tables.sort_by(|a, b| a.table.cmp(&b.table));
        Self { tables }
    }

    /// `Backup` naming the first table that differs.
    pub fn expect(&self, found: &Sums) -> Result<(), StoreError> {
        if self == found {
            return Ok(());
        }
        let differing = self.tables.iter().find(|table| !found.tables.contains(table));
        let differing = differing.or_else(|| found.tables.iter().find(|table| !self.tables.contains(table)));
        let name = differing.map_or("?", |table| table.table.as_str());
        let rows = |sums: &Sums| sums.tables.iter().find(|table| table.table == name).map_or(0, |table| table.rows);
        Err(refused(format!("table {name} differs: {} rows expected, {} found", rows(self), rows(found))))
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernodeck-sums 1")?;
        for table in &self.tables {
            writeln!(f, "{} {} {:032x}", table.table, table.rows, table.digest)?;
        }
        writeln!(f, "end")
    }
}

impl FromStr for Sums {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        let broken = || refused("the file of sums is damaged");
        let body =
            text.strip_prefix("kernodeck-sums 1\n").and_then(|text| text.strip_suffix("end\n")).ok_or_else(broken)?;
        let tables = body.lines().map(|line| {
            let parts: Vec<&str> = line.split(' ').collect();
            let [table, rows, digest] = parts.as_slice() else { return Err(broken()) };
            Ok(TableSums {
                table: (*table).to_owned(),
                rows: rows.parse().map_err(|_| broken())?,
                digest: u128::from_str_radix(digest, 16).map_err(|_| broken())?,
            })
        });
        Ok(Sums::new(tables.collect::<Result<_, _>>()?))
    }
}
