//! Everything that a payment's or an order's state depends on, read once.

use domain::confirmations::Required;
use domain::ledger::Account;
use domain::order::OrderState;
use domain::payment::{
    Assessment, Credit, Decision, Facts, Headline, Inputs, Place, Progress, Standing, Terms, Transfer, WatchPosition,
    assess, facts, headline,
};
use domain::settle::Payable;
use domain::{Cents, Timestamp};
use store::Tx;
use store::repo::order::OrderRow;
use store::repo::payment::PaymentRow;
use store::repo::{account, catalogue, chain, order, payment};

use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::{book, reading};

/// A payment with all it depends on.
pub struct Picture {
    /// The stored row.
    pub row: PaymentRow,
    /// The order it pays.
    pub order: Option<OrderRow>,
    /// Its terms.
    pub terms: Terms,
    /// What was seen.
    pub transfers: Vec<Transfer>,
    /// Rulings.
    pub decisions: Vec<Decision>,
    /// Where the watcher stands.
    pub position: WatchPosition,
    /// Confirmations asked for.
    pub required: Required,
    account_deleted: bool,
    now: Timestamp,
}

impl Picture {
    /// Reads a payment.
    pub fn load(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, payment_id: &str) -> Outcome<Self> {
        let row = payment::by_id(tx, payment_id)?.ok_or_else(|| Refusal::broken(format!("payment {payment_id}")))?;
        let mut picture = Self::without_confirmations(tx, now, row)?;
        let not_final = not_final(tx, now, &picture)?;
        picture.required = policy.confirmations.required(picture.terms.method.network(), not_final);
        Ok(picture)
    }

    fn without_confirmations(tx: &mut Tx<'_>, now: Timestamp, row: PaymentRow) -> Outcome<Self> {
        let order = match &row.order_id {
            Some(id) => Some(order::by_id(tx, id)?.ok_or_else(|| Refusal::broken(format!("order {id}")))?),
            None => None,
        };
        let owner = account::by_id(tx, &row.account_id)?.ok_or_else(|| Refusal::broken("payment of nobody"))?;
        let watcher = chain::watcher(tx, &row.network)?;
        Ok(Self {
            terms: reading::terms(&row, order.as_ref())?,
            transfers: reading::transfers(tx, &row)?,
            decisions: reading::decisions(tx, &row.id)?,
            position: reading::position(watcher.as_ref()),
            required: Required::Finalized,
            account_deleted: owner.status == "deleted",
            row,
            order,
            now,
        })
    }

    /// The domain's inputs.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs {
            terms: &self.terms,
            transfers: &self.transfers,
            required: self.required,
            position: &self.position,
            decisions: &self.decisions,
            standing: self.standing(),
            account_deleted: self.account_deleted,
            now: self.now,
        }
    }

    /// One verdict per transfer.
    pub fn assessment(&self) -> Assessment {
        assess(&self.inputs())
    }

    /// The facts.
    pub fn facts(&self) -> Facts {
        facts(&self.inputs(), &self.assessment())
    }

    /// The headline.
    pub fn headline(&self) -> Headline {
        if self.row.notice_at.is_some() && faults::planted(faults::NOTICE_BELIEVED) {
            return Headline::Paid;
        }
        headline(&self.facts())
    }

    fn standing(&self) -> Standing {
        let Some(order) = &self.order else { return Standing::Open };
        match state(order) {
            OrderState::Open => Standing::Open,
            OrderState::Settled if self.helped_to_settle(order) => Standing::SettledByThis,
            OrderState::Settled => Standing::SettledOtherwise,
            OrderState::Cancelled => Standing::Cancelled,
            OrderState::Lapsed => Standing::Lapsed,
        }
    }
}

impl Picture {
    /// Whether money of this payment was among what settled the order: several payments may have filled it together.
    fn helped_to_settle(&self, order: &OrderRow) -> bool {
        let held = |credit: &Credit| matches!(&credit.place, Place::Held { id, .. } if *id == order.id);
        let filled = self.transfers.iter().flat_map(|one| one.credits.iter()).any(held);
        filled || order.settled_by.as_deref() == Some(&self.row.id)
    }
}

/// What the account has in sight on the payment's network that no credit covers yet: the sum that P11 asks about.
fn not_final(tx: &mut Tx<'_>, now: Timestamp, picture: &Picture) -> Outcome<Cents> {
    let mut sum = open_value(picture);
    for id in payment::in_sight(tx, &picture.row.account_id, &picture.row.network)? {
        if id == picture.row.id {
            continue;
        }
        let row = payment::by_id(tx, &id)?.ok_or_else(|| Refusal::broken(format!("payment {id}")))?;
        let other = Picture::without_confirmations(tx, now, row)?;
        sum = sum.checked_add(open_value(&other)).ok_or_else(|| Refusal::broken("sum out of range"))?;
    }
    Ok(sum)
}

fn open_value(picture: &Picture) -> Cents {
    let assessment = picture.assessment();
    let present = assessment.transfers.iter().filter(|one| one.progress != Progress::Gone);
    let open = present.flat_map(|one| one.parts.iter()).filter(|part| !part.credited).filter_map(|part| part.cents);
    open.fold(Cents::ZERO, |sum, cents| sum.checked_add(cents).unwrap_or(Cents::new(i64::MAX)))
}

/// The order's state as stored: a lapse is stored by the transaction that posts it.
pub const fn state(order: &OrderRow) -> OrderState {
    if order.cancelled_at.is_some() {
        OrderState::Cancelled
    } else if order.settled_at.is_some() {
        OrderState::Settled
    } else if order.lapsed_at.is_some() {
        OrderState::Lapsed
    } else {
        OrderState::Open
    }
}

/// Whether this order could have its lots now: its own, or free ones. The offer is locked, so that the answer stands until
/// this transaction ends.
pub fn obtainable(tx: &mut Tx<'_>, order: &OrderRow) -> Outcome<bool> {
    if order.lots_held {
        return Ok(true);
    }
    catalogue::lock(tx, &order.offer_id)?;
    let offer = catalogue::by_id(tx, &order.offer_id)?.ok_or_else(|| Refusal::broken("order of no offer"))?;
    let taken = catalogue::taken_by_others(tx, &order.offer_id, &order.id)?;
    Ok(offer.lots_total.saturating_sub(taken) >= order.lots)
}

/// The order as money sees it, its offer locked.
pub fn payable(tx: &mut Tx<'_>, order: &OrderRow) -> Outcome<Payable> {
    let obtainable = obtainable(tx, order)?;
    payable_if(tx, order, obtainable)
}

fn payable_if(tx: &mut Tx<'_>, order: &OrderRow, obtainable: bool) -> Outcome<Payable> {
    Ok(Payable {
        id: order.id.clone(),
        total: Cents::new(order.total_cents),
        held: book::balance(tx, &Account::Held(order.id.clone()))?,
        state: state(order),
        obtainable,
    })
}
