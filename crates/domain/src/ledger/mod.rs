//! The double-entry ledger (product B3): accounts, causes and postings.
//!
//! A posting is one row that debits one account and credits another by the same cents, so the ledger sums to zero by
//! construction. A balance is a sum over postings and is stored nowhere.

mod account;
mod book;
mod cause;
mod posting;

pub use account::{Account, AccountError, Side};
pub use book::{Book, BookError};
pub use cause::{Cause, Event, Part, SightingKey};
pub use posting::{Legs, Posting};
