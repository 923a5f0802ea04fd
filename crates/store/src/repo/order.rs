//! Orders.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// An order.
    OrderRow {
        /// Random id.
        id: String,
        /// Whose.
        account_id: String,
        /// What is read aloud.
        reference: String,
        /// The offer.
        offer_id: String,
        /// The hardware as it stood, JSON.
        hardware: String,
        /// Cents for one lot as it stood.
        per_lot_cents: i64,
        /// Lots.
        lots: u32,
        /// 3, 7 or 30.
        days: u32,
        /// The starting point.
        preparation: String,
        /// The customer's SSH public key.
        ssh_public_key: Option<String>,
        /// The fixed total.
        total_cents: i64,
        /// When it was placed.
        placed_at: Timestamp,
        /// When its price lapses.
        lapses_at: Timestamp,
        /// When it was cancelled.
        cancelled_at: Option<Timestamp>,
        /// When it lapsed.
        lapsed_at: Option<Timestamp>,
        /// When it was settled.
        settled_at: Option<Timestamp>,
        /// The payment whose money settled it.
        settled_by: Option<String>,
        /// Whether its lots are out of stock for others.
        lots_held: bool,
        /// Until when, if nothing is in sight.
        lots_held_until: Option<Timestamp>,
        /// Stored step of fulfilment.
        fulfilment: String,
        /// The operator's expected date.
        expected_at: Option<Timestamp>,
        /// When preparing began.
        preparing_at: Option<Timestamp>,
        /// The acceptance check, JSON.
        acceptance: Option<String>,
        /// When the clock began.
        ready_at: Option<Timestamp>,
        /// When it ends.
        ends_at: Option<Timestamp>,
        /// When it was wiped.
        wiped_at: Option<Timestamp>,
        /// When acceptance failed for good.
        failed_at: Option<Timestamp>,
        /// When it was suspended.
        suspended_at: Option<Timestamp>,
        /// Access, sealed.
        access_sealed: Option<Vec<u8>>,
        /// When the job must look again.
        next_change_at: Option<Timestamp>,
    }
}

statements! {
    INSERT = "INSERT INTO rental_order (id, account_id, reference, offer_id, hardware, per_lot_cents, lots, days, preparation, ssh_public_key, total_cents, placed_at, lapses_at, cancelled_at, lapsed_at, settled_at, settled_by, lots_held, lots_held_until, fulfilment, expected_at, preparing_at, acceptance, ready_at, ends_at, wiped_at, failed_at, suspended_at, access_sealed, next_change_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30)";
    UPDATE = "UPDATE rental_order SET cancelled_at = $2, lapsed_at = $3, settled_at = $4, settled_by = $5, lots_held = $6, lots_held_until = $7, fulfilment = $8, expected_at = $9, preparing_at = $10, acceptance = $11, ready_at = $12, ends_at = $13, wiped_at = $14, failed_at = $15, suspended_at = $16, access_sealed = $17, next_change_at = $18 WHERE id = $1";
    BY_ID = "SELECT * FROM rental_order WHERE id = $1";
    BY_REFERENCE = "SELECT id FROM rental_order WHERE reference = $1";
    OF_ACCOUNT = "SELECT * FROM rental_order WHERE account_id = $1 ORDER BY placed_at, id";
    DUE = "SELECT id FROM rental_order WHERE next_change_at <= $1 ORDER BY next_change_at, id LIMIT $2";
    UNPAID_HOLDS = "SELECT COUNT(*) AS orders FROM rental_order WHERE account_id = $1 AND lots_held = 1 AND settled_at IS NULL AND lots_held_until IS NOT NULL AND id <> $2";
    SETTLED = "SELECT COUNT(*) AS orders FROM rental_order WHERE account_id = $1 AND settled_at IS NOT NULL";
    PAGE = "SELECT * FROM rental_order WHERE (placed_at, id) < ($1, $2) ORDER BY placed_at DESC, id DESC LIMIT $3";
    SEARCH = "SELECT o.* FROM rental_order o JOIN account a ON a.id = o.account_id WHERE (o.placed_at, o.id) < ($1, $2) AND (o.reference = $3 OR a.email_key = $4) ORDER BY o.placed_at DESC, o.id DESC LIMIT $5";
    TO_PREPARE = "SELECT * FROM rental_order WHERE settled_at IS NOT NULL AND fulfilment IN ('not_started', 'preparing') AND (placed_at, id) < ($1, $2) ORDER BY placed_at DESC, id DESC LIMIT $3";
    COUNT_TO_PREPARE = "SELECT COUNT(*) AS orders FROM rental_order WHERE settled_at IS NOT NULL AND fulfilment IN ('not_started', 'preparing')";
}

