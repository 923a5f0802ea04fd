//! The accounts of the ledger and their one text form.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::asset::Method;

/// An account of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// What a customer may spend, by account id. Never below zero.
    Customer(String),
    /// Money that waits for one order or extension, by its id. Never below zero.
    Held(String),
    /// What a customer owes after a fork, by account id. Never below zero.
    Receivable(String),
    /// Money for accounts that were deleted, until it is claimed.
    Unclaimed,
    /// Value of what arrived by one method.
    Received(Method),
    /// Sold rentals.
    Revenue,
    /// Sold rentals that were given back.
    Refunds,
    /// What the business lets go or gives: tolerance, outages.
    Adjustments,
    /// Fractions of cents, should any operation ever leave one.
    Rounding,
    /// Our own coins moved between our own addresses.
    Own,
}

/// The side on which an account grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Assets and costs.
    Debit,
    /// Debts to customers and income.
    Credit,
}

/// A text that names no account.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} names no ledger account")]
pub struct AccountError {
    /// The text.
    pub text: String,
}

impl Account {
    /// The side on which the account grows.
    pub const fn side(&self) -> Side {
        match self {
            Account::Receivable(_) | Account::Received(_) | Account::Refunds | Account::Adjustments => Side::Debit,
            Account::Customer(_)
            | Account::Held(_)
            | Account::Unclaimed
            | Account::Revenue
            | Account::Rounding
            | Account::Own => Side::Credit,
        }
    }

    /// Whether the account must never fall below zero, seen from its own side (B3).
    pub const fn never_negative(&self) -> bool {
        matches!(self, Account::Customer(_) | Account::Held(_) | Account::Receivable(_) | Account::Unclaimed)
    }
}

/// Prints `customer:<id>`, `held:<id>`, `receivable:<id>`, `received:<network>:<asset>` or the bare name.
impl fmt::Display for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::Customer(id) => write!(formatter, "customer:{id}"),
            Account::Held(id) => write!(formatter, "held:{id}"),
            Account::Receivable(id) => write!(formatter, "receivable:{id}"),
            Account::Received(method) => write!(formatter, "received:{}", method.code()),
            Account::Unclaimed => formatter.write_str("unclaimed"),
            Account::Revenue => formatter.write_str("revenue"),
            Account::Refunds => formatter.write_str("refunds"),
            Account::Adjustments => formatter.write_str("adjustments"),
            Account::Rounding => formatter.write_str("rounding"),
            Account::Own => formatter.write_str("own"),
        }
    }
}

/// Reads what [`fmt::Display`] prints, and nothing else.
impl FromStr for Account {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        let account = match text.split_once(':') {
            Some((_, "")) => None,
            Some(("customer", id)) => Some(Account::Customer(id.to_owned())),
            Some(("held", id)) => Some(Account::Held(id.to_owned())),
            Some(("receivable", id)) => Some(Account::Receivable(id.to_owned())),
            Some(("received", code)) => Method::from_code(code).map(Account::Received),
            Some(_) => None,
            None => match text {
                "unclaimed" => Some(Account::Unclaimed),
                "revenue" => Some(Account::Revenue),
                "refunds" => Some(Account::Refunds),
                "adjustments" => Some(Account::Adjustments),
                "rounding" => Some(Account::Rounding),
                "own" => Some(Account::Own),
                _ => None,
            },
        };
        account.ok_or_else(|| AccountError { text: text.to_owned() })
    }
}
