//! Orders: placing, cancelling, and keeping their state true as time and money move.

use api::ErrorCode;
use api::server::{OrderCommand, PlaceOrderRequest};
use api::views::{EventKind, OrderView, Preparation};
use domain::access::PublicKey;
use domain::catalogue::{Lots, RentalDays};
use domain::fulfilment::{Fulfilment, Move, RentalDates, Situation, State};
use domain::ledger::Account;
use domain::order::{HoldFacts, LotsUse, OrderFacts, OrderState, OrderTerms, lots_use};
use domain::payment::Facts;
use domain::reference::Reference;
use domain::settle::{self, Closing};
use domain::{Cents, Timestamp};
use store::Tx;
use store::repo::order::{self, OrderRow};
use store::repo::{catalogue, payment};

use crate::book::{self, About};
use crate::caller::Caller;
use crate::hardware::Hardware;
use crate::picture::{self, Picture};
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::timeline::{self, Event, data};
use crate::views::{self, Access};
use crate::{attribute, command, ids, sync};

/// How often a new reference is drawn before giving up; there are 248 million.
const REFERENCE_TRIES: usize = 20;

/// An order whose price ended but which waits for an undecided transfer is looked at again after this long.
const RECHECK_MICROS: i64 = domain::time::MINUTE_MICROS;

/// Places an order. Its price stands for 24 hours; lots are held from the first payment instructions on.
pub fn place(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &PlaceOrderRequest,
) -> Outcome<OrderView> {
    let account_id = caller.customer()?;
    command::once(tx, account_id, ("place_order", &request.command_id), request, now, |tx| {
        let row = new_order(tx, now, account_id, request)?;
        let head = sync::Head::bump(tx, account_id)?;
        order::insert(tx, &row)?;
        let event = event(&row, format!("placed:{}", row.id), EventKind::OrderPlaced, data([]));
        timeline::write(tx, now, &event)?;
        head.touch(tx, "order", &row.id)?;
        views::order(tx, policy, now, &row.id, Access::Hidden)
    })
}

fn new_order(tx: &mut Tx<'_>, now: Timestamp, account_id: &str, request: &PlaceOrderRequest) -> Outcome<OrderRow> {
    let days = RentalDays::from_days(request.days).ok_or_else(|| Refusal::field("days", "not_offered"))?;
    let lots = Lots::new(request.lots).map_err(|_| Refusal::field("lots", "out_of_range"))?;
    let ssh_public_key = ssh_public_key(request.ssh_public_key.as_deref())?;
    let offer = catalogue::by_id(tx, &request.offer_id)?.filter(|offer| offer.visible).ok_or(ErrorCode::NotFound)?;
    let price = catalogue::price(tx, &offer.id, days.days(), now)?.ok_or(ErrorCode::NotFound)?;
    let hardware = Hardware::read(&offer.hardware)?;
    let snapshot = hardware.snapshot(&offer.id, days, Cents::new(price.per_lot_cents), now)?;
    let terms = OrderTerms::new(snapshot, lots, preparation(request.preparation), now)
        .map_err(|error| Refusal::broken(error.to_string()))?;
    if terms.total() != request.confirmed_total.0 {
        return Err(ErrorCode::PriceChanged { confirmed: request.confirmed_total, now: terms.total().into() }.into());
    }
    let free_lots = offer.lots_total.saturating_sub(catalogue::taken_by_others(tx, &offer.id, "")?);
    if free_lots < lots.get() && !faults::planted(faults::STOCK_UNCHECKED) {
        return Err(ErrorCode::SoldOut { free_lots }.into());
    }
    Ok(OrderRow {
        id: ids::new(),
        account_id: account_id.to_owned(),
        reference: free_reference(tx)?,
        offer_id: offer.id,
        hardware: offer.hardware,
        per_lot_cents: price.per_lot_cents,
        lots: lots.get(),
        days: days.days(),
        preparation: terms.preparation().code().to_owned(),
        ssh_public_key,
        total_cents: terms.total().get(),
        placed_at: now,
        lapses_at: terms.price_stands_until(),
        cancelled_at: None,
        lapsed_at: None,
        settled_at: None,
        settled_by: None,
        lots_held: false,
        lots_held_until: None,
        fulfilment: State::NotStarted.code().to_owned(),
        expected_at: None,
        preparing_at: None,
        acceptance: None,
        ready_at: None,
        ends_at: None,
        wiped_at: None,
        failed_at: None,
        suspended_at: None,
        access_sealed: None,
        next_change_at: Some(terms.price_stands_until()),
    })
}

