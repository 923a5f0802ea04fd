//! Fulfilment: preparing the machines, checking them, handing over access, and the dates that follow (O3, O5, P13).
//!
//! It is a track apart from payment. Its states are few and stored; `active`, `ending` and `ended` follow from dates.

mod acceptance;
mod dates;
mod machine;

pub use acceptance::{Acceptance, Difference, ExpectedMachine, FoundDevice, FoundMachine};
pub use dates::{ENDING_MICROS, EXPORT_MICROS, RentalDates};
pub use machine::{
    Fulfilment, HandOver, Move, MoveRefused, Phase, RECEIVABLE_GRACE_MICROS, Situation, State, VerifiedLogin,
};
