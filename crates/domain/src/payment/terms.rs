//! What a customer was told to pay. Terms never change once issued.

use thiserror::Error;

use crate::asset::Method;
use crate::catalogue::RentalDays;
use crate::money::{BaseUnits, Cents};
use crate::quote::QUOTE_VALID_MICROS;
use crate::rate::Rate;
use crate::time::Timestamp;

/// The most that an order may be short and still settle: one dollar.
const TOLERANCE_LIMIT: i64 = 100;

/// The cents by which an order or extension of this total may fall short once: min(0.5 %, 1 USD), rounded down.
pub const fn tolerance(total: Cents) -> Cents {
    let half_percent = total.get() / 200;
    Cents::new(if half_percent < TOLERANCE_LIMIT {
        if half_percent > 0 { half_percent } else { 0 }
    } else {
        TOLERANCE_LIMIT
    })
}

/// What a payment pays, and never anything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// An order.
    Order {
        /// The order's id; its money waits in `held:<order_id>`.
        order_id: String,
    },
    /// More days for a rental (O6). It is held and settled like an order, under its own id.
    Extension {
        /// The extension's own id; its money waits in `held:<extension_id>`.
        extension_id: String,
        /// The order that is extended.
        order_id: String,
        /// Days added.
        days: RentalDays,
    },
    /// Prepaid balance.
    TopUp,
}

impl Purpose {
    /// The id under which money waits; `None` for a top-up, whose money is balance at once.
    pub fn held_id(&self) -> Option<&str> {
        match self {
            Purpose::Order { order_id } => Some(order_id),
            Purpose::Extension { extension_id, .. } => Some(extension_id),
            Purpose::TopUp => None,
        }
    }
}

/// The terms of one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The exact asset on the exact network that was asked for.
    pub method: Method,
    /// What it pays.
    pub purpose: Purpose,
    /// USD asked for.
    pub asked: Cents,
    /// The quoted amount: `asked` at `quote`, rounded up to the method's quoted digits.
    pub amount: BaseUnits,
    /// The quoted rate.
    pub quote: Rate,
    /// By how much the order or extension may fall short once, from its whole total; nothing for a top-up.
    pub tolerance: Cents,
    /// When the instructions were given out.
    pub issued_at: Timestamp,
    /// When they end. Never moves.
    pub deadline: Timestamp,
}

/// Terms that can't be issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TermsError {
    /// Nothing, or less, was to be asked for.
    #[error("nothing is asked for")]
    NothingAsked,
    /// The amount leaves the range.
    #[error("amount out of range")]
    OutOfRange,
}

impl Terms {
    /// Terms issued now, open for as long as its quote is valid. `total` is the order's or extension's whole price, from which the
    /// tolerance comes; it is not used for a top-up.
    ///
    /// # Errors
    /// Refuses to ask for nothing, and amounts past the range.
    pub fn issue(
        method: Method,
        purpose: Purpose,
        asked: Cents,
        total: Cents,
        quote: Rate,
        now: Timestamp,
    ) -> Result<Self, TermsError> {
        if !asked.is_positive() {
            return Err(TermsError::NothingAsked);
        }
        let amount =
            quote.amount_ceil(asked, method.decimals(), method.quoted_digits()).ok_or(TermsError::OutOfRange)?;
        let tolerance = if purpose == Purpose::TopUp { Cents::ZERO } else { tolerance(total) };
        let deadline = now.plus_micros(QUOTE_VALID_MICROS);
        Ok(Self { method, purpose, asked, amount, quote, tolerance, issued_at: now, deadline })
    }
}
