//! Dated events of orders.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// An event.
    EventRow {
        /// Why it is there; unique, so that a repeated run adds nothing.
        cause: String,
        /// Whose.
        account_id: String,
        /// The order.
        order_id: Option<String>,
        /// The payment.
        payment_id: Option<String>,
        /// When.
        at: Timestamp,
        /// What.
        kind: String,
        /// Its amounts and names, a JSON object of strings.
        data: String,
    }
}

statements! {
    INSERT = "INSERT INTO timeline (cause, account_id, order_id, payment_id, at, kind, data) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (cause) DO NOTHING";
    OF_ORDER = "SELECT * FROM timeline WHERE order_id = $1 ORDER BY at, cause";
}

/// Adds an event unless it is there; whether it was added.
pub fn insert(tx: &mut Tx<'_>, event: &EventRow) -> Result<bool, StoreError> {
    Ok(tx.execute(INSERT, &event.values())? == 1)
}

/// Events of an order, oldest first.
pub fn of_order(tx: &mut Tx<'_>, order_id: &str) -> Result<Vec<EventRow>, StoreError> {
    all(&tx.query(OF_ORDER, params![order_id])?, EventRow::from_row)
}
