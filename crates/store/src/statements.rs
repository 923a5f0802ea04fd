//! Every statement of the product is a constant in a list, so that a test can prepare each on both engines.
//!
//! SQL is shared by both engines:
//! - parameters are `$1 … $n`, each number used at least once; write `CAST($1 AS BIGINT)`, never `$1::bigint`;
//! - `ON CONFLICT … DO NOTHING / DO UPDATE` and `RETURNING` work on both;
//! - `FOR UPDATE` and `FOR UPDATE SKIP LOCKED` are written as they are for PostgreSQL; the SQLite driver drops them, because
//!   its one writer has the whole file to itself;
//! - a sum is `CAST(COALESCE(SUM(x), 0) AS BIGINT)`: PostgreSQL's plain sum is a NUMERIC, which no row accepts;
//! - two-valued columns are integers 0 and 1.

/// One statement of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Module that declares it.
    pub module: &'static str,
    /// Name of its constant.
    pub name: &'static str,
    /// Its text, for both engines.
    pub sql: &'static str,
}

/// Declares the statements of one repository module: a constant each, and `STATEMENTS`, which `repo::ALL` must list.
///
/// ```
/// # extern crate kernodeck_store as store;
/// mod notes {
///     use store::{StoreError, Tx, params, statements};
///     statements! {
///         INSERT = "INSERT INTO note (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING";
///         BODY = "SELECT body FROM note WHERE id = $1 FOR UPDATE";
///     }
///     pub fn insert(tx: &mut Tx<'_>, id: &str, body: &str) -> Result<bool, StoreError> {
///         Ok(tx.execute(INSERT, params![id, body])? == 1)
///     }
///     pub fn body(tx: &mut Tx<'_>, id: &str) -> Result<Option<String>, StoreError> {
///         tx.query_opt(BODY, params![id])?.map(|row| row.get("body")).transpose()
///     }
/// }
/// assert_eq!(notes::STATEMENTS.len(), 2);
/// ```
#[macro_export]
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $sql:expr;)+) => {
        $($(#[$meta])* const $name: &str = $sql;)+
        /// Every statement of this module.
        pub static STATEMENTS: &[$crate::Statement] =
            &[$($crate::Statement { module: module_path!(), name: stringify!($name), sql: $name }),+];
    };
}
