//! What new instructions ask for (P10, row «short»).

use thiserror::Error;

use super::terms::tolerance;
use crate::asset::Method;
use crate::money::{BaseUnits, Cents};
use crate::rate::Rate;

/// Instructions never ask for less: five dollars. What is more than missing becomes balance.
pub const MIN_INSTRUCTIONS: Cents = Cents::new(500);

/// Why no new instructions can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InstructionsError {
    /// Nothing is missing.
    #[error("nothing is missing")]
    NothingMissing,
    /// The chosen balance is negative or more than there is.
    #[error("the chosen balance is not there")]
    BalanceTooSmall,
    /// The chosen balance covers everything: the order is to be finished from balance.
    #[error("the balance covers what is missing")]
    BalanceCovers,
    /// Something is owed; spending is stopped (P13).
    #[error("{owed} USD are owed")]
    Owing {
        /// What is owed.
        owed: Cents,
    },
    /// Money in sight covers it.
    #[error("{in_sight} USD are in sight")]
    InSight {
        /// What is in sight.
        in_sight: Cents,
    },
    /// An amount leaves the range.
    #[error("amount out of range")]
    OutOfRange,
}

/// The least sum that is surely above what the network carries to a new address (`least`: Bitcoin's dust limit,
/// Solana's rent-exempt minimum …). `None` past the range.
pub fn network_floor(method: Method, least: BaseUnits, quote: Rate) -> Option<Cents> {
    quote.value_floor(least, method.decimals())?.checked_add(Cents::new(1))
}

/// What new instructions ask for, and of what that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asking {
    /// What they ask for.
    pub asked: Cents,
    /// What the order misses to its total.
    pub missing: Cents,
    /// What the customer owes after a fork. Every credit repays it first, so the order is only covered when it is asked for too.
    pub owed: Cents,
    /// What is in sight for the order and not credited: it is not asked for a second time.
    pub in_sight: Cents,
}

/// What to ask for: what held money, money in sight and the chosen balance leave of the total, and what is owed; at least
/// [`MIN_INSTRUCTIONS`] and `network_floor`. Where money in sight leaves no more than the tolerance, nothing is asked for.
///
/// # Errors
/// See [`InstructionsError`].
pub fn asked_for(
    total: Cents,
    held: Cents,
    in_sight: Cents,
    chosen_balance: Cents,
    customer: &crate::settle::Customer,
    network_floor: Cents,
) -> Result<Asking, InstructionsError> {
    let missing = total.checked_sub(held).ok_or(InstructionsError::OutOfRange)?;
    if !missing.is_positive() {
        return Err(InstructionsError::NothingMissing);
    }
    if chosen_balance < Cents::ZERO || chosen_balance > customer.balance {
        return Err(InstructionsError::BalanceTooSmall);
    }
    let owed = customer.receivable;
    if chosen_balance.is_positive() && owed.is_positive() {
        return Err(InstructionsError::Owing { owed });
    }
    let left = missing.checked_sub(chosen_balance).ok_or(InstructionsError::OutOfRange)?;
    if !left.is_positive() {
        return Err(InstructionsError::BalanceCovers);
    }
    let left = left.checked_add(owed).and_then(|sum| sum.checked_sub(in_sight)).ok_or(InstructionsError::OutOfRange)?;
    if in_sight.is_positive() && left <= tolerance(total) {
        return Err(InstructionsError::InSight { in_sight });
    }
    Ok(Asking { asked: left.max(MIN_INSTRUCTIONS).max(network_floor), missing, owed, in_sight })
}
