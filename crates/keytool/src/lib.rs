//! The operator's offline program: derive addresses from an account key or from words, sign them, check what was signed.
//!
//! It needs no network and holds no networking crate (a test looks). Everything it asks of the world comes in through
//! [`run::run`]: the command, an input to read words and answers from, an output, and the time.

pub mod account_key;
pub mod chain;
pub mod cli;
pub mod derive;
pub mod error;
pub mod key_file;
pub mod prefix;
pub mod run;
pub mod sign;
pub mod words;

pub use account_key::{AccountKey, AccountKeyError};
pub use chain::Chain;
pub use derive::{DeriveError, Derived, derive};
pub use error::ToolError;
