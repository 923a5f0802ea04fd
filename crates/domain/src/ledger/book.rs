//! A ledger in memory: what the stored one must do, and the tool with which tests and audits add it up.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::account::{Account, Side};
use super::posting::Posting;
use crate::money::Cents;

/// Why postings were refused. Nothing of the refused batch is kept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// The cause has been posted before.
    #[error("cause {cause} is already posted")]
    AlreadyPosted {
        /// The cause's text.
        cause: String,
    },
    /// The account would fall below zero.
    #[error("account {account} would stand at {cents}")]
    Negative {
        /// The account's text.
        account: String,
        /// Where it would stand.
        cents: Cents,
    },
    /// A sum leaves the range.
    #[error("account {account} leaves the range")]
    OutOfRange {
        /// The account's text.
        account: String,
    },
}

/// Postings added up.
#[derive(Clone, Debug, Default)]
pub struct Book {
    balances: BTreeMap<Account, Cents>,
    causes: BTreeSet<String>,
}

impl Book {
    /// What the account holds, seen from the side on which it grows.
    pub fn balance(&self, account: &Account) -> Cents {
        self.balances.get(account).copied().unwrap_or_default()
    }

    /// Every account that was ever posted to, with its balance.
    pub fn balances(&self) -> impl Iterator<Item = (&Account, Cents)> {
        self.balances.iter().map(|(account, cents)| (account, *cents))
    }

    /// Adds a batch, whole or not at all.
    ///
    /// # Errors
    /// A cause that was posted before, a balance that would fall below zero where B3 forbids it, or leave the range.
    pub fn post(&mut self, postings: &[Posting]) -> Result<(), BookError> {
        let mut next = self.clone();
        for posting in postings {
            let cause = posting.cause().to_string();
            if !next.causes.insert(cause.clone()) {
                return Err(BookError::AlreadyPosted { cause });
            }
            next.shift(posting.debit(), Side::Debit, posting.cents())?;
            next.shift(posting.credit(), Side::Credit, posting.cents())?;
        }
        let touched = postings.iter().flat_map(|posting| [posting.debit(), posting.credit()]);
        for account in touched.filter(|account| account.never_negative()) {
            let cents = next.balance(account);
            if cents < Cents::ZERO {
                return Err(BookError::Negative { account: account.to_string(), cents });
            }
        }
        *self = next;
        Ok(())
    }

    fn shift(&mut self, account: &Account, side: Side, cents: Cents) -> Result<(), BookError> {
        let before = self.balance(account);
        let after = if account.side() == side { before.checked_add(cents) } else { before.checked_sub(cents) };
        let after = after.ok_or_else(|| BookError::OutOfRange { account: account.to_string() })?;
        self.balances.insert(account.clone(), after);
        Ok(())
    }
}
