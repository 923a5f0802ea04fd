//! Accounts, and the head and changes of each account's sync.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// An account of a customer or an operator.
    AccountRow {
        /// Random id.
        id: String,
        /// `customer`, `fulfilment`, `treasury` or `administrator`.
        role: String,
        /// `active`, `blocked` or `deleted`.
        status: String,
        /// The email's canonical form; null once deleted.
        email_key: Option<String>,
        /// The email as typed.
        email: String,
        /// First name.
        first_name: String,
        /// Last name.
        last_name: String,
        /// Argon2 hash with its parameters.
        password_hash: String,
        /// Authenticator secret, sealed.
        authenticator_sealed: Option<Vec<u8>>,
        /// Last time step whose code was used: each code is good once.
        authenticator_last_step: i64,
        /// When it was made.
        created_at: Timestamp,
    }
}

/// Something of an account that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// `account`, `order`, `payment` or `balance_entry`.
    pub kind: String,
    /// The id within its kind.
    pub entity_id: String,
    /// The change's number.
    pub seq: i64,
}

/// Where an account's sync stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadRow {
    /// Random; a cursor of another generation does not fit.
    pub generation: String,
    /// Number of the newest change.
    pub seq: i64,
}

statements! {
    INSERT = "INSERT INTO account (id, role, status, email_key, email, first_name, last_name, password_hash, authenticator_sealed, authenticator_last_step, created_at, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)";
    INSERT_HEAD = "INSERT INTO account_head (account_id, generation, seq) VALUES ($1, $2, 0)";
    BY_ID = "SELECT * FROM account WHERE id = $1";
    BY_EMAIL = "SELECT * FROM account WHERE email_key = $1";
    SET_PASSWORD = "UPDATE account SET password_hash = $2 WHERE id = $1";
    USE_STEP = "UPDATE account SET authenticator_last_step = $2 WHERE id = $1 AND authenticator_last_step < $2";
    USE = "UPDATE account SET last_used_at = $2 WHERE id = $1 AND last_used_at < $3";
    IDLE = "SELECT id, last_used_at FROM account WHERE role = 'customer' AND status = 'active' AND last_used_at <= $1 AND (last_used_at, id) > ($2, $3) ORDER BY last_used_at, id LIMIT $4";
    HAS_BUSINESS = "SELECT CASE WHEN EXISTS (SELECT 1 FROM rental_order WHERE account_id = $1) OR EXISTS (SELECT 1 FROM payment WHERE account_id = $1) OR EXISTS (SELECT 1 FROM posting WHERE account_id = $1) OR EXISTS (SELECT 1 FROM ledger_balance WHERE account IN ('customer:' || $1, 'receivable:' || $1)) THEN 1 ELSE 0 END AS found";
    ERASE = "UPDATE account SET status = 'deleted', email_key = NULL, email = '', first_name = '', last_name = '', password_hash = '', authenticator_sealed = NULL WHERE id = $1 AND role = 'customer' AND status = 'active' AND last_used_at <= $2";
    ERASE_CHANGES = "DELETE FROM account_change WHERE account_id = $1";
    ERASE_HEAD = "DELETE FROM account_head WHERE account_id = $1";
    ERASE_COMMANDS = "DELETE FROM command WHERE account_id = $1";
    BUMP = "UPDATE account_head SET seq = seq + 1 WHERE account_id = $1 RETURNING seq";
    NEW_GENERATION = "UPDATE account_head SET generation = $1";
    HEAD = "SELECT generation, seq FROM account_head WHERE account_id = $1";
    TOUCH = "INSERT INTO account_change (account_id, kind, entity_id, seq) VALUES ($1, $2, $3, $4) ON CONFLICT (account_id, kind, entity_id) DO UPDATE SET seq = excluded.seq";
    CHANGES = "SELECT kind, entity_id, seq FROM account_change WHERE account_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq, kind, entity_id";
    PAGE_END = "SELECT MAX(seq) AS seq FROM (SELECT seq FROM account_change WHERE account_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) AS page";
}

/// Adds an account with the head of its sync.
pub fn insert(tx: &mut Tx<'_>, account: &AccountRow, generation: &str) -> Result<(), StoreError> {
    tx.execute(INSERT, &account.values())?;
    tx.execute(INSERT_HEAD, params![&account.id, generation])?;
    Ok(())
}

/// The account of that id.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<AccountRow>, StoreError> {
    tx.query_opt(BY_ID, params![id])?.as_ref().map(AccountRow::from_row).transpose()
}

