//! Outcomes: what is posted, what happens to the order, and what the customer is told (P10, P13, O10, O11, B2).
//!
//! Every function is pure and returns the whole list of postings, to be written in the transaction that writes the
//! fact which caused them.

mod closing;
mod credit;
mod finish;
mod undo;

pub use closing::{Closing, claim, close, outage, return_paid};
pub use credit::credit;
pub use finish::{FinishError, choose_balance, finish_from_balance};
pub use undo::undo;

use crate::ledger::{Account, Posting};
use crate::money::Cents;
use crate::order::OrderState;
use crate::payment::Credit;

/// An order or extension, as far as money goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payable {
    /// Its id; its money waits in `held:<id>`.
    pub id: String,
    /// Its whole price.
    pub total: Cents,
    /// The balance of `held:<id>`.
    pub held: Cents,
    /// Its state; an extension's is told in the same words. What is settled stays so, whatever a fork undoes.
    pub state: OrderState,
    /// Whether it can be had now: the order's lots are held or free; the extension is not too late ([`crate::fulfilment::RentalDates::extended`]).
    pub obtainable: bool,
}

/// A customer's accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    /// The account's id.
    pub id: String,
    /// The balance of `customer:<id>`: what may be spent, if nothing is owed.
    pub balance: Cents,
    /// The balance of `receivable:<id>`: what is owed.
    pub receivable: Cents,
}

impl Customer {
    /// Whether spending is stopped and orders that are not `ready` pause (P13).
    pub const fn is_stopped(&self) -> bool {
        self.receivable.is_positive()
    }

    fn balance_account(&self) -> Account {
        Account::Customer(self.id.clone())
    }

    fn receivable_account(&self) -> Account {
        Account::Receivable(self.id.clone())
    }
}

impl Payable {
    fn held_account(&self) -> Account {
        Account::Held(self.id.clone())
    }

    /// What an open order or extension misses to its total; nothing when it is covered.
    pub fn missing(&self) -> Cents {
        self.total.checked_sub(self.held).unwrap_or_default().max(Cents::ZERO)
    }
}

/// What happened to the order or extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing, or there is none.
    None,
    /// Its money changed, and it is still short.
    Short {
        /// What is missing.
        missing: Cents,
    },
    /// It is settled now.
    Settled {
        /// Cents that came from `adjustments`.
        forgiven: Cents,
    },
    /// Its money sufficed, but it could not be had: everything became balance, and it stays open until it lapses.
    Unobtainable,
    /// It is closed, and what it held became balance.
    Closed,
    /// What was paid for it went back.
    Returned,
}

/// What the customer is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Money waits for the order.
    Held {
        /// How much was added.
        cents: Cents,
        /// What is missing now.
        missing: Cents,
    },
    /// The order or extension is settled.
    Settled {
        /// Cents that the business let go.
        forgiven: Cents,
    },
    /// Money was added to the balance.
    Balance {
        /// How much.
        cents: Cents,
        /// Why it did not go elsewhere.
        why: BalanceReason,
    },
    /// What was owed is repaid, in part or whole.
    Repaid {
        /// How much.
        cents: Cents,
        /// What is still owed. When nothing is, paused orders go on.
        owed: Cents,
    },
    /// Credited money was undone by a fork.
    Undone {
        /// How much.
        cents: Cents,
        /// What is owed now. Anything: spending stops, orders that are not `ready` pause, an urgent item opens.
        owed: Cents,
    },
    /// Balance was put beside an order.
    BalanceChosen {
        /// How much.
        cents: Cents,
    },
}

/// Why money became balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceReason {
    /// It was a top-up.
    TopUp,
    /// More than the order needed.
    Over,
    /// The lots are sold, or the extension came too late.
    Unobtainable,
    /// The order is settled already.
    Settled,
    /// The order was cancelled.
    Cancelled,
    /// The order lapsed.
    Lapsed,
    /// An operator, or the review's deadline, decided so.
    Decided,
    /// It was claimed from `unclaimed`.
    Claimed,
    /// The order could not be fulfilled or failed acceptance for good.
    NotFulfilled,
    /// An outage that an operator recorded.
    Outage,
}

/// Everything that an event does to money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What to post, in order.
    pub postings: Vec<Posting>,
    /// The credits to record, each with its transfer's id. Recorded even when worth nothing.
    pub credits: Vec<(String, Credit)>,
    /// What happened to the order or extension.
    pub change: Change,
    /// What the customer is told.
    pub notices: Vec<Notice>,
}

impl Outcome {
    const fn nothing() -> Self {
        Self { postings: Vec::new(), credits: Vec::new(), change: Change::None, notices: Vec::new() }
    }
}

/// `left` less what is taken from it, never below nothing.
fn less(left: Cents, taken: Cents) -> Cents {
    left.checked_sub(taken).unwrap_or_default().max(Cents::ZERO)
}

/// Sum, held at the end of the range. Sums of money that exists stay far below it.
fn plus(one: Cents, other: Cents) -> Cents {
    one.checked_add(other).unwrap_or(Cents::new(i64::MAX))
}
