//! The one line people read (P8).

use super::facts::{DUST, Facts};
use crate::confirmations::Required;
use crate::money::Cents;

/// How far the slowest transfer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirming {
    /// Blocks on it, its own included.
    pub have: u64,
    /// What it needs.
    pub need: Required,
}

/// The headline of a payment, in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headline {
    /// Something waits for an operator, with a deadline that decides by itself.
    InReview,
    /// Paid, and more is final than was asked for.
    Overpaid {
        /// By how much.
        over: Cents,
    },
    /// Paid.
    Paid,
    /// In a block, not final.
    Confirming(Confirming),
    /// Final, and not enough.
    Underpaid {
        /// What is missing.
        short: Cents,
    },
    /// In no block yet.
    Seen,
    /// Money came after the deadline.
    Late,
    /// The deadline has passed and nothing came.
    Expired,
    /// Nothing came yet.
    Waiting,
}

impl Headline {
    /// The name used on the wire and in the projection column.
    pub const fn code(&self) -> &'static str {
        match self {
            Headline::InReview => "in_review",
            Headline::Overpaid { .. } => "overpaid",
            Headline::Paid => "paid",
            Headline::Confirming(_) => "confirming",
            Headline::Underpaid { .. } => "underpaid",
            Headline::Seen => "seen",
            Headline::Late => "late",
            Headline::Expired => "expired",
            Headline::Waiting => "waiting",
        }
    }
}

impl Headline {
    /// Place in the order of precedence. Where nothing came yet, deadline or not, none is before the other.
    const fn precedence(&self) -> u8 {
        match self {
            Headline::InReview => 7,
            Headline::Overpaid { .. } => 6,
            Headline::Paid => 5,
            Headline::Confirming(_) => 4,
            Headline::Underpaid { .. } => 3,
            Headline::Seen => 2,
            Headline::Late => 1,
            Headline::Expired | Headline::Waiting => 0,
        }
    }
}

/// The headline of an order, from those of its payments, oldest first: the most advanced one, so that money on the way to an
/// older address is not hidden by newer instructions; the newest of equals.
pub fn order_headline(payments: impl IntoIterator<Item = Headline>) -> Option<Headline> {
    payments.into_iter().max_by_key(Headline::precedence)
}

/// Picks the headline: in review > overpaid > paid > confirming > underpaid > seen > late > expired > waiting.
pub fn headline(facts: &Facts) -> Headline {
    if facts.in_review {
        Headline::InReview
    } else if facts.paid && facts.over_final >= DUST {
        Headline::Overpaid { over: facts.over_final }
    } else if facts.paid {
        Headline::Paid
    } else if let Some(confirming) = facts.confirmations {
        Headline::Confirming(confirming)
    } else if facts.underpaid {
        Headline::Underpaid { short: facts.short }
    } else if facts.seen >= DUST {
        Headline::Seen
    } else if facts.late >= DUST {
        Headline::Late
    } else if facts.expired {
        Headline::Expired
    } else {
        Headline::Waiting
    }
}
