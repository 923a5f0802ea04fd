//! Postings, and the sum of each ledger account kept beside them in the same transaction.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// A posting: `cents` from the debited to the credited account.
    PostingRow {
        /// Why; unique.
        cause: String,
        /// The debited account.
        debit: String,
        /// The credited account.
        credit: String,
        /// Above zero.
        cents: i64,
        /// When.
        at: Timestamp,
        /// A short code of the reason, for people.
        reason: String,
        /// The customer it concerns.
        account_id: Option<String>,
        /// The order it concerns.
        order_id: Option<String>,
        /// The payment it concerns.
        payment_id: Option<String>,
    }
}

statements! {
    INSERT = "INSERT INTO posting (cause, debit, credit, cents, at, reason, account_id, order_id, payment_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    ENSURE = "INSERT INTO ledger_balance (account, cents, may_be_negative) VALUES ($1, 0, $2) ON CONFLICT (account) DO NOTHING";
    SHIFT = "UPDATE ledger_balance SET cents = cents + $2 WHERE account = $1";
    BALANCE = "SELECT cents FROM ledger_balance WHERE account = $1";
    BALANCES = "SELECT account, cents FROM ledger_balance ORDER BY account";
    OF_LEDGER_ACCOUNT = "SELECT * FROM posting WHERE debit = $1 OR credit = $1 ORDER BY at, cause";
    BY_CAUSE = "SELECT * FROM posting WHERE cause = $1";
    ALL = "SELECT * FROM posting ORDER BY at, cause";
    COUNT = "SELECT COUNT(*) AS postings FROM posting";
}

/// Adds a posting. `Unique` when its cause is posted; the two sums are moved by [`shift`].
pub fn insert(tx: &mut Tx<'_>, posting: &PostingRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &posting.values()).map(|_| ())
}

/// Moves an account's sum. `Check` when it would fall below zero and must not.
pub fn shift(tx: &mut Tx<'_>, account: &str, cents: i64, may_be_negative: bool) -> Result<(), StoreError> {
    tx.execute(ENSURE, params![account, may_be_negative])?;
    tx.execute(SHIFT, params![account, cents]).map(|_| ())
}

/// The account's sum, seen from the side on which it grows.
pub fn balance(tx: &mut Tx<'_>, account: &str) -> Result<i64, StoreError> {
    tx.query_opt(BALANCE, params![account])?.map_or(Ok(0), |row| row.get("cents"))
}

/// Every account's sum.
pub fn balances(tx: &mut Tx<'_>) -> Result<Vec<(String, i64)>, StoreError> {
    all(&tx.query(BALANCES, params![])?, |row| Ok((row.get("account")?, row.get("cents")?)))
}

/// Postings of one ledger account, oldest first.
pub fn of_ledger_account(tx: &mut Tx<'_>, account: &str) -> Result<Vec<PostingRow>, StoreError> {
    all(&tx.query(OF_LEDGER_ACCOUNT, params![account])?, PostingRow::from_row)
}

/// The posting of that cause.
pub fn by_cause(tx: &mut Tx<'_>, cause: &str) -> Result<Option<PostingRow>, StoreError> {
    tx.query_opt(BY_CAUSE, params![cause])?.as_ref().map(PostingRow::from_row).transpose()
}

/// Every posting, oldest first: for audits of small books.
pub fn everything(tx: &mut Tx<'_>) -> Result<Vec<PostingRow>, StoreError> {
    all(&tx.query(ALL, params![])?, PostingRow::from_row)
}

/// How many postings there are.
pub fn count(tx: &mut Tx<'_>) -> Result<i64, StoreError> {
    tx.query_one(COUNT, params![])?.get("postings")
}