fn ssh_public_key(text: Option<&str>) -> Outcome<Option<String>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    match PublicKey::parse(text) {
        Ok(key) => Ok(Some(key.to_string())),
        Err(reason) => Err(Refusal::field("ssh_public_key", reason.reason())),
    }
}

const fn preparation(preparation: Preparation) -> domain::catalogue::Preparation {
    match preparation {
        Preparation::Python => domain::catalogue::Preparation::Python,
        Preparation::Pytorch => domain::catalogue::Preparation::Pytorch,
        Preparation::Notebook => domain::catalogue::Preparation::Notebook,
        Preparation::Inference => domain::catalogue::Preparation::Inference,
    }
}

fn free_reference(tx: &mut Tx<'_>) -> Outcome<String> {
    for _ in 0..REFERENCE_TRIES {
        let mut bytes = [0u8; 8];
        getrandom::fill(&mut bytes).map_err(|_| Refusal::broken("no randomness"))?;
        let reference = Reference::from_random(bytes).to_string();
        if !order::reference_taken(tx, &reference)? {
            return Ok(reference);
        }
    }
    Err(Refusal::broken("no free reference"))
}

/// One order of the caller's, access included.
pub fn show(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, caller: &Caller, id: &str) -> Outcome<OrderView> {
    owned(tx, caller, id)?;
    views::order(tx, policy, now, id, Access::Shown)
}

/// The order, if it is the caller's.
pub fn owned(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Outcome<OrderRow> {
    caller.customer()?;
    let row = order::by_id(tx, id)?.ok_or(ErrorCode::NotFound)?;
    caller.owns(&row.account_id)?;
    Ok(row)
}

/// Cancels an open order. What it holds, and whatever still comes, becomes balance.
pub fn cancel(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &OrderCommand,
) -> Outcome<OrderView> {
    let row = owned(tx, caller, &request.order_id)?;
    command::once(tx, &caller.account_id, ("cancel_order", &request.command_id), request, now, |tx| {
        let situation = situation(tx, &row, now)?;
        let state = picture::state(&row);
        if state != OrderState::Open {
            return Err(ErrorCode::OrderNotOpen { state: views::order_state(state) }.into());
        }
        let days = RentalDays::from_days(row.days).ok_or_else(|| Refusal::broken("days of an order"))?;
        let cancelled = fulfilment(&row)?.after(Move::Cancel, days, &situation);
        let cancelled = cancelled.map_err(|_| ErrorCode::WrongMove {
            from: row.fulfilment.clone(),
            to: State::Cancelled.code().to_owned(),
        })?;
        let head = sync::Head::bump(tx, &row.account_id)?;
        close(tx, now, &row, Closing::Cancelled, &head)?;
        let mut closed = order::by_id(tx, &row.id)?.ok_or(ErrorCode::NotFound)?;
        closed.cancelled_at = Some(now);
        closed.fulfilment = cancelled.state().code().to_owned();
        closed.next_change_at = None;
        order::update(tx, &closed)?;
        project_payments(tx, policy, now, &row.id, &head)?;
        timeline::write(tx, now, &event(&row, format!("cancelled:{}", row.id), EventKind::OrderCancelled, data([])))?;
        head.touch(tx, "order", &row.id)?;
        head.touch(tx, "account", &row.account_id)?;
        views::order(tx, policy, now, &row.id, Access::Hidden)
    })
}

fn close(tx: &mut Tx<'_>, now: Timestamp, row: &OrderRow, how: Closing, head: &sync::Head<'_>) -> Outcome<()> {
    let payable = picture::payable(tx, row)?;
    let customer = book::customer(tx, &row.account_id)?;
    let Some(money) = settle::close(&payable, how, &customer) else { return Ok(()) };
    let about = About { head, account_id: &row.account_id, order_id: Some(&row.id), payment_id: None };
    book::post(tx, now, &about, &money.postings)?;
    attribute::change_order(tx, now, row.clone(), None, money.change)?;
    attribute::tell(tx, now, &about, &money)
}

fn event<'a>(
    row: &'a OrderRow,
    cause: String,
    kind: EventKind,
    data: std::collections::BTreeMap<String, String>,
) -> Event<'a> {
    Event { cause, account_id: &row.account_id, order_id: Some(&row.id), payment_id: None, kind, data }
}

