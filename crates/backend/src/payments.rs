//! Payment instructions: one address, one amount, one deadline, each with the reasons why it may be refused (P2).

use api::ErrorCode;
use api::server::{CreatePaymentRequest, Done, MethodsAnswer, PaymentCommand};
use api::views::{EventKind, MethodChoice, MethodReason, PaymentView};
use domain::catalogue::Lots;
use domain::ledger::Account;
use domain::order::{AccountHolds, HoldRefused, Stock};
use domain::payment::{Asking, InstructionsError, Purpose, Terms, asked_for, network_floor};
use domain::quote::Quote;
use domain::{Cents, Method, Timestamp};
use store::Tx;
use store::repo::address::{self, AddressRow};
use store::repo::order::{self, OrderRow};
use store::repo::payment::{self, PaymentRow};
use store::repo::{catalogue, chain};

use crate::caller::Caller;
use crate::policy::{self, Policy};
use crate::prices::{self, Prices};
use crate::refusal::{Outcome, Refusal};
use crate::timeline::{self, Event, data};
use crate::{addresses, book, command, ids, orders, sync, views};

/// The eight methods for an order, each with why it can't be chosen, if it can't.
pub fn methods(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    order_id: &str,
    prices: &Prices,
) -> Outcome<MethodsAnswer> {
    let row = orders::owned(tx, caller, order_id)?;
    let in_sight = orders::in_sight(tx, policy, now, &row)?;
    let asked = asking(tx, &row, in_sight, Cents::ZERO)?.ok().map(|asking| asking.asked);
    let mut methods = Vec::new();
    for method in Method::ALL {
        let quote = available(tx, policy, now, caller, method, prices)?;
        let about = asked.zip(quote.as_ref().ok()).and_then(|(asked, quote)| about(asked, method, quote));
        methods.push(MethodChoice {
            method: method.code().to_owned(),
            label: method.label().to_owned(),
            unavailable: quote.err(),
            about,
        });
    }
    Ok(MethodsAnswer { methods })
}

/// A figure for reading only: three significant places are enough to choose by.
fn about(asked: Cents, method: Method, quote: &Quote) -> Option<String> {
    let digits = method.quoted_digits().min(3);
    let units = quote.rate.amount_ceil(asked, method.decimals(), digits)?;
    Some(units.to_coins(method.decimals(), digits))
}

/// The quote, if there is a free address too, or which part is missing.
fn available(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    method: Method,
    prices: &Prices,
) -> Outcome<Result<Quote, MethodReason>> {
    if !policy::BUILT.contains(&method) {
        return Ok(Err(MethodReason::Coming));
    }
    if !policy.methods.contains(&method) {
        return Ok(Err(MethodReason::SwitchedOff));
    }
    if let Some(reason) = node_trouble(tx, policy, now, method)? {
        return Ok(Err(reason));
    }
    let Ok(quote) = prices.quote(method, now) else { return Ok(Err(MethodReason::NoRate)) };
    Ok(if has_address(tx, policy, now, caller, method)? { Ok(quote) } else { Err(MethodReason::NoAddress) })
}

/// P12: a lagging or unreachable node takes its methods out of the offer.
fn node_trouble(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, method: Method) -> Outcome<Option<MethodReason>> {
    if faults::planted(faults::NODE_DOWN_IGNORED) {
        return Ok(None);
    }
    let watcher = chain::watcher(tx, method.network().code())?;
    let Some(watcher) = watcher.filter(|row| row.error.is_none()) else { return Ok(Some(MethodReason::NodeDown)) };
    if policy.limits.is_silent(watcher.checked_at, now) {
        return Ok(Some(MethodReason::NodeDown));
    }
    Ok(policy.limits.lags(watcher.at_tip_at, now).then_some(MethodReason::NodeLagging))
}

/// Whether an address is free, and not of those that are kept for accounts with a settled payment. It only looks: a list
/// of methods takes no address, and must not keep one from anybody.
fn has_address(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, caller: &Caller, method: Method) -> Outcome<bool> {
    let (network, good_until) = (method.network().code(), addresses::good_until(now));
    let (free, all) = address::pool(tx, network, &good_until)?;
    if free == 0 && faults::planted(faults::ADDRESS_OF_ANOTHER) {
        return Ok(true);
    }
    let kept = policy.limits.is_low(free, all) && order::settled(tx, &caller.account_id)? == 0;
    Ok(free > 0 && !kept)
}

/// A free address, from now on out of everybody else's reach until this transaction ends.
fn take_address(tx: &mut Tx<'_>, now: Timestamp, method: Method) -> Outcome<Option<AddressRow>> {
    let (network, good_until) = (method.network().code(), addresses::good_until(now));
    let free = address::free(tx, network, &good_until)?;
    if faults::planted(faults::PAID_ADDRESS_GIVEN_OUT) {
        for (_, text) in address::watched(tx, network)? {
            let known = address::by_address(tx, network, &text)?;
            if known.as_ref().is_some_and(|row| row.payment_id.is_none()) {
                return Ok(known);
            }
        }
    }
    if free.is_none() && faults::planted(faults::ADDRESS_OF_ANOTHER) {
        let issued = address::watched(tx, network)?.pop();
        return Ok(issued.map(|(_, text)| address::by_address(tx, network, &text)).transpose()?.flatten());
    }
    Ok(free)
}

