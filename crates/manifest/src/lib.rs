//! Signed address files: the format, signing, and the check that everyone who shows or hands out an address must pass through.
//!
//! The format is written down in `docs/ADDRESS_FILES.md`. This crate knows no database, no network and no clock: the day
//! comes in as an argument. What it promises: a [`CheckedAddress`] exists only for a record that a trusted key signed for the
//! expected environment, network and chain, within its days and not below the expected epoch.

pub mod canonical;
pub mod chain;
pub mod check;
mod codes;
pub mod day;
pub mod expectations;
pub mod file;
pub mod file_check;
pub mod keys;
pub mod record;
pub mod refusal;
pub mod segwit;
pub mod sign;
pub mod trust;

pub use chain::chain_id;
pub use check::{CheckedAddress, check_record};
pub use day::{Day, DayError};
pub use expectations::Expectations;
pub use file::{AddressFile, FileError};
pub use file_check::{CheckedFile, FileReport, Problem, check_file};
pub use keys::{Fingerprint, KeyError, PublicKey, SigningKey};
pub use record::{Header, Record, Signature, SignedEntry, SignedHeader, SignedRecord, Token};
pub use refusal::Refusal;
pub use segwit::{AddressError, KeyHash, script_pubkey_hex};
pub use sign::{SignError, Terms, sign_file};
pub use trust::{KeyRole, TrustedKeys};

/// The format that this crate writes and reads.
pub const FORMAT: u32 = 1;

/// The longest time, in days, from the day of signing to the last day of a record.
pub const MAX_VALIDITY_DAYS: i32 = 90;

/// The most records that one file holds. Sign further addresses into a further file.
pub const MAX_RECORDS: u32 = 50_000;

/// The most token contracts that a header lists.
pub const MAX_TOKENS: usize = 16;
