//! Rows and rules as the wire shows them.

use api::server::StatusAnswer;
use api::views::{
    AccessView, AccountView, BalanceEntryView, FulfilmentState, FulfilmentView, Headline, NetworkStatusView,
    OrderState, OrderView, PaymentFactsView, PaymentView, Preparation, PurposeView, ToPayView, TransferView,
};
use domain::confirmations::Required;
use domain::fulfilment::Phase;
use domain::ledger::Account;
use domain::payment::{self as rules, Progress};
use domain::{BaseUnits, Cents, Method, Timestamp};
use store::Tx;
use store::repo::order::{self, OrderRow};
use store::repo::{account, address, chain, ledger, payment as payments, transfer};

use crate::hardware::Hardware;
use crate::picture::{self, Picture};
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::{book, fulfilment, orders, timeline};

/// Whether an order's view carries access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// For its owner.
    Shown,
    /// For everybody else, and for answers that are kept.
    Hidden,
}

/// Where an order's sealed access stands.
pub(crate) fn access_place(order_id: &str) -> String {
    format!("access:{order_id}")
}

/// An order's state on the wire.
pub const fn order_state(state: domain::order::OrderState) -> OrderState {
    match state {
        domain::order::OrderState::Open => OrderState::Open,
        domain::order::OrderState::Settled => OrderState::Settled,
        domain::order::OrderState::Cancelled => OrderState::Cancelled,
        domain::order::OrderState::Lapsed => OrderState::Lapsed,
    }
}

/// The account's own row.
pub fn account(tx: &mut Tx<'_>, id: &str) -> Outcome<AccountView> {
    let row = account::by_id(tx, id)?.ok_or_else(|| Refusal::broken(format!("account {id}")))?;
    let customer = book::customer(tx, id)?;
    Ok(AccountView {
        id: row.id,
        first_name: row.first_name,
        last_name: row.last_name,
        email: row.email,
        created_at: row.created_at.into(),
        balance: customer.balance.into(),
        receivable: customer.receivable.into(),
    })
}

/// One order, whole.
pub fn order(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, id: &str, access: Access) -> Outcome<OrderView> {
    let row = order::by_id(tx, id)?.ok_or_else(|| Refusal::broken(format!("order {id}")))?;
    let terms = orders::terms(&row)?;
    let held = book::balance(tx, &Account::Held(row.id.clone()))?;
    let state = picture::state(&row);
    let open = state == domain::order::OrderState::Open;
    let missing = if open { terms.total().checked_sub(held).unwrap_or_default().max(Cents::ZERO) } else { Cents::ZERO };
    let paying = payments::of_order(tx, id)?;
    let pictures =
        paying.iter().map(|paying| Picture::load(tx, policy, now, &paying.id)).collect::<Outcome<Vec<_>>>()?;
    let in_sight = pictures.iter().map(|picture| picture.facts().in_sight);
    let in_sight = in_sight.fold(Cents::ZERO, |sum, cents| sum.checked_add(cents).unwrap_or(Cents::new(i64::MAX)));
    let to_pay = crate::payments::to_pay(tx, now, &row, in_sight)?.map(|asking| ToPayView {
        asked: asking.asked.into(),
        missing: asking.missing.into(),
        owed: asking.owed.into(),
        in_sight: asking.in_sight.into(),
    });
    Ok(OrderView {
        id: row.id.clone(),
        reference: row.reference.clone(),
        placed_at: row.placed_at.into(),
        lapses_at: row.lapses_at.into(),
        offer: Hardware::read(&row.hardware)?.snapshot_view(&row.offer_id, Cents::new(row.per_lot_cents))?,
        lots: row.lots,
        gpus: terms.figures().gpus,
        days: row.days,
        preparation: preparation(&row.preparation)?,
        total: terms.total().into(),
        ssh_public_key: row.ssh_public_key.clone(),
        state: order_state(state),
        held: held.into(),
        missing: missing.into(),
        settled_at: row.settled_at.map(Into::into),
        lots_held_until: row.lots_held_until.map(Into::into),
        has_lots: row.lots_held,
        headline: rules::order_headline(pictures.iter().map(Picture::headline)).map(headline),
        to_pay,
        payment_ids: paying.iter().rev().map(|paying| paying.id.clone()).collect(),
        fulfilment: fulfilment_view(tx, &row, now)?,
        access: if access == Access::Shown { open_access(policy, &row)? } else { None },
        timeline: timeline::of_order(tx, id)?,
        last_known: None,
    })
}

