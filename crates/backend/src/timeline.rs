//! Dated events of an order, each with the cause that keeps it from being written twice.

use std::collections::BTreeMap;

use api::views::EventKind;
use domain::Timestamp;
use domain::settle::{BalanceReason, Notice};
use store::Tx;
use store::repo::timeline::{self, EventRow};

use crate::refusal::{Outcome, Refusal};

/// An event to be written.
pub struct Event<'a> {
    /// Unique.
    pub cause: String,
    /// Whose.
    pub account_id: &'a str,
    /// The order.
    pub order_id: Option<&'a str>,
    /// The payment.
    pub payment_id: Option<&'a str>,
    /// What.
    pub kind: EventKind,
    /// Its amounts and names.
    pub data: BTreeMap<String, String>,
}

/// Names and values of an event.
pub fn data<const N: usize>(pairs: [(&str, String); N]) -> BTreeMap<String, String> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Writes an event unless it is there.
pub fn write(tx: &mut Tx<'_>, at: Timestamp, event: &Event<'_>) -> Outcome<bool> {
    let row = EventRow {
        cause: event.cause.clone(),
        account_id: event.account_id.to_owned(),
        order_id: event.order_id.map(str::to_owned),
        payment_id: event.payment_id.map(str::to_owned),
        at,
        kind: code(event.kind)?,
        data: serde_json::to_string(&event.data).map_err(|error| Refusal::broken(error.to_string()))?,
    };
    Ok(timeline::insert(tx, &row)?)
}

/// The kind as it is stored: its name on the wire.
pub fn code(kind: EventKind) -> Outcome<String> {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(code)) => Ok(code),
        _ => Err(Refusal::broken("event kind without a name")),
    }
}

/// Kind and data of what the customer is told about money.
pub fn of_notice(notice: &Notice) -> (EventKind, BTreeMap<String, String>) {
    match notice {
        Notice::Held { cents, missing } => {
            (EventKind::Held, data([("amount", cents.to_string()), ("missing", missing.to_string())]))
        }
        Notice::Settled { forgiven } => (EventKind::Settled, data([("forgiven", forgiven.to_string())])),
        Notice::Balance { cents, why } => {
            (EventKind::ToBalance, data([("amount", cents.to_string()), ("reason", reason(*why).to_owned())]))
        }
        Notice::Repaid { cents, owed } => {
            (EventKind::Repaid, data([("amount", cents.to_string()), ("owed", owed.to_string())]))
        }
        Notice::Undone { cents, owed } => {
            (EventKind::Undone, data([("amount", cents.to_string()), ("owed", owed.to_string())]))
        }
        Notice::BalanceChosen { cents } => (EventKind::BalanceChosen, data([("amount", cents.to_string())])),
    }
}

const fn reason(why: BalanceReason) -> &'static str {
    match why {
        BalanceReason::TopUp => "top_up",
        BalanceReason::Over => "over",
        BalanceReason::Unobtainable => "no_lots",
        BalanceReason::Settled => "already_settled",
        BalanceReason::Cancelled => "cancelled",
        BalanceReason::Lapsed => "lapsed",
        BalanceReason::Decided => "decided",
        BalanceReason::Claimed => "claimed",
        BalanceReason::NotFulfilled => "not_fulfilled",
        BalanceReason::Outage => "outage",
    }
}
