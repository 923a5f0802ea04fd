//! Crediting what is final (P10 «Where it goes»).

use super::{BalanceReason, Change, Customer, Notice, Outcome, Payable, less, plus};
use crate::ledger::{Account, Event, Legs, Posting};
use crate::money::Cents;
use crate::order::OrderState;
use crate::payment::{Credit, Due, Place, To, tolerance};

/// Posts everything that is due for one payment. `payable` is the order or extension that it pays, `None` for a top-up.
///
/// Every credit repays the customer's receivable first. What is left fills `held` up to the total; the order settles
/// when that covers it (tolerance included) and it can be had; what is more is balance.
pub fn credit(dues: &[Due], payable: Option<&Payable>, customer: &Customer) -> Outcome {
    let mut run = Run::new(payable, customer, dues);
    for due in dues {
        run.credit(due);
    }
    run.finish(dues)
}

struct Run<'a> {
    payable: Option<&'a Payable>,
    customer: &'a Customer,
    plan: Plan,
    held: Cents,
    owed: Cents,
    repaid: Cents,
    by_reason: Vec<(BalanceReason, Cents)>,
    outcome: Outcome,
}

/// What the money for an open order or extension will do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    /// Wait in `held`.
    Hold,
    /// Settle.
    Settle,
    /// Become balance, with everything held: it suffices, but can't be had.
    Release,
    /// Become balance: there is nothing open to pay.
    Balance(BalanceReason),
}

fn plan(payable: Option<&Payable>, customer: &Customer, dues: &[Due]) -> Plan {
    let Some(payable) = payable else { return Plan::Balance(BalanceReason::TopUp) };
    match payable.state {
        OrderState::Settled => return Plan::Balance(BalanceReason::Settled),
        OrderState::Cancelled => return Plan::Balance(BalanceReason::Cancelled),
        OrderState::Lapsed => return Plan::Balance(BalanceReason::Lapsed),
        OrderState::Open => {}
    }
    // The receivable takes from the dues in their order, whatever they are for.
    let mut owed = customer.receivable;
    let mut held = payable.held;
    for due in dues.iter().filter(|due| matches!(due.to, To::Purpose | To::Balance)) {
        let repaid = due.cents.min(owed);
        owed = less(owed, repaid);
        if due.to == To::Purpose {
            held = plus(held, less(due.cents, repaid));
        }
    }
    let covered = less(payable.total, held) <= tolerance(payable.total);
    match (covered, payable.obtainable) {
        (false, _) => Plan::Hold,
        (true, true) => Plan::Settle,
        (true, false) => Plan::Release,
    }
}

impl<'a> Run<'a> {
    fn new(payable: Option<&'a Payable>, customer: &'a Customer, dues: &[Due]) -> Self {
        Self {
            payable,
            customer,
            plan: plan(payable, customer, dues),
            held: payable.map_or(Cents::ZERO, |payable| payable.held),
            owed: customer.receivable,
            repaid: Cents::ZERO,
            by_reason: Vec::new(),
            outcome: Outcome::nothing(),
        }
    }

    fn credit(&mut self, due: &Due) {
        let mut legs = Legs::new(Event::Credit(due.sighting.clone(), due.part));
        let received = Account::Received(due.method);
        let place = match due.to {
            To::Own => {
                legs.post(received, Account::Own, due.cents);
                Place::Own
            }
            To::Unclaimed => {
                legs.post(received, Account::Unclaimed, due.cents);
                Place::Unclaimed
            }
            To::Balance | To::Purpose => self.credit_customer(&mut legs, due),
        };
        self.outcome.postings.extend(legs.finish());
        let credit = Credit {
            sighting: due.sighting.clone(),
            part: due.part,
            units: due.units,
            cents: due.cents,
            place,
            undone: false,
        };
        self.outcome.credits.push((due.transfer_id.clone(), credit));
    }

    fn credit_customer(&mut self, legs: &mut Legs, due: &Due) -> Place {
        let received = || Account::Received(due.method);
        let repaid = due.cents.min(self.owed);
        legs.post(received(), self.customer.receivable_account(), repaid);
        self.owed = less(self.owed, repaid);
        self.repaid = plus(self.repaid, repaid);
        let left = less(due.cents, repaid);
        let (to_held, reason) = self.share(due, left);
        let to_balance = less(left, to_held);
        legs.post(received(), self.customer.balance_account(), to_balance);
        self.note(reason, to_balance);
        match self.payable.filter(|_| to_held.is_positive()) {
            Some(payable) => {
                legs.post(received(), payable.held_account(), to_held);
                self.held = plus(self.held, to_held);
                Place::Held { id: payable.id.clone(), cents: to_held }
            }
            None => Place::Balance,
        }
    }