fn preparation(code: &str) -> Outcome<Preparation> {
    match domain::catalogue::Preparation::from_code(code) {
        Some(domain::catalogue::Preparation::Python) => Ok(Preparation::Python),
        Some(domain::catalogue::Preparation::Pytorch) => Ok(Preparation::Pytorch),
        Some(domain::catalogue::Preparation::Notebook) => Ok(Preparation::Notebook),
        Some(domain::catalogue::Preparation::Inference) => Ok(Preparation::Inference),
        None => Err(Refusal::broken(format!("preparation {code}"))),
    }
}

fn fulfilment_view(tx: &mut Tx<'_>, row: &OrderRow, now: Timestamp) -> Outcome<FulfilmentView> {
    let machine = orders::fulfilment(row)?;
    let situation = orders::situation(tx, row, now)?;
    let phase = machine.phase(&situation);
    let state = match phase {
        Phase::NotStarted => FulfilmentState::NotStarted,
        Phase::Paused if row.preparing_at.is_some() => FulfilmentState::Preparing,
        Phase::Paused => FulfilmentState::NotStarted,
        Phase::Preparing => FulfilmentState::Preparing,
        Phase::Active => FulfilmentState::Active,
        Phase::Ending => FulfilmentState::Ending,
        Phase::Ended | Phase::WipeDue => FulfilmentState::Ended,
        Phase::Wiped => FulfilmentState::Wiped,
        Phase::Cancelled => FulfilmentState::Cancelled,
        Phase::FailedAcceptance => FulfilmentState::FailedAcceptance,
        Phase::Suspended => FulfilmentState::Suspended,
    };
    Ok(FulfilmentView {
        state,
        expected_at: row.expected_at.map(Into::into),
        starts_at: machine.dates().map(|dates| dates.started_at.into()),
        ends_at: machine.dates().map(|dates| dates.ends_at.into()),
        export_until: machine.dates().map(|dates| dates.wiped_from().into()),
        acceptance: fulfilment::view(row)?,
        paused: phase == Phase::Paused,
    })
}

fn open_access(policy: &Policy, row: &OrderRow) -> Outcome<Option<AccessView>> {
    let Some(sealed) = &row.access_sealed else { return Ok(None) };
    let opened = policy.sealer.open(&access_place(&row.id), sealed)?;
    serde_json::from_slice(&opened).map(Some).map_err(|_| Refusal::broken("sealed access"))
}

/// One payment, whole.
pub fn payment(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, id: &str) -> Outcome<PaymentView> {
    let picture = Picture::load(tx, policy, now, id)?;
    let row = &picture.row;
    let purpose = match &row.order_id {
        Some(order_id) => PurposeView::Order { order_id: order_id.clone() },
        None => PurposeView::TopUp,
    };
    let quote = serde_json::from_str(&row.quote).map_err(|error| Refusal::broken(format!("quote: {error}")))?;
    Ok(PaymentView {
        id: row.id.clone(),
        purpose,
        method: row.method.clone(),
        asked: picture.terms.asked.into(),
        amount: coins(picture.terms.method, picture.terms.amount),
        quote,
        issued_at: row.issued_at.into(),
        deadline: row.deadline.into(),
        record: address::by_id(tx, &row.address_id)?.record,
        notice_at: row.notice_at.map(Into::into),
        headline: headline(picture.headline()),
        facts: facts(&picture),
        transfers: transfers(tx, &picture)?,
        last_known: None,
    })
}

fn coins(method: Method, amount: BaseUnits) -> String {
    amount.to_coins(method.decimals(), method.quoted_digits())
}

