//! Lists and pages for operators: read from the server, paged by key, never kept on a device.

use api::ErrorCode;
use api::server::{
    CustomerView, ListRequest, OperatorOrder, OperatorOrderAnswer, OperatorOrdersAnswer, OperatorPayment,
    OperatorPaymentsAnswer,
};
use domain::Timestamp;
use domain::credentials::Email;
use domain::reference::Reference;
use store::Tx;
use store::repo::order::{self, OrderRow};
use store::repo::payment::{self, PaymentRow};
use store::repo::{account, address};

use crate::caller::Caller;
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::views::{self, Access};

const PAGE_ROWS: i64 = 50;

/// Before the first page.
const NEWEST: Timestamp = Timestamp::from_micros(i64::MAX);

/// Orders, newest first: all, those to prepare, or what a search finds.
pub fn orders(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &ListRequest,
) -> Outcome<OperatorOrdersAnswer> {
    caller.operator()?;
    let (at, id) = cursor(request)?;
    let before = (at, id.as_str());
    let search = Search::of(&request.search);
    let rows = match (request.list.as_str(), &search) {
        ("to_prepare", None) => order::to_prepare(tx, before, PAGE_ROWS)?,
        ("all", None) => order::page(tx, before, PAGE_ROWS)?,
        ("all" | "to_prepare", Some(search)) => order::search(tx, before, &search.reference, &search.email, PAGE_ROWS)?,
        _ => return Err(Refusal::field("list", "unknown")),
    };
    let next = next_cursor(&rows, |row: &OrderRow| (row.placed_at, row.id.clone()));
    let orders = rows.iter().map(|row| order_view(tx, policy, now, &row.id)).collect::<Outcome<Vec<_>>>()?;
    Ok(OperatorOrdersAnswer { orders, cursor: next, to_prepare: order::count_to_prepare(tx)? })
}

/// One order with its payments.
pub fn order(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    order_id: &str,
) -> Outcome<OperatorOrderAnswer> {
    caller.operator()?;
    order::by_id(tx, order_id)?.ok_or(ErrorCode::NotFound)?;
    let rows = payment::of_order(tx, order_id)?;
    let payments = rows.iter().rev().map(|row| views::payment(tx, policy, now, &row.id));
    let payments = payments.collect::<Outcome<Vec<_>>>()?;
    Ok(OperatorOrderAnswer { order: order_view(tx, policy, now, order_id)?, payments })
}

/// Payments with their transfers, newest first, or what a search finds.
pub fn payments(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &ListRequest,
) -> Outcome<OperatorPaymentsAnswer> {
    caller.operator()?;
    let (at, id) = cursor(request)?;
    let before = (at, id.as_str());
    let rows = match (request.list.as_str(), Search::of(&request.search)) {
        ("all", None) => payment::page(tx, before, PAGE_ROWS)?,
        ("all", Some(search)) => {
            payment::search(tx, before, &search.reference, &search.email, &search.exact, PAGE_ROWS)?
        }
        _ => return Err(Refusal::field("list", "unknown")),
    };
    let next = next_cursor(&rows, |row: &PaymentRow| (row.issued_at, row.id.clone()));
    let payments = rows.iter().map(|row| payment_view(tx, policy, now, row)).collect::<Outcome<Vec<_>>>()?;
    Ok(OperatorPaymentsAnswer { payments, cursor: next })
}

/// An order for operators: never with access.
pub(crate) fn order_view(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, id: &str) -> Outcome<OperatorOrder> {
    let row = order::by_id(tx, id)?.ok_or(ErrorCode::NotFound)?;
    let customer = customer(tx, &row.account_id)?;
    Ok(OperatorOrder { order: views::order(tx, policy, now, id, Access::Hidden)?, customer })
}

fn payment_view(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, row: &PaymentRow) -> Outcome<OperatorPayment> {
    let reference = match &row.order_id {
        Some(id) => order::by_id(tx, id)?.map(|order| order.reference),
        None => None,
    };
    Ok(OperatorPayment {
        payment: views::payment(tx, policy, now, &row.id)?,
        reference,
        address: address::by_id(tx, &row.address_id)?.address,
        customer: customer(tx, &row.account_id)?,
    })
}

fn customer(tx: &mut Tx<'_>, account_id: &str) -> Outcome<CustomerView> {
    let row = account::by_id(tx, account_id)?.ok_or_else(|| Refusal::broken("order of nobody"))?;
    let name = format!("{} {}", row.first_name, row.last_name);
    Ok(CustomerView { account_id: row.id, name, email: row.email })
}

struct Search {
    reference: String,
    email: String,
    exact: String,
}

impl Search {
    /// A text as reference, email, address and transaction; what it can't be matches nothing.
    fn of(text: &str) -> Option<Self> {
        let exact = text.trim();
        (!exact.is_empty()).then(|| Self {
            reference: Reference::parse(exact).map(|reference| reference.to_string()).unwrap_or_default(),
            email: Email::parse(exact).map(|email| email.as_str().to_owned()).unwrap_or_default(),
            exact: exact.to_owned(),
        })
    }
}

fn cursor(request: &ListRequest) -> Outcome<(Timestamp, String)> {
    let Some(text) = &request.cursor else { return Ok((NEWEST, String::new())) };
    let unreadable = || Refusal::field("cursor", "unreadable");
    let (at, id) = text.split_once('.').ok_or_else(unreadable)?;
    Ok((Timestamp::from_micros(at.parse().map_err(|_| unreadable())?), id.to_owned()))
}

fn next_cursor<R>(rows: &[R], key: impl Fn(&R) -> (Timestamp, String)) -> Option<String> {
    let full = i64::try_from(rows.len()) == Ok(PAGE_ROWS);
    let (at, id) = rows.last().filter(|_| full).map(key)?;
    Some(format!("{}.{id}", at.micros()))
}