    /// What of `left` goes into `held`, and why the rest does not.
    fn share(&self, due: &Due, left: Cents) -> (Cents, BalanceReason) {
        match (due.to, self.plan, self.payable) {
            (To::Purpose, Plan::Hold | Plan::Settle, Some(payable)) => {
                (left.min(less(payable.total, self.held)), BalanceReason::Over)
            }
            (To::Purpose, Plan::Release, _) => (Cents::ZERO, BalanceReason::Unobtainable),
            (To::Purpose, Plan::Balance(reason), _) => (Cents::ZERO, reason),
            (_, Plan::Balance(BalanceReason::TopUp), _) => (Cents::ZERO, BalanceReason::TopUp),
            _ => (Cents::ZERO, BalanceReason::Decided),
        }
    }

    fn note(&mut self, reason: BalanceReason, cents: Cents) {
        if !cents.is_positive() {
            return;
        }
        match self.by_reason.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, sum)) => *sum = plus(*sum, cents),
            None => self.by_reason.push((reason, cents)),
        }
    }

    fn finish(mut self, dues: &[Due]) -> Outcome {
        let last = dues.iter().rev().find(|due| due.to == To::Purpose);
        if let (Some(payable), Some(last)) = (self.payable, last) {
            match self.plan {
                Plan::Settle => self.settle(payable),
                Plan::Release => self.release(payable, last),
                Plan::Hold => self.hold(payable),
                Plan::Balance(_) => {}
            }
        }
        self.tell()
    }

    fn settle(&mut self, payable: &Payable) {
        let forgiven = less(payable.total, self.held);
        self.outcome.postings.extend(settlement(payable, self.customer, Cents::ZERO, forgiven));
        self.outcome.change = Change::Settled { forgiven };
        self.outcome.notices.push(Notice::Settled { forgiven });
    }

    fn release(&mut self, payable: &Payable, last: &Due) {
        let event = Event::Release(last.sighting.clone(), last.part);
        let released = release(event, payable, self.customer, self.owed);
        self.repaid = plus(self.repaid, released.repaid);
        self.owed = less(self.owed, released.repaid);
        self.note(BalanceReason::Unobtainable, released.to_balance);
        self.outcome.postings.extend(released.postings);
        self.outcome.change = Change::Unobtainable;
    }

    fn hold(&mut self, payable: &Payable) {
        let missing = less(payable.total, self.held);
        let cents = less(self.held, payable.held);
        self.outcome.change = Change::Short { missing };
        if cents.is_positive() {
            self.outcome.notices.push(Notice::Held { cents, missing });
        }
    }

    fn tell(mut self) -> Outcome {
        if self.repaid.is_positive() {
            self.outcome.notices.push(Notice::Repaid { cents: self.repaid, owed: self.owed });
        }
        let balances = self.by_reason.into_iter().map(|(why, cents)| Notice::Balance { cents, why });
        self.outcome.notices.extend(balances);
        self.outcome
    }
}

/// The postings that settle: chosen balance and forgiven cents fill `held`, and the total becomes revenue.
pub(super) fn settlement(payable: &Payable, customer: &Customer, from_balance: Cents, forgiven: Cents) -> Vec<Posting> {
    let mut legs = Legs::new(Event::Settlement(payable.id.clone()));
    legs.post(customer.balance_account(), payable.held_account(), from_balance);
    legs.post(Account::Adjustments, payable.held_account(), forgiven);
    legs.post(payable.held_account(), Account::Revenue, payable.total);
    legs.finish()
}

/// Held money on its way out.
pub(super) struct Released {
    pub postings: Vec<Posting>,
    pub repaid: Cents,
    pub to_balance: Cents,
}

/// Gives back what is held: to what is `owed` first, then to the balance.
pub(super) fn release(event: Event, payable: &Payable, customer: &Customer, owed: Cents) -> Released {
    let mut legs = Legs::new(event);
    let repaid = payable.held.min(owed);
    let to_balance = less(payable.held, repaid);
    legs.post(payable.held_account(), customer.receivable_account(), repaid);
    legs.post(payable.held_account(), customer.balance_account(), to_balance);
    Released { postings: legs.finish(), repaid, to_balance }
}