/// Brings an order up to date: lapsed or not, its lots held or free, when to look again. The caller moves the head.
pub fn refresh(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, order_id: &str, head: &sync::Head<'_>) -> Outcome<()> {
    let broken = || Refusal::broken(format!("order {order_id}"));
    let mut row = order::by_id(tx, order_id)?.ok_or_else(broken)?;
    let money = money_of(tx, policy, now, &row)?;
    let terms = terms(&row)?;
    if picture::state(&row) == OrderState::Open && terms.lapses(money.undecided, now) {
        close(tx, now, &row, Closing::Lapsed, head)?;
        row = order::by_id(tx, order_id)?.ok_or_else(broken)?;
        row.lapsed_at = Some(now);
        timeline::write(tx, now, &event(&row, format!("lapsed:{}", row.id), EventKind::OrderLapsed, data([])))?;
    }
    hold(tx, &mut row, &money, now)?;
    row.next_change_at = next_change_at(&row, &terms, &money, now)?;
    order::update(tx, &row)?;
    project_payments(tx, policy, now, order_id, head)
}

/// What an order is says something about each of its payments: all their projections are renewed with it.
fn project_payments(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    order_id: &str,
    head: &sync::Head<'_>,
) -> Outcome<()> {
    for paying in payment::of_order(tx, order_id)? {
        let picture = Picture::load(tx, policy, now, &paying.id)?;
        attribute::project(tx, &picture, head)?;
    }
    Ok(())
}

/// What is in sight of the order's payments and not credited yet.
pub(crate) fn in_sight(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, row: &OrderRow) -> Outcome<Cents> {
    let mut sum = Cents::ZERO;
    for paying in payment::of_order(tx, &row.id)? {
        let facts = Picture::load(tx, policy, now, &paying.id)?.facts();
        sum = sum.checked_add(facts.in_sight).unwrap_or(Cents::new(i64::MAX));
    }
    Ok(sum)
}

/// What an order's payments amount to.
struct MoneyInSight {
    undecided: bool,
    in_sight: Cents,
    window_until: Option<Timestamp>,
}

fn money_of(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, row: &OrderRow) -> Outcome<MoneyInSight> {
    let mut in_sight = book::balance(tx, &Account::Held(row.id.clone()))?;
    let (mut undecided, mut window_until) = (false, None);
    for paying in payment::of_order(tx, &row.id)? {
        let picture = Picture::load(tx, policy, now, &paying.id)?;
        let facts: Facts = picture.facts();
        undecided |= facts.undecided;
        window_until = window_until.max(Some(paying.deadline));
        in_sight = in_sight.checked_add(facts.in_sight).unwrap_or(Cents::new(i64::MAX));
    }
    Ok(MoneyInSight { undecided, in_sight, window_until })
}