/// Adds an order.
pub fn insert(tx: &mut Tx<'_>, order: &OrderRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &order.values()).map(|_| ())
}

/// Stores what can change of an order; what was agreed never does.
pub fn update(tx: &mut Tx<'_>, order: &OrderRow) -> Result<(), StoreError> {
    let o = order;
    let values = params![
        &o.id,
        o.cancelled_at,
        o.lapsed_at,
        o.settled_at,
        o.settled_by.clone(),
        o.lots_held,
        o.lots_held_until,
        &o.fulfilment,
        o.expected_at,
        o.preparing_at,
        o.acceptance.clone(),
        o.ready_at,
        o.ends_at,
        o.wiped_at,
        o.failed_at,
        o.suspended_at,
        o.access_sealed.clone(),
        o.next_change_at
    ];
    tx.execute(UPDATE, values).map(|_| ())
}

/// The order of that id.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<OrderRow>, StoreError> {
    tx.query_opt(BY_ID, params![id])?.as_ref().map(OrderRow::from_row).transpose()
}

/// Whether a reference is taken.
pub fn reference_taken(tx: &mut Tx<'_>, reference: &str) -> Result<bool, StoreError> {
    Ok(tx.query_opt(BY_REFERENCE, params![reference])?.is_some())
}

/// Orders of an account, oldest first.
pub fn of_account(tx: &mut Tx<'_>, account_id: &str) -> Result<Vec<OrderRow>, StoreError> {
    all(&tx.query(OF_ACCOUNT, params![account_id])?, OrderRow::from_row)
}

/// Ids of orders at which the job must look by now.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<String>, StoreError> {
    all(&tx.query(DUE, params![now, limit])?, |row| row.get("id"))
}

/// How many other orders of the account hold lots by an open window alone.
pub fn unpaid_holds(tx: &mut Tx<'_>, account_id: &str, order_id: &str) -> Result<u32, StoreError> {
    tx.query_one(UNPAID_HOLDS, params![account_id, order_id])?.get("orders")
}

/// How many orders of the account were ever settled.
pub fn settled(tx: &mut Tx<'_>, account_id: &str) -> Result<u32, StoreError> {
    tx.query_one(SETTLED, params![account_id])?.get("orders")
}

/// A page before a place, newest first.
pub fn page(tx: &mut Tx<'_>, before: (Timestamp, &str), limit: i64) -> Result<Vec<OrderRow>, StoreError> {
    all(&tx.query(PAGE, params![before.0, before.1, limit])?, OrderRow::from_row)
}

/// A page of those with that reference or that customer's canonical email.
pub fn search(
    tx: &mut Tx<'_>,
    before: (Timestamp, &str),
    reference: &str,
    email_key: &str,
    limit: i64,
) -> Result<Vec<OrderRow>, StoreError> {
    all(&tx.query(SEARCH, params![before.0, before.1, reference, email_key, limit])?, OrderRow::from_row)
}

/// A page of settled orders that are not handed over.
pub fn to_prepare(tx: &mut Tx<'_>, before: (Timestamp, &str), limit: i64) -> Result<Vec<OrderRow>, StoreError> {
    all(&tx.query(TO_PREPARE, params![before.0, before.1, limit])?, OrderRow::from_row)
}

/// How many settled orders are not handed over.
pub fn count_to_prepare(tx: &mut Tx<'_>) -> Result<u32, StoreError> {
    tx.query_one(COUNT_TO_PREPARE, params![])?.get("orders")
}
