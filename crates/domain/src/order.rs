//! An order: its terms, how long they stand, its state, and the lots it takes from the stock (O10, C9).
//!
//! Payment and fulfilment are two tracks. What is here is the order between them.

mod stock;
mod terms;

pub use stock::{AccountHolds, HoldFacts, HoldLimits, HoldRefused, LotsUse, Stock, lots_use};
pub use terms::{
    InstructionsRefused, LAST_INSTRUCTIONS_MICROS, OrderFacts, OrderState, OrderTerms, PRICE_STANDS_MICROS,
};
