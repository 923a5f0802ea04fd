//! Postings, and the builder that numbers them.

use super::account::Account;
use super::cause::{Cause, Event};
use crate::money::Cents;

/// One row of the ledger: `cents`, always above zero, from the debited to the credited account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    cause: Cause,
    debit: Account,
    credit: Account,
    cents: Cents,
}

impl Posting {
    /// A posting; `None` unless `cents` is above zero and the two accounts differ.
    pub fn new(cause: Cause, debit: Account, credit: Account, cents: Cents) -> Option<Self> {
        (cents.is_positive() && debit != credit).then_some(Self { cause, debit, credit, cents })
    }

    /// Why it exists; unique.
    pub const fn cause(&self) -> &Cause {
        &self.cause
    }

    /// The debited account.
    pub const fn debit(&self) -> &Account {
        &self.debit
    }

    /// The credited account.
    pub const fn credit(&self) -> &Account {
        &self.credit
    }

    /// The amount, above zero.
    pub const fn cents(&self) -> Cents {
        self.cents
    }
}

/// Collects the postings of one event. Legs of nothing are left out, so that leg numbers have no gap.
#[derive(Clone, Debug)]
pub struct Legs {
    event: Event,
    postings: Vec<Posting>,
}

impl Legs {
    /// No legs yet.
    pub const fn new(event: Event) -> Self {
        Self { event, postings: Vec::new() }
    }

    /// Adds a leg unless `cents` is nothing.
    pub fn post(&mut self, debit: Account, credit: Account, cents: Cents) {
        let leg = u32::try_from(self.postings.len()).unwrap_or(u32::MAX);
        let cause = Cause { event: self.event.clone(), leg };
        self.postings.extend(Posting::new(cause, debit, credit, cents));
    }

    /// The postings.
    pub fn finish(self) -> Vec<Posting> {
        self.postings
    }
}
