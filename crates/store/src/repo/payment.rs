//! Payments: one set of instructions each.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// A payment.
    PaymentRow {
        /// Random id.
        id: String,
        /// Whose.
        account_id: String,
        /// `order`, `extension` or `top_up`.
        purpose: String,
        /// The order, if it pays one.
        order_id: Option<String>,
        /// The method's code.
        method: String,
        /// The network's code.
        network: String,
        /// What is asked.
        asked_cents: i64,
        /// Base units to send, decimal text.
        amount: String,
        /// USD per coin, decimal text.
        rate: String,
        /// The quote with its sources, JSON.
        quote: String,
        /// The address.
        address_id: String,
        /// When it was issued.
        issued_at: Timestamp,
        /// Until when it holds.
        deadline: Timestamp,
        /// Prefix of the client's network, for limits.
        network_prefix: String,
        /// When «I have paid» was said.
        notice_at: Option<Timestamp>,
        /// Whether the mempool was not read for too long while its window was open.
        blind: bool,
        /// Code of the headline.
        headline: String,
        /// When the job must look again.
        next_change_at: Option<Timestamp>,
    }
}

statements! {
    INSERT = "INSERT INTO payment (id, account_id, purpose, order_id, method, network, asked_cents, amount, rate, quote, address_id, issued_at, deadline, network_prefix, notice_at, blind, headline, next_change_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
    BY_ID = "SELECT * FROM payment WHERE id = $1";
    OF_ORDER = "SELECT * FROM payment WHERE order_id = $1 ORDER BY issued_at, id";
    IN_SIGHT = "SELECT DISTINCT p.id FROM payment p JOIN transfer t ON t.payment_id = p.id WHERE p.account_id = $1 AND p.network = $2 AND NOT EXISTS (SELECT 1 FROM credit c WHERE c.transfer_id = t.id AND c.undone = 0) ORDER BY p.id";
    OPEN_OF_ACCOUNT = "SELECT COUNT(*) AS payments FROM payment WHERE account_id = $1 AND deadline > $2 AND headline NOT IN ('paid', 'overpaid')";
    OPEN_OF_PREFIX = "SELECT COUNT(*) AS payments FROM payment WHERE network_prefix = $1 AND deadline > $2 AND headline NOT IN ('paid', 'overpaid')";
    NOTICE = "UPDATE payment SET notice_at = $2 WHERE id = $1 AND notice_at IS NULL";
    PROJECT = "UPDATE payment SET headline = $2, next_change_at = $3 WHERE id = $1";
    DUE = "SELECT id FROM payment WHERE next_change_at <= $1 ORDER BY next_change_at, id LIMIT $2";
    UNCREDITED = "SELECT DISTINCT t.payment_id FROM sighting s JOIN transfer t ON t.id = s.transfer_id WHERE s.network = $1 AND s.height >= $2 AND s.orphaned = 0 AND t.payment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM credit c WHERE c.sighting_id = s.id AND c.undone = 0) ORDER BY t.payment_id";
    WAITING_PAST = "SELECT id FROM payment WHERE network = $1 AND headline = 'waiting' AND deadline <= $2 ORDER BY id";
    SEEING = "SELECT id FROM payment WHERE network = $1 AND blind = 0 AND deadline > $2 AND issued_at < $3 ORDER BY id";
    BLIND = "UPDATE payment SET blind = 1 WHERE id = $1 AND blind = 0";
    PAGE = "SELECT * FROM payment WHERE (issued_at, id) < ($1, $2) ORDER BY issued_at DESC, id DESC LIMIT $3";
    SEARCH = "SELECT p.* FROM payment p JOIN account a ON a.id = p.account_id JOIN address d ON d.id = p.address_id LEFT JOIN rental_order o ON o.id = p.order_id WHERE (p.issued_at, p.id) < ($1, $2) AND (o.reference = $3 OR a.email_key = $4 OR d.address = $5 OR EXISTS (SELECT 1 FROM transfer t WHERE t.payment_id = p.id AND t.tx_id = $5)) ORDER BY p.issued_at DESC, p.id DESC LIMIT $6";
}

