//! Dated events of an order, each with the cause that keeps it from being written twice.

use std::collections::BTreeMap;

use api::views::{EventKind, TimelineEvent};
use domain::Timestamp;
use domain::settle::{BalanceReason, Notice};
use domain::time::SECOND_MICROS;
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

/// An order's events, oldest first. Those of one instant came from one commit and stand in the order in which one leads to
/// the next.
pub fn of_order(tx: &mut Tx<'_>, order_id: &str) -> Outcome<Vec<TimelineEvent>> {
    let mut events = Vec::new();
    for row in timeline::of_order(tx, order_id)? {
        let data = serde_json::from_str(&row.data).map_err(|error| Refusal::broken(format!("timeline: {error}")))?;
        let kind = serde_json::Value::String(row.kind);
        let kind = serde_json::from_value(kind).map_err(|error| Refusal::broken(format!("timeline: {error}")))?;
        events.push(TimelineEvent { at: row.at.into(), kind, payment_id: row.payment_id, data });
    }
    events.sort_by_key(|event| (event.at.0, place(event.kind)));
    Ok(events)
}

/// Place among the events of one instant.
const fn place(kind: EventKind) -> u8 {
    match kind {
        EventKind::OrderPlaced => 0,
        EventKind::Instructions => 1,
        EventKind::Notice => 2,
        EventKind::Undone => 3,
        EventKind::Seen => 4,
        EventKind::Mined => 5,
        EventKind::Final => 6,
        EventKind::BalanceChosen => 7,
        EventKind::Held => 8,
        EventKind::Settled => 9,
        EventKind::Repaid => 10,
        EventKind::OrderCancelled | EventKind::OrderLapsed => 11,
        EventKind::ToBalance => 12,
        EventKind::Preparing => 13,
        EventKind::AcceptanceDiffers => 14,
        EventKind::AcceptancePassed => 15,
        EventKind::Ready => 16,
        EventKind::Unknown => 17,
    }
}

/// When a transfer that stood in no block is said to have been seen. The node tells whole seconds of its own clock; taken as
/// they are, they would put the sighting before what the customer did in that second, or in the seconds by which the node's
/// clock lags. So it is the end of the node's second, not before the reading that did not have it yet, and never after now.
/// Whether money was on time is decided by the node's own time, not by this.
pub fn seen_at(node_time: Timestamp, read_before: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let whole = node_time.micros() % SECOND_MICROS == 0;
    let latest = if whole { node_time.plus_micros(SECOND_MICROS - 1) } else { node_time };
    latest.max(read_before.unwrap_or(latest)).min(now)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sighting_is_told_neither_before_what_came_first_nor_after_now() {
        let at = Timestamp::from_micros;
        // Noticed at 10.3 s, sent at 10.6 s, read at 10.9 s: the node says «10».
        assert_eq!(seen_at(at(10_000_000), None, at(10_900_000)), at(10_900_000));
        assert_eq!(seen_at(at(10_000_000), None, at(12_000_000)), at(10_999_999));
        // The node's clock is five seconds behind: the reading at 14 s had nothing.
        assert_eq!(seen_at(at(10_000_000), Some(at(14_000_000)), at(15_000_000)), at(14_000_000));
        // Five seconds ahead.
        assert_eq!(seen_at(at(20_000_000), Some(at(14_000_000)), at(15_000_000)), at(15_000_000));
        // After an outage of an hour the node's word stands: that is when it was seen.
        assert_eq!(seen_at(at(1_800_000_000), Some(at(9_000_000)), at(3_600_000_000)), at(1_800_999_999));
    }
}