/// Issues instructions for an order, and holds its lots while they are open.
pub fn create(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &CreatePaymentRequest,
    prices: &Prices,
) -> Outcome<PaymentView> {
    let row = orders::owned(tx, caller, &request.order_id)?;
    let method = Method::from_code(&request.method).ok_or_else(|| Refusal::field("method", "unknown"))?;
    command::once(tx, &caller.account_id, ("create_payment", &request.command_id), request, now, |tx| {
        orders::may_issue(&row, now)?;
        within_limits(tx, policy, now, caller, &row)?;
        let unavailable = |reason| ErrorCode::MethodUnavailable { method: request.method.clone(), reason };
        let quote = available(tx, policy, now, caller, method, prices)?.map_err(unavailable)?;
        let address = take_address(tx, now, method)?.ok_or_else(|| unavailable(MethodReason::NoAddress))?;
        let terms = terms(tx, policy, now, &row, method, &quote)?;
        if terms.asked != request.confirmed_total.0 {
            let (confirmed, now) = (request.confirmed_total, terms.asked.into());
            return Err(ErrorCode::PriceChanged { confirmed, now }.into());
        }
        let head = sync::Head::bump(tx, &row.account_id)?;
        hold_lots(tx, policy, &row, &terms)?;
        let id = issue(tx, caller, &row, &terms, &quote, &address)?;
        orders::refresh(tx, policy, now, &row.id, &head)?;
        head.touch(tx, "order", &row.id)?;
        head.touch(tx, "payment", &id)?;
        views::payment(tx, policy, now, &id)
    })
}

fn within_limits(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, caller: &Caller, row: &OrderRow) -> Outcome<()> {
    if let Some(payment_id) = open_payment(tx, now, row)? {
        return Err(ErrorCode::OpenPaymentExists { payment_id }.into());
    }
    if payment::open_of_account(tx, &caller.account_id, now)? >= policy.limits.open_payments_per_account {
        return Err(ErrorCode::TooManyOpenPayments.into());
    }
    if payment::open_of_prefix(tx, &caller.network_prefix, now)? >= policy.limits.open_payments_per_prefix {
        return Err(ErrorCode::TooManyFromNetwork.into());
    }
    Ok(())
}

fn terms(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    row: &OrderRow,
    method: Method,
    quote: &Quote,
) -> Outcome<Terms> {
    let out_of_range = |error: String| Refusal::broken(format!("instructions for order {}: {error}", row.id));
    let floor = network_floor(method, policy::least_amount(method), quote.rate);
    let floor = floor.ok_or_else(|| out_of_range("floor".to_owned()))?;
    let in_sight = orders::in_sight(tx, policy, now, row)?;
    let asked = match asking(tx, row, in_sight, floor)? {
        Ok(asking) => asking.asked,
        Err(InstructionsError::InSight { in_sight }) => {
            return Err(ErrorCode::MoneyInSight { in_sight: in_sight.into() }.into());
        }
        Err(error) => return Err(out_of_range(error.to_string())),
    };
    let purpose = Purpose::Order { order_id: row.id.clone() };
    Terms::issue(method, purpose, asked, Cents::new(row.total_cents), quote.rate, now)
        .map_err(|error| out_of_range(error.to_string()))
}

fn asking(
    tx: &mut Tx<'_>,
    row: &OrderRow,
    in_sight: Cents,
    floor: Cents,
) -> Outcome<Result<Asking, InstructionsError>> {
    let held = book::balance(tx, &Account::Held(row.id.clone()))?;
    let customer = book::customer(tx, &row.account_id)?;
    Ok(asked_for(Cents::new(row.total_cents), held, in_sight, Cents::ZERO, &customer, floor))
}

/// What new instructions for the order would ask for now, with `in_sight` of money on its way; none while an earlier payment is
/// open, when money in sight covers it, and when the order is not to be paid any more.
pub(crate) fn to_pay(tx: &mut Tx<'_>, now: Timestamp, row: &OrderRow, in_sight: Cents) -> Outcome<Option<Asking>> {
    if orders::may_issue(row, now).is_err() || open_payment(tx, now, row)?.is_some() {
        return Ok(None);
    }
    Ok(asking(tx, row, in_sight, Cents::ZERO)?.ok())
}

fn open_payment(tx: &mut Tx<'_>, now: Timestamp, row: &OrderRow) -> Outcome<Option<String>> {
    let open = payment::of_order(tx, &row.id)?.into_iter().find(|paying| paying.deadline > now);
    Ok(open.map(|paying| paying.id))
}