/// C9: lots stay out of stock while a window is open or nearly everything is in sight; sold ones until they are wiped.
fn hold(tx: &mut Tx<'_>, row: &mut OrderRow, money: &MoneyInSight, now: Timestamp) -> Outcome<()> {
    let facts = HoldFacts {
        state: picture::state(row),
        window_until: money.window_until,
        in_sight: money.in_sight,
        total: Cents::new(row.total_cents),
        returned: fulfilment(row)?.lots_returned(),
    };
    let held_before = row.lots_held;
    (row.lots_held, row.lots_held_until) = match lots_use(&facts, now) {
        LotsUse::None => (false, None),
        // A hold that ended can't come back by itself when others may have taken the lots since.
        LotsUse::HeldUnpaid { until } => (held_before, held_before.then_some(until)),
        LotsUse::HeldInSight => (held_before, None),
        LotsUse::Sold => (true, None),
    };
    if !row.lots_held && lots_use(&facts, now) == LotsUse::HeldInSight {
        row.lots_held = picture::obtainable(tx, row)?;
    }
    Ok(())
}

fn next_change_at(
    row: &OrderRow,
    terms: &OrderTerms,
    money: &MoneyInSight,
    now: Timestamp,
) -> Outcome<Option<Timestamp>> {
    let facts = facts(row, money.undecided);
    let open = picture::state(row) == OrderState::Open;
    let waiting =
        (open && money.undecided && now >= terms.price_stands_until()).then(|| now.plus_micros(RECHECK_MICROS));
    let window = money.window_until.filter(|until| open && *until > now);
    let lapse = Some(terms.price_stands_until()).filter(|at| open && *at > now);
    let running = fulfilment(row)?.next_change_at(now);
    Ok([terms.next_change_at(&facts, now), waiting, window, lapse, running].into_iter().flatten().min())
}

fn facts(row: &OrderRow, undecided_on_time_transfer: bool) -> OrderFacts {
    let OrderRow { settled_at, cancelled_at, lapsed_at, .. } = *row;
    OrderFacts { settled_at, cancelled_at, lapsed_at, undecided_on_time_transfer }
}

/// The order's terms, from its own snapshot.
pub(crate) fn terms(row: &OrderRow) -> Outcome<OrderTerms> {
    let broken = |what: &str| Refusal::broken(format!("{what} of order {}", row.id));
    let days = RentalDays::from_days(row.days).ok_or_else(|| broken("days"))?;
    let lots = Lots::new(row.lots).map_err(|_| broken("lots"))?;
    let preparation =
        domain::catalogue::Preparation::from_code(&row.preparation).ok_or_else(|| broken("preparation"))?;
    let per_lot = Cents::new(row.per_lot_cents);
    let snapshot = Hardware::read(&row.hardware)?.snapshot(&row.offer_id, days, per_lot, row.placed_at)?;
    let terms = OrderTerms::new(snapshot, lots, preparation, row.placed_at).map_err(|_| broken("figures"))?;
    if terms.total().get() == row.total_cents { Ok(terms) } else { Err(broken("total")) }
}

/// Whether instructions may be given out for the order now (O10).
pub(crate) fn may_issue(row: &OrderRow, now: Timestamp) -> Outcome<()> {
    use domain::order::InstructionsRefused;
    terms(row)?.may_issue_instructions(&facts(row, false), now).map_err(|refused| match refused {
        InstructionsRefused::TooLate { .. } => ErrorCode::OrderLapsesSoon { lapses_at: row.lapses_at.into() }.into(),
        InstructionsRefused::NotOpen { state } => ErrorCode::OrderNotOpen { state: views::order_state(state) }.into(),
    })
}

/// The order's fulfilment as stored.
pub(crate) fn fulfilment(row: &OrderRow) -> Outcome<Fulfilment> {
    let broken = || Refusal::broken(format!("fulfilment of order {}", row.id));
    let state = State::from_code(&row.fulfilment).ok_or_else(broken)?;
    let dates = match (row.ready_at, row.ends_at) {
        (Some(started_at), Some(ends_at)) => Some(RentalDates { started_at, ends_at }),
        _ => None,
    };
    Fulfilment::restore(state, dates).ok_or_else(broken)
}

/// What moves and phases depend on beside the order itself.
pub(crate) fn situation(tx: &mut Tx<'_>, row: &OrderRow, now: Timestamp) -> Outcome<Situation> {
    let receivable_since = book::receivable_since(tx, &row.account_id)?;
    Ok(Situation { order_settled: row.settled_at.is_some(), receivable_since, now })
}
