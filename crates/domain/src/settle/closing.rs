//! Lapsing, cancelling and giving back (O10, O11), and claiming for a deleted account.

use super::credit::release;
use super::{BalanceReason, Change, Customer, Notice, Outcome, Payable, less};
use crate::ledger::{Account, Event, Legs, Part, SightingKey};
use crate::money::Cents;
use crate::order::OrderState;

/// How an order or extension ends without being settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// Its price ended.
    Lapsed,
    /// It was cancelled.
    Cancelled,
}

/// Closes an open order or extension, by lapsing or cancelling: what it holds becomes balance. `None` when it is not
/// open.
pub fn close(payable: &Payable, how: Closing, customer: &Customer) -> Option<Outcome> {
    if payable.state != OrderState::Open {
        return None;
    }
    let released = release(Event::Closing(payable.id.clone()), payable, customer, customer.receivable);
    let why = match how {
        Closing::Lapsed => BalanceReason::Lapsed,
        Closing::Cancelled => BalanceReason::Cancelled,
    };
    let mut outcome = Outcome::nothing();
    outcome.change = Change::Closed;
    outcome.notices = told(released.repaid, released.to_balance, customer, why);
    outcome.postings = released.postings;
    Some(outcome)
}

/// Gives back the price of a settled order that is not fulfilled. `None` when it is not settled.
pub fn return_paid(payable: &Payable, customer: &Customer) -> Option<Outcome> {
    (payable.state == OrderState::Settled).then(|| {
        let event = Event::Return(payable.id.clone());
        let mut outcome = give(event, Account::Refunds, payable.total, customer, BalanceReason::NotFulfilled);
        outcome.change = Change::Returned;
        outcome
    })
}

/// Credits balance for an outage that an operator recorded.
pub fn outage(outage_id: &str, cents: Cents, customer: &Customer) -> Outcome {
    give(Event::Outage(outage_id.to_owned()), Account::Adjustments, cents, customer, BalanceReason::Outage)
}

/// Hands a credit that stands in `unclaimed` to the account that claimed it. The caller then records its place as
/// [`crate::payment::Place::Balance`].
pub fn claim(sighting: &SightingKey, part: Part, cents: Cents, customer: &Customer) -> Outcome {
    give(Event::Claim(sighting.clone(), part), Account::Unclaimed, cents, customer, BalanceReason::Claimed)
}

fn give(event: Event, from: Account, cents: Cents, customer: &Customer, why: BalanceReason) -> Outcome {
    let mut legs = Legs::new(event);
    let repaid = cents.min(customer.receivable);
    let to_balance = less(cents, repaid);
    legs.post(from.clone(), customer.receivable_account(), repaid);
    legs.post(from, customer.balance_account(), to_balance);
    let mut outcome = Outcome::nothing();
    outcome.postings = legs.finish();
    outcome.notices = told(repaid, to_balance, customer, why);
    outcome
}

fn told(repaid: Cents, to_balance: Cents, customer: &Customer, why: BalanceReason) -> Vec<Notice> {
    let owed = less(customer.receivable, repaid);
    let repaid = repaid.is_positive().then_some(Notice::Repaid { cents: repaid, owed });
    let balance = to_balance.is_positive().then_some(Notice::Balance { cents: to_balance, why });
    repaid.into_iter().chain(balance).collect()
}
