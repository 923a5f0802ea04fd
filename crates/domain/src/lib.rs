//! The rules of Kernodeck, whole and pure.
//!
//! This crate does no input or output, reads no clock, draws no random number, is not async and does not
//! serialize. Time and ids come in as arguments; the same inputs give the same outputs on the server and on the desktop.
#![deny(clippy::float_arithmetic, clippy::float_cmp, clippy::lossy_float_literal)]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]

pub mod access;
pub mod asset;
pub mod catalogue;
pub mod confirmations;
pub mod credentials;
pub mod fulfilment;
pub mod ledger;
pub mod money;
pub mod order;
pub mod payment;
pub mod quote;
pub mod rate;
pub mod reference;
pub mod settle;
mod text;
pub mod time;
pub mod uri;

pub use asset::{Asset, Environment, Method, Network};
pub use money::{AmountError, BaseUnits, Cents};
pub use rate::Rate;
pub use time::Timestamp;