/// The account of that canonical email.
pub fn by_email(tx: &mut Tx<'_>, email_key: &str) -> Result<Option<AccountRow>, StoreError> {
    tx.query_opt(BY_EMAIL, params![email_key])?.as_ref().map(AccountRow::from_row).transpose()
}

/// Stores another password hash.
pub fn set_password(tx: &mut Tx<'_>, id: &str, password_hash: &str) -> Result<(), StoreError> {
    tx.execute(SET_PASSWORD, params![id, password_hash]).map(|_| ())
}

/// Uses up an authenticator time step; false when it, or a later one, was used before.
pub fn use_step(tx: &mut Tx<'_>, id: &str, step: i64) -> Result<bool, StoreError> {
    Ok(tx.execute(USE_STEP, params![id, step])? == 1)
}

/// Notes that the account was used, unless a use since `unless_since` is noted.
pub fn touch_use(tx: &mut Tx<'_>, id: &str, now: Timestamp, unless_since: Timestamp) -> Result<(), StoreError> {
    tx.execute(USE, params![id, now, unless_since]).map(|_| ())
}

/// An account that was not used for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleRow {
    /// The account.
    pub id: String,
    /// When it was last used, to the hour.
    pub last_used_at: Timestamp,
}

/// Customers' accounts that were not used since `by`, in the order of their last use, after a place in that order.
pub fn idle(tx: &mut Tx<'_>, by: Timestamp, after: &IdleRow, limit: i64) -> Result<Vec<IdleRow>, StoreError> {
    let rows = tx.query(IDLE, params![by, after.last_used_at, &after.id, limit])?;
    all(&rows, |row| Ok(IdleRow { id: row.get("id")?, last_used_at: row.get("last_used_at")? }))
}

/// Whether an order, a payment or a ledger entry was ever the account's.
pub fn has_business(tx: &mut Tx<'_>, id: &str) -> Result<bool, StoreError> {
    tx.query_one(HAS_BUSINESS, params![id])?.get("found")
}

/// Erases everything of a customer's account but its random id; false when it was used after `by`, or erased before.
pub fn erase(tx: &mut Tx<'_>, id: &str, by: Timestamp) -> Result<bool, StoreError> {
    if tx.execute(ERASE, params![id, by])? == 0 {
        return Ok(false);
    }
    for statement in [ERASE_CHANGES, ERASE_HEAD, ERASE_COMMANDS] {
        tx.execute(statement, params![id])?;
    }
    Ok(true)
}

/// Moves the head and returns the new number. Called first in a transaction that touches the account.
pub fn bump(tx: &mut Tx<'_>, account_id: &str) -> Result<i64, StoreError> {
    tx.query_one(BUMP, params![account_id])?.get("seq")
}

/// The head.
pub fn head(tx: &mut Tx<'_>, account_id: &str) -> Result<HeadRow, StoreError> {
    let row = tx.query_one(HEAD, params![account_id])?;
    Ok(HeadRow { generation: row.get("generation")?, seq: row.get("seq")? })
}

/// Gives every head another generation: no cursor from before fits any more. Returns how many heads there are.
pub fn new_generation(tx: &mut Tx<'_>, generation: &str) -> Result<u64, StoreError> {
    tx.execute(NEW_GENERATION, params![generation])
}

/// Marks something of the account as changed at that number.
pub fn touch(tx: &mut Tx<'_>, account_id: &str, kind: &str, entity_id: &str, seq: i64) -> Result<(), StoreError> {
    tx.execute(TOUCH, params![account_id, kind, entity_id, seq]).map(|_| ())
}

/// Changes after a number, whole transactions of them: about `limit` rows, more when one transaction is larger.
/// Returns the page and the number it reaches.
pub fn changes(tx: &mut Tx<'_>, account_id: &str, after: i64, limit: i64) -> Result<(Vec<ChangeRow>, i64), StoreError> {
    let end: Option<i64> = tx.query_one(PAGE_END, params![account_id, after, limit])?.get("seq")?;
    let Some(end) = end else { return Ok((Vec::new(), after)) };
    let rows = tx.query(CHANGES, params![account_id, after, end])?;
    let page = all(&rows, |row| {
        Ok(ChangeRow { kind: row.get("kind")?, entity_id: row.get("entity_id")?, seq: row.get("seq")? })
    })?;
    Ok((page, end))
}