/// C9: the lots are this order's already, or free and then held.
fn hold_lots(tx: &mut Tx<'_>, policy: &Policy, row: &OrderRow, terms: &Terms) -> Outcome<()> {
    catalogue::lock(tx, &row.offer_id)?;
    let mut row = order::by_id(tx, &row.id)?.ok_or(ErrorCode::NotFound)?;
    if !row.lots_held {
        let offer = catalogue::by_id(tx, &row.offer_id)?.ok_or(ErrorCode::NotFound)?;
        let (held_unpaid, unpaid_holds) = catalogue::unpaid_by_others(tx, &row.offer_id, &row.id)?;
        let taken = catalogue::taken_by_others(tx, &row.offer_id, &row.id)?.saturating_sub(held_unpaid);
        let stock = Stock { total: offer.lots_total, taken, held_unpaid, unpaid_holds };
        let account = AccountHolds {
            unpaid_holds: order::unpaid_holds(tx, &row.account_id, &row.id)?,
            has_settled_payment: order::settled(tx, &row.account_id)? > 0,
        };
        let lots = Lots::new(row.lots).map_err(|_| Refusal::broken("lots of an order"))?;
        if !faults::planted(faults::STOCK_UNCHECKED) {
            stock.may_hold(&policy.limits.holds, &account, lots).map_err(hold_refused)?;
        }
    }
    row.lots_held = true;
    row.lots_held_until = Some(terms.deadline);
    Ok(order::update(tx, &row)?)
}

fn hold_refused(refused: HoldRefused) -> ErrorCode {
    match refused {
        HoldRefused::SoldOut { free, .. } => ErrorCode::SoldOut { free_lots: free },
        HoldRefused::FirstPaymentOpen { .. } => ErrorCode::UnpaidHoldLimit,
        HoldRefused::TooManyUnpaid { .. } => ErrorCode::HalfOfOfferLimit,
    }
}

fn issue(
    tx: &mut Tx<'_>,
    caller: &Caller,
    row: &OrderRow,
    terms: &Terms,
    quote: &Quote,
    address: &AddressRow,
) -> Outcome<String> {
    let id = ids::new();
    let quote = serde_json::to_string(&prices::view(quote)).map_err(|error| Refusal::broken(error.to_string()))?;
    if !address::issue(tx, &address.id, &id, terms.issued_at)? {
        return Err(Refusal::broken("address issued twice"));
    }
    let new = PaymentRow {
        id: id.clone(),
        account_id: row.account_id.clone(),
        purpose: "order".to_owned(),
        order_id: Some(row.id.clone()),
        method: terms.method.code().to_owned(),
        network: terms.method.network().code().to_owned(),
        asked_cents: terms.asked.get(),
        amount: terms.amount.get().to_string(),
        rate: terms.quote.to_string(),
        quote,
        address_id: address.id.clone(),
        issued_at: terms.issued_at,
        deadline: terms.deadline,
        network_prefix: caller.network_prefix.clone(),
        notice_at: None,
        blind: false,
        headline: "waiting".to_owned(),
        next_change_at: Some(terms.deadline),
    };
    payment::insert(tx, &new)?;
    let told = data([("method", terms.method.label().to_owned()), ("amount", terms.asked.to_string())]);
    told_of(tx, terms.issued_at, &new, EventKind::Instructions, told)?;
    Ok(id)
}

fn told_of(
    tx: &mut Tx<'_>,
    now: Timestamp,
    row: &PaymentRow,
    kind: EventKind,
    data: std::collections::BTreeMap<String, String>,
) -> Outcome<()> {
    let event = Event {
        cause: format!("{}:{}", timeline::code(kind)?, row.id),
        account_id: &row.account_id,
        order_id: row.order_id.as_deref(),
        payment_id: Some(&row.id),
        kind,
        data,
    };
    timeline::write(tx, now, &event).map(|_| ())
}

fn owned(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Outcome<PaymentRow> {
    caller.customer()?;
    let row = payment::by_id(tx, id)?.ok_or(ErrorCode::NotFound)?;
    caller.owns(&row.account_id)?;
    Ok(row)
}

/// One payment of the caller's.
pub fn show(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, caller: &Caller, id: &str) -> Outcome<PaymentView> {
    owned(tx, caller, id)?;
    views::payment(tx, policy, now, id)
}

/// «I have paid»: shown, and proves nothing (P7). Repeating it changes nothing.
pub fn notice(
    tx: &mut Tx<'_>,
    _policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &PaymentCommand,
) -> Outcome<Done> {
    let row = owned(tx, caller, &request.payment_id)?;
    command::once(tx, &caller.account_id, ("notice", &request.command_id), request, now, |tx| {
        if payment::notice(tx, &row.id, now)? {
            let head = sync::Head::bump(tx, &row.account_id)?;
            told_of(tx, now, &row, EventKind::Notice, data([]))?;
            head.touch(tx, "payment", &row.id)?;
            if let Some(order_id) = &row.order_id {
                head.touch(tx, "order", order_id)?;
            }
        }
        Ok(Done {})
    })
}