/// Adds a payment.
pub fn insert(tx: &mut Tx<'_>, payment: &PaymentRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &payment.values()).map(|_| ())
}

/// The payment of that id.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<PaymentRow>, StoreError> {
    tx.query_opt(BY_ID, params![id])?.as_ref().map(PaymentRow::from_row).transpose()
}

/// Payments of an order, oldest first.
pub fn of_order(tx: &mut Tx<'_>, order_id: &str) -> Result<Vec<PaymentRow>, StoreError> {
    all(&tx.query(OF_ORDER, params![order_id])?, PaymentRow::from_row)
}

/// Ids of an account's payments on a network with a transfer of which nothing is credited.
pub fn in_sight(tx: &mut Tx<'_>, account_id: &str, network: &str) -> Result<Vec<String>, StoreError> {
    all(&tx.query(IN_SIGHT, params![account_id, network])?, |row| row.get("id"))
}

/// Payments of an account whose window is open and which are not paid.
pub fn open_of_account(tx: &mut Tx<'_>, account_id: &str, now: Timestamp) -> Result<u32, StoreError> {
    tx.query_one(OPEN_OF_ACCOUNT, params![account_id, now])?.get("payments")
}

/// Payments asked for from a network prefix whose window is open and which are not paid.
pub fn open_of_prefix(tx: &mut Tx<'_>, prefix: &str, now: Timestamp) -> Result<u32, StoreError> {
    tx.query_one(OPEN_OF_PREFIX, params![prefix, now])?.get("payments")
}

/// Notes the customer's notice; false when it was said before.
pub fn notice(tx: &mut Tx<'_>, id: &str, now: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.execute(NOTICE, params![id, now])? == 1)
}

/// Stores the projections.
pub fn project(tx: &mut Tx<'_>, id: &str, headline: &str, next_change_at: Option<Timestamp>) -> Result<(), StoreError> {
    tx.execute(PROJECT, params![id, headline, next_change_at]).map(|_| ())
}

/// Ids of payments at which the job must look by now.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<String>, StoreError> {
    all(&tx.query(DUE, params![now, limit])?, |row| row.get("id"))
}

/// Ids of a network's payments with money in a block from that height on that is not credited: every further block may
/// make it final.
pub fn uncredited(tx: &mut Tx<'_>, network: &str, from_height: i64) -> Result<Vec<String>, StoreError> {
    all(&tx.query(UNCREDITED, params![network, from_height])?, |row| row.get("payment_id"))
}

/// Ids of a network's payments whose deadline has passed and which are not called expired yet: that waits for the watcher.
pub fn waiting_past(tx: &mut Tx<'_>, network: &str, now: Timestamp) -> Result<Vec<String>, StoreError> {
    all(&tx.query(WAITING_PAST, params![network, now])?, |row| row.get("id"))
}

/// Ids of a network's payments that are not called blind yet, issued before one time and open after another.
pub fn seeing(
    tx: &mut Tx<'_>,
    network: &str,
    open_after: Timestamp,
    issued_before: Timestamp,
) -> Result<Vec<String>, StoreError> {
    all(&tx.query(SEEING, params![network, open_after, issued_before])?, |row| row.get("id"))
}

/// Notes that the mempool was not read for too long in a payment's window.
pub fn blind(tx: &mut Tx<'_>, id: &str) -> Result<(), StoreError> {
    tx.execute(BLIND, params![id]).map(|_| ())
}

/// A page before a place, newest first.
pub fn page(tx: &mut Tx<'_>, before: (Timestamp, &str), limit: i64) -> Result<Vec<PaymentRow>, StoreError> {
    all(&tx.query(PAGE, params![before.0, before.1, limit])?, PaymentRow::from_row)
}

/// A page of those with that reference, that customer's canonical email, that address or that transaction.
pub fn search(
    tx: &mut Tx<'_>,
    before: (Timestamp, &str),
    reference: &str,
    email_key: &str,
    exact: &str,
    limit: i64,
) -> Result<Vec<PaymentRow>, StoreError> {
    all(&tx.query(SEARCH, params![before.0, before.1, reference, email_key, exact, limit])?, PaymentRow::from_row)
}
