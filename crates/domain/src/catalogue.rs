//! The catalogue: what is offered, in which unit it is ordered, what it costs, and the snapshot an order keeps.

mod choices;
mod compare;
mod figures;
mod gpu;
mod offer;

pub use choices::{Lots, LotsOutOfRange, Preparation, RentalDays};
pub use compare::OfferChange;
pub use figures::{CountWarning, Figures, FiguresError};
pub use gpu::{Backend, DriverVersion, GpuFacts, Vendor};
pub use offer::{MAX_LOT_PRICE, Offer, OfferError, OfferSnapshot, Prices};

#[cfg(test)]
pub(crate) use gpu::samples;
