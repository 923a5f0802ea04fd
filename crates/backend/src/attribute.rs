//! From what the chain shows to what the ledger says, in one transaction: credits undone, credits posted, the order
//! settled, the customer told, the projections renewed.

use api::views::EventKind;
use domain::Timestamp;
use domain::ledger::Posting;
use domain::payment::{Credit, Place, Progress};
use domain::settle::{self, Change, Outcome as Money};
use store::Tx;
use store::repo::order::OrderRow;
use store::repo::transfer::CreditRow;
use store::repo::{order, payment, transfer};

use crate::book::{self, About};
use crate::orders;
use crate::picture::{self, Picture};
use crate::policy::Policy;
use crate::refusal::Outcome;
use crate::sync::Head;
use crate::timeline::{self, Event, data};

/// Brings a payment up to date with what was seen. Running it again changes nothing.
pub fn payment(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, payment_id: &str) -> Outcome<()> {
    let picture = Picture::load(tx, policy, now, payment_id)?;
    let head = Head::bump(tx, &picture.row.account_id)?;
    undo_lost(tx, now, &picture, &head)?;
    let picture = Picture::load(tx, policy, now, payment_id)?;
    credit_due(tx, now, &picture, &head)?;
    let picture = Picture::load(tx, policy, now, payment_id)?;
    tell_progress(tx, &picture)?;
    match &picture.row.order_id {
        Some(order_id) => {
            orders::refresh(tx, policy, now, order_id, &head)?;
            head.touch(tx, "order", order_id)?;
        }
        None => project(tx, &picture, &head)?,
    }
    head.touch(tx, "payment", payment_id)?;
    head.touch(tx, "account", &picture.row.account_id)
}

/// Reverses every credit whose block was lost.
fn undo_lost(tx: &mut Tx<'_>, now: Timestamp, picture: &Picture, head: &Head<'_>) -> Outcome<()> {
    if faults::planted(faults::FORK_NOT_UNDONE) {
        return Ok(());
    }
    for seen in &picture.transfers {
        for credit in seen.to_undo() {
            let order = current_order(tx, picture)?;
            let payable = order.as_ref().map(|order| picture::payable(tx, order)).transpose()?;
            let customer = book::customer(tx, &picture.row.account_id)?;
            let money = settle::undo(credit, seen.method, payable.as_ref(), &customer);
            if transfer::undo_credit(tx, &credit.sighting.to_string(), credit.part.code())? {
                apply(tx, now, (picture, head), order, &money)?;
            }
        }
    }
    Ok(())
}

/// Posts every credit that is due.
fn credit_due(tx: &mut Tx<'_>, now: Timestamp, picture: &Picture, head: &Head<'_>) -> Outcome<()> {
    let dues = picture.assessment().due();
    if dues.is_empty() {
        return Ok(());
    }
    let order = current_order(tx, picture)?;
    let payable = order.as_ref().map(|order| picture::payable(tx, order)).transpose()?;
    let customer = book::customer(tx, &picture.row.account_id)?;
    let money = settle::credit(&dues, payable.as_ref(), &customer);
    apply(tx, now, (picture, head), order, &money)
}

/// The order as it stands now: an earlier step of the same run may have changed it.
fn current_order(tx: &mut Tx<'_>, picture: &Picture) -> Outcome<Option<OrderRow>> {
    match &picture.row.order_id {
        Some(id) => Ok(order::by_id(tx, id)?),
        None => Ok(None),
    }
}

