//! Payments: terms, transfers, and the pure functions that say what they amount to (product P8–P12).
//!
//! [`assess`] turns everything known into one verdict per transfer; [`Facts`] sums them up; [`headline`] picks the one
//! line people read. What is then posted is decided in [`crate::settle`].

mod assess;
mod facts;
mod headline;
mod instructions;
mod parts;
mod terms;
mod timing;
mod transfer;
mod valuation;

pub use assess::{
    Assessed, AssessedPart, Assessment, Due, Inputs, Progress, Review, ReviewReason, Standing, To, Verdict, assess,
};
pub use facts::{DUST, Facts, facts};
pub use headline::{Confirming, Headline, headline, order_headline};
pub use instructions::{Asking, InstructionsError, MIN_INSTRUCTIONS, asked_for, network_floor};
pub use terms::{Purpose, Terms, TermsError, tolerance};
pub use timing::{LAG_GRACE_MICROS, MINED_WITHIN_MICROS, Timing};
pub use transfer::{Credit, Decision, FirstSeen, Place, Ruling, Sighting, Transfer, WatchPosition};
pub use valuation::{LowerRate, RATE_WITHIN_MICROS, REVIEW_MICROS, RecordedRate, lower_rate};