fn headline(headline: rules::Headline) -> Headline {
    match headline {
        rules::Headline::InReview => Headline::InReview,
        rules::Headline::Overpaid { .. } => Headline::Overpaid,
        rules::Headline::Paid => Headline::Paid,
        rules::Headline::Confirming(confirming) => Headline::Confirming {
            confirmations: u32::try_from(confirming.have).unwrap_or(u32::MAX),
            required: match confirming.need {
                Required::Blocks(blocks) => blocks,
                Required::Finalized => 0,
            },
        },
        rules::Headline::Underpaid { .. } => Headline::Underpaid,
        rules::Headline::Seen => Headline::Seen,
        rules::Headline::Late => Headline::Late,
        rules::Headline::Expired => Headline::Expired,
        rules::Headline::Waiting => Headline::Waiting,
    }
}

fn facts(picture: &Picture) -> PaymentFactsView {
    let facts = picture.facts();
    let assessment = picture.assessment();
    let sum = |wanted: fn(&Progress) -> bool| {
        let these =
            assessment.transfers.iter().filter(|one| one.method == picture.terms.method && wanted(&one.progress));
        let units = these.flat_map(|one| one.parts.iter()).map(|part| part.units);
        units.fold(BaseUnits::ZERO, |sum, units| sum.checked_add(units).unwrap_or(sum))
    };
    PaymentFactsView {
        received: coins(picture.terms.method, sum(|progress| *progress != Progress::Gone)),
        final_amount: coins(picture.terms.method, sum(|progress| *progress == Progress::Final)),
        credited: facts.final_sum.into(),
        short: facts.underpaid,
        over: facts.over_final.is_positive(),
        late: facts.late.is_positive(),
        disputed: facts.in_review || facts.disputed.is_positive(),
    }
}

fn transfers(tx: &mut Tx<'_>, picture: &Picture) -> Outcome<Vec<TransferView>> {
    if picture.transfers.is_empty() {
        return Ok(Vec::new());
    }
    let rows = transfer::of_payment(tx, &picture.row.id)?;
    let seen = picture.transfers.iter().map(|one| TransferView {
        tx_id: one.transaction.clone(),
        out_index: one.sightings.first().map_or(0, |sighting| sighting.key.index),
        amount: coins(one.method, one.amount),
        first_seen_at: rows
            .iter()
            .find(|row| row.id == one.id)
            .map_or(picture.row.issued_at, |row| row.first_seen_at)
            .into(),
        height: one.live().and_then(|sighting| u32::try_from(sighting.height).ok()),
        vanished: one.live().is_none() && (one.vanished || one.replaced_by.is_some()),
    });
    Ok(seen.collect())
}

/// A line of the balance: one posting that touches the customer's account.
pub fn balance_entry(tx: &mut Tx<'_>, account_id: &str, cause: &str) -> Outcome<BalanceEntryView> {
    let row = ledger::by_cause(tx, cause)?.ok_or_else(|| Refusal::broken(format!("posting {cause}")))?;
    let own = Account::Customer(account_id.to_owned()).to_string();
    let cents = if row.credit == own { row.cents } else { -row.cents };
    Ok(BalanceEntryView {
        id: row.cause,
        at: row.at.into(),
        reason: row.reason,
        amount: Cents::new(cents).into(),
        order_id: row.order_id,
        payment_id: row.payment_id,
    })
}

/// The server's clock and watchers, and the periods in force.
pub fn status(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp) -> Outcome<StatusAnswer> {
    let networks = chain::watchers(tx)?.into_iter().map(|row| {
        let behind = policy.limits.is_silent(row.checked_at, now) || policy.limits.lags(row.at_tip_at, now);
        NetworkStatusView {
            network: row.network,
            height: row.height.unwrap_or(0),
            checked_at: row.checked_at.map(Into::into),
            healthy: row.error.is_none() && !behind,
        }
    });
    Ok(StatusAnswer {
        environment: policy.environment.code().to_owned(),
        now: now.into(),
        networks: networks.collect(),
        retention_days: policy.limits.retention.shown(),
    })
}