fn apply(
    tx: &mut Tx<'_>,
    now: Timestamp,
    (picture, head): (&Picture, &Head<'_>),
    order: Option<OrderRow>,
    money: &Money,
) -> Outcome<()> {
    let row = &picture.row;
    let about =
        About { head, account_id: &row.account_id, order_id: row.order_id.as_deref(), payment_id: Some(&row.id) };
    book::post(tx, now, &about, &money.postings)?;
    for (transfer_id, credit) in &money.credits {
        transfer::insert_credit(tx, &credit_row(transfer_id, credit))?;
    }
    if let Some(order) = order {
        change_order(tx, now, order, Some(&row.id), money.change)?;
    }
    tell(tx, now, &about, money)
}

fn credit_row(transfer_id: &str, credit: &Credit) -> CreditRow {
    let (place, held_id, held_cents) = match &credit.place {
        Place::Held { id, cents } => ("held", Some(id.clone()), Some(cents.get())),
        Place::Balance => ("balance", None, None),
        Place::Unclaimed => ("unclaimed", None, None),
        Place::Own => ("own", None, None),
    };
    CreditRow {
        sighting_id: credit.sighting.to_string(),
        part: credit.part.code().to_owned(),
        transfer_id: transfer_id.to_owned(),
        number: 0,
        units: credit.units.get().to_string(),
        cents: credit.cents.get(),
        place: place.to_owned(),
        held_id,
        held_cents,
        undone: credit.undone,
    }
}

/// What money did to the order.
pub(crate) fn change_order(
    tx: &mut Tx<'_>,
    now: Timestamp,
    mut row: OrderRow,
    payment_id: Option<&str>,
    change: Change,
) -> Outcome<()> {
    match change {
        Change::None | Change::Short { .. } | Change::Returned => return Ok(()),
        Change::Settled { .. } => {
            row.settled_at = Some(now);
            row.settled_by = payment_id.map(str::to_owned);
            row.lots_held = true;
            row.lots_held_until = None;
        }
        Change::Unobtainable | Change::Closed => {
            transfer::move_held(tx, &row.id)?;
            row.lots_held = false;
            row.lots_held_until = None;
        }
    }
    Ok(order::update(tx, &row)?)
}

/// Writes what the customer is told, once per event.
pub(crate) fn tell(tx: &mut Tx<'_>, now: Timestamp, about: &About<'_>, money: &Money) -> Outcome<()> {
    let Some(cause) = money.postings.first().map(Posting::cause) else { return Ok(()) };
    for (number, notice) in money.notices.iter().enumerate() {
        let (kind, data) = timeline::of_notice(notice);
        let event = Event {
            cause: format!("{}:{}:{number}", cause.event, timeline::code(kind)?),
            account_id: about.account_id,
            order_id: about.order_id,
            payment_id: about.payment_id,
            kind,
            data,
        };
        timeline::write(tx, now, &event)?;
    }
    Ok(())
}

/// Writes «seen», «confirming» and «paid» at the times they happened.
fn tell_progress(tx: &mut Tx<'_>, picture: &Picture) -> Outcome<()> {
    let row = &picture.row;
    let event = |cause: String, kind: EventKind, data| Event {
        cause,
        account_id: &row.account_id,
        order_id: row.order_id.as_deref(),
        payment_id: Some(&row.id),
        kind,
        data,
    };
    let rows = if picture.transfers.is_empty() { Vec::new() } else { transfer::of_payment(tx, &row.id)? };
    for one in &picture.transfers {
        let amount = one.amount.to_coins(one.method.decimals(), one.method.quoted_digits());
        let what = || data([("amount", amount.clone()), ("tx", one.transaction.clone())]);
        if let Some(seen) = rows.iter().find(|row| row.id == one.id && row.unmined_at.is_some()) {
            timeline::write(tx, seen.first_seen_at, &event(format!("seen:{}", one.id), EventKind::Seen, what()))?;
        }
        for sighting in &one.sightings {
            timeline::write(tx, sighting.seen_at, &event(format!("mined:{}", sighting.key), EventKind::Mined, what()))?;
        }
    }
    let finals = picture.assessment().transfers;
    for one in finals.iter().filter(|one| one.progress == Progress::Final) {
        if let Some(key) = &one.sighting {
            timeline::write(tx, picture.inputs().now, &event(format!("final:{key}"), EventKind::Final, data([])))?;
        }
    }
    Ok(())
}

/// Renews the payment's projections, and marks it when they changed.
pub(crate) fn project(tx: &mut Tx<'_>, picture: &Picture, head: &Head<'_>) -> Outcome<()> {
    let facts = picture.facts();
    let headline = domain::payment::headline(&facts).code();
    let row = &picture.row;
    if row.headline != headline || row.next_change_at != facts.next_change_at {
        payment::project(tx, &row.id, headline, facts.next_change_at)?;
        head.touch(tx, "payment", &row.id)?;
    }
    Ok(())
}
