//! Paying from the balance (B2), whole or beside new instructions (P10).

use thiserror::Error;

use super::credit::settlement;
use super::{Change, Customer, Notice, Outcome, Payable};
use crate::ledger::{Event, Legs};
use crate::money::Cents;
use crate::order::OrderState;

/// Why the balance can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FinishError {
    /// It is settled, cancelled or lapsed.
    #[error("it is not open")]
    NotOpen,
    /// The lots are sold, or the extension is too late.
    #[error("it can't be had any more")]
    Unobtainable,
    /// The balance does not cover what is missing.
    #[error("{missing} USD are missing and {balance} USD are there")]
    BalanceTooSmall {
        /// What is missing, or was chosen.
        missing: Cents,
        /// What is there.
        balance: Cents,
    },
    /// Something is owed; spending is stopped (P13).
    #[error("{owed} USD are owed")]
    Owing {
        /// What is owed.
        owed: Cents,
    },
    /// The chosen balance must be above nothing and below what is missing.
    #[error("the chosen balance must leave something to pay")]
    NothingLeft,
}

fn spendable(payable: &Payable, customer: &Customer, cents: Cents) -> Result<(), FinishError> {
    if payable.state != OrderState::Open {
        Err(FinishError::NotOpen)
    } else if !payable.obtainable {
        Err(FinishError::Unobtainable)
    } else if customer.is_stopped() {
        Err(FinishError::Owing { owed: customer.receivable })
    } else if cents > customer.balance {
        Err(FinishError::BalanceTooSmall { missing: cents, balance: customer.balance })
    } else {
        Ok(())
    }
}

/// Settles an order or extension with the balance, which must cover the whole of what is missing. What other orders
/// hold is not balance.
///
/// # Errors
/// See [`FinishError`].
pub fn finish_from_balance(payable: &Payable, customer: &Customer) -> Result<Outcome, FinishError> {
    let missing = payable.missing();
    spendable(payable, customer, missing)?;
    let mut outcome = Outcome::nothing();
    outcome.postings = settlement(payable, customer, missing, Cents::ZERO);
    outcome.change = Change::Settled { forgiven: Cents::ZERO };
    outcome.notices.push(Notice::Settled { forgiven: Cents::ZERO });
    Ok(outcome)
}

/// Moves chosen balance into `held` when new instructions are issued for the rest (`payment_id`). It becomes balance
/// again when the order lapses.
///
/// # Errors
/// See [`FinishError`].
pub fn choose_balance(
    payment_id: &str,
    cents: Cents,
    payable: &Payable,
    customer: &Customer,
) -> Result<Outcome, FinishError> {
    if !cents.is_positive() || cents >= payable.missing() {
        return Err(FinishError::NothingLeft);
    }
    spendable(payable, customer, cents)?;
    let mut legs = Legs::new(Event::ChosenBalance(payment_id.to_owned()));
    legs.post(customer.balance_account(), payable.held_account(), cents);
    let missing = super::less(payable.missing(), cents);
    let mut outcome = Outcome::nothing();
    outcome.postings = legs.finish();
    outcome.change = Change::Short { missing };
    outcome.notices.push(Notice::BalanceChosen { cents });
    Ok(outcome)
}
