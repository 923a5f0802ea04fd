//! The cases.

mod backups;
mod concurrency;
mod constraints;
mod migrations;
mod sql;
mod transactions;
mod values;

use store::{Store, StoreError, Tx, params};

use crate::Case;

pub const ALL: &[&[Case]] = &[
    values::CASES,
    sql::CASES,
    constraints::CASES,
    transactions::CASES,
    concurrency::CASES,
    migrations::CASES,
    backups::CASES,
];

/// Writes a list of cases with their names.
macro_rules! cases {
    ($($name:ident),+ $(,)?) => {
        pub const CASES: &[crate::Case] = &[$((stringify!($name), $name)),+];
    };
}
pub(crate) use cases;

/// Puts a purse in place.
pub fn put(tx: &mut Tx<'_>, id: &str, cents: i64) -> Result<(), StoreError> {
    tx.execute("INSERT INTO purse (id, cents) VALUES ($1, $2)", params![id, cents]).map(|_| ())
}

/// What a purse holds, read within a transaction.
pub fn cents(tx: &mut Tx<'_>, id: &str) -> Result<Option<i64>, StoreError> {
    tx.query_opt("SELECT cents FROM purse WHERE id = $1", params![id])?.map(|row| row.get("cents")).transpose()
}

/// Puts a purse in place in a transaction of its own.
pub fn put_now(store: &Store, id: &'static str, amount: i64) {
    store.write(move |tx| put(tx, id, amount)).unwrap();
}

/// What a purse holds now.
pub fn cents_now(store: &Store, id: &str) -> Option<i64> {
    store.read(|tx| cents(tx, id)).unwrap()
}
