//! Price sources: what public exchanges say an asset costs, exactly as they wrote it.
//!
//! This crate reports what it read and what went wrong, pair by pair. Which readings count and what the
//! price is, is decided by [`domain::quote`]. It knows no orders and no store.
//!
//! A round asks every pair of every source at the same time and ends within [`Limits::round_timeout`],
//! whatever the sources do. One bad pair never harms another.
#![deny(clippy::float_arithmetic, clippy::float_cmp, clippy::lossy_float_literal)]

mod error;
mod exchange;
mod http;
mod made_up;
mod price;
mod round;
mod source;

pub use error::{Fault, SetupError, SourceError};
pub use exchange::Pair;
pub use made_up::MadeUpSources;
pub use round::{Limits, PriceSources, Round};
pub use source::Source;
