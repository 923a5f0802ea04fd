//! The history as a file: CSV with columns that stay, or JSON. Works without a network.

use api::host::{ExportAnswer, ExportFormat};
use api::views::{AccountView, BalanceEntryView, OrderView, PaymentView, PurposeView};
use domain::Timestamp;
use domain::time::{DAY_MICROS, HOUR_MICROS, MINUTE_MICROS, SECOND_MICROS};
use manifest::Day;
use serde::Serialize;
use serde_json::Value;

use crate::desktop::Inner;
use crate::error::{ClientError, StorageError};

/// The CSV's columns. New ones are added at the end; none is renamed, moved or taken away.
const COLUMNS: [&str; 16] = [
    "kind",
    "id",
    "at_utc",
    "order_id",
    "payment_id",
    "reference",
    "item",
    "lots",
    "gpus",
    "days",
    "usd",
    "method",
    "coins",
    "rate_usd",
    "state",
    "reason",
];

/// A field of the CSV.
enum Field {
    /// A text that came from somewhere: it must not become a formula.
    Text(String),
    /// A number or a date that this program wrote.
    Exact(String),
    /// Nothing.
    None,
}

/// Everything that is held of an account. Access to machines is left out: a file on a desk is no place for it.
#[derive(Serialize)]
struct History {
    account: Option<AccountView>,
    orders: Vec<OrderView>,
    payments: Vec<PaymentView>,
    balance: Vec<BalanceEntryView>,
}

impl Inner {
    /// The history of whoever is signed in.
    pub fn export_history(&self, format: ExportFormat) -> Result<ExportAnswer, ClientError> {
        let history = self.customer()?.files(|files| {
            let mut orders = files.cache.all::<OrderView>()?;
            orders.iter_mut().for_each(|order| order.access = None);
            let (payments, balance) = (files.cache.all()?, files.cache.all()?);
            Ok(History { account: files.cache.account()?, orders, payments, balance })
        })?;
        let day = Day::of(self.server_now());
        Ok(match format {
            ExportFormat::Csv => ExportAnswer { file_name: format!("kernodeck-{day}.csv"), text: csv(&history) },
            ExportFormat::Json => ExportAnswer {
                file_name: format!("kernodeck-{day}.json"),
                text: serde_json::to_string_pretty(&history)
                    .map_err(|error| StorageError::Damaged { detail: error.to_string() })?,
            },
        })
    }
}

fn csv(history: &History) -> String {
    let mut text = format!("{}\r\n", COLUMNS.join(","));
    let orders = history.orders.iter().map(order_line);
    let payments = history.payments.iter().map(payment_line);
    let entries = history.balance.iter().map(entry_line);
    for line in orders.chain(payments).chain(entries) {
        text.push_str(&line.map(written).join(","));
        text.push_str("\r\n");
    }
    text
}

fn order_line(order: &OrderView) -> [Field; 16] {
    use Field::{Exact, None, Text};
    [
        Text("order".into()),
        Text(order.id.clone()),
        Exact(instant(order.placed_at.0)),
        Text(order.id.clone()),
        None,
        Text(order.reference.clone()),
        Text(order.offer.gpu.name.clone()),
        Exact(order.lots.to_string()),
        Exact(order.gpus.to_string()),
        Exact(order.days.to_string()),
        Exact(order.total.0.to_string()),
        None,
        None,
        None,
        Text(format!("{}/{}", word(&order.state), word(&order.fulfilment.state))),
        None,
    ]
}

fn payment_line(payment: &PaymentView) -> [Field; 16] {
    use Field::{Exact, None, Text};
    let order = match &payment.purpose {
        PurposeView::Order { order_id } => Text(order_id.clone()),
        PurposeView::TopUp | PurposeView::Unknown => None,
    };
    [
        Text("payment".into()),
        Text(payment.id.clone()),
        Exact(instant(payment.issued_at.0)),
        order,
        Text(payment.id.clone()),
        None,
        None,
        None,
        None,
        None,
        Exact(payment.asked.0.to_string()),
        Text(payment.method.clone()),
        Text(payment.amount.clone()),
        Text(payment.quote.rate.clone()),
        Text(word(&payment.headline)),
        None,
    ]
}

fn entry_line(entry: &BalanceEntryView) -> [Field; 16] {
    use Field::{Exact, None, Text};
    let text = |value: &Option<String>| value.clone().map_or(None, Text);
    [
        Text("balance".into()),
        Text(entry.id.clone()),
        Exact(instant(entry.at.0)),
        text(&entry.order_id),
        text(&entry.payment_id),
        None,
        None,
        None,
        None,
        None,
        Exact(entry.amount.0.to_string()),
        None,
        None,
        None,
        None,
        Text(entry.reason.clone()),
    ]
}

/// A field as RFC 4180 wants it. A text that a spreadsheet would compute gets an apostrophe in front.
fn written(field: Field) -> String {
    let text = match field {
        Field::None => return String::new(),
        Field::Exact(text) => return text,
        Field::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) => format!("'{text}"),
        Field::Text(text) => text,
    };
    match text.contains(['"', ',', '\r', '\n', ';']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// The wire's own word for a state.
fn word(state: &impl Serialize) -> String {
    match serde_json::to_value(state) {
        Ok(Value::String(word)) => word,
        Ok(Value::Object(fields)) => fields.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

/// `2026-12-01T14:03:07Z`.
fn instant(at: Timestamp) -> String {
    let in_day = at.micros().rem_euclid(DAY_MICROS);
    let (hours, minutes) = (in_day / HOUR_MICROS, in_day % HOUR_MICROS / MINUTE_MICROS);
    format!("{}T{hours:02}:{minutes:02}:{:02}Z", Day::of(at), in_day % MINUTE_MICROS / SECOND_MICROS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spreadsheet_never_computes_what_somebody_typed() {
        let text = |text: &str| written(Field::Text(text.into()));
        assert_eq!(text("=HYPERLINK(\"http://x\")"), "\"'=HYPERLINK(\"\"http://x\"\")\"");
        for start in ["=1", "+1", "-1", "@x", "\tx", "\rx"] {
            assert!(text(start).trim_start_matches('"').starts_with('\''), "{start:?}");
        }
        assert_eq!(text("over"), "over");
        assert_eq!(text("a,b"), "\"a,b\"");
        // A debit stays a number: it must add up.
        assert_eq!(written(Field::Exact("-12.05".into())), "-12.05");
    }

    #[test]
    fn instants_are_written_in_utc() {
        assert_eq!(instant(Timestamp::from_seconds(0)), "1970-01-01T00:00:00Z");
        assert_eq!(instant(Timestamp::from_seconds(1_796_133_787)), "2026-12-01T14:03:07Z");
    }

    #[test]
    fn columns_stay_where_they_are() {
        let expected =
            "kind,id,at_utc,order_id,payment_id,reference,item,lots,gpus,days,usd,method,coins,rate_usd,state,reason";
        assert_eq!(COLUMNS.join(","), expected);
    }
}
