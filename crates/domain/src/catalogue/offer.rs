//! An offer, its prices, and the snapshot of it that an order keeps (C8).

use thiserror::Error;

use super::{Figures, FiguresError, GpuFacts, Lots, RentalDays};
use crate::{Cents, Timestamp};

/// The highest price of one lot: ten million USD. Anything above is a slip of the keyboard.
pub const MAX_LOT_PRICE: Cents = Cents::new(1_000_000_000);

/// An offer that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OfferError {
    /// A price of nothing, below nothing or above [`MAX_LOT_PRICE`].
    #[error("a lot for {days} days can't cost {price} USD")]
    Price {
        /// The duration.
        days: u32,
        /// The price.
        price: Cents,
    },
}

/// The USD price of one lot for each duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    three: Cents,
    seven: Cents,
    thirty: Cents,
}

impl Prices {
    /// Prices of one lot for 3, 7 and 30 days.
    ///
    /// # Errors
    /// Refuses a price that is not above nothing or is above [`MAX_LOT_PRICE`].
    pub fn new(three: Cents, seven: Cents, thirty: Cents) -> Result<Self, OfferError> {
        let prices = Self { three, seven, thirty };
        let senseless = |days: &RentalDays| {
            let price = prices.of(*days);
            !price.is_positive() || price > MAX_LOT_PRICE
        };
        match RentalDays::ALL.into_iter().find(senseless) {
            Some(days) => Err(OfferError::Price { days: days.days(), price: prices.of(days) }),
            None => Ok(prices),
        }
    }

    /// The price of one lot for that duration.
    pub const fn of(&self, days: RentalDays) -> Cents {
        match days {
            RentalDays::Three => self.three,
            RentalDays::Seven => self.seven,
            RentalDays::Thirty => self.thirty,
        }
    }
}

/// A GPU model in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The offer's id, such as `b200`.
    pub id: String,
    /// What the card is.
    pub gpu: GpuFacts,
    /// GPUs in one lot: 2 for the B200, else 1.
    pub gpus_per_lot: u32,
    /// What one lot costs.
    pub prices: Prices,
    /// Lots that the business has, rented ones included.
    pub lots_total: u32,
    /// Whether customers see it.
    pub visible: bool,
}

impl Offer {
    /// The figures of an order of this offer at today's price.
    ///
    /// # Errors
    /// See [`FiguresError`].
    pub fn figures(&self, lots: Lots, days: RentalDays) -> Result<Figures, FiguresError> {
        Figures::compute(&self.gpu, self.gpus_per_lot, self.prices.of(days), lots)
    }

    /// What an order made now keeps of this offer.
    pub fn snapshot(&self, days: RentalDays, taken_at: Timestamp) -> OfferSnapshot {
        OfferSnapshot {
            offer_id: self.id.clone(),
            gpu: self.gpu.clone(),
            gpus_per_lot: self.gpus_per_lot,
            days,
            price_per_lot: self.prices.of(days),
            taken_at,
        }
    }
}

/// What an order keeps of its offer. Later changes of the catalogue never reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferSnapshot {
    /// The offer's id.
    pub offer_id: String,
    /// What the card was said to be.
    pub gpu: GpuFacts,
    /// GPUs in one lot.
    pub gpus_per_lot: u32,
    /// The duration that was chosen.
    pub days: RentalDays,
    /// What one lot costs for that duration.
    pub price_per_lot: Cents,
    /// When it was taken.
    pub taken_at: Timestamp,
}

impl OfferSnapshot {
    /// The figures of an order with that many lots at the kept price.
    ///
    /// # Errors
    /// See [`FiguresError`].
    pub fn figures(&self, lots: Lots) -> Result<Figures, FiguresError> {
        Figures::compute(&self.gpu, self.gpus_per_lot, self.price_per_lot, lots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_never_given_away_or_sold_for_a_slip_of_the_keyboard() {
        let fair = Cents::new(10_000);
        for price in [Cents::ZERO, Cents::new(-1), Cents::new(1_000_000_001)] {
            assert_eq!(Prices::new(price, fair, fair), Err(OfferError::Price { days: 3, price }));
            assert_eq!(Prices::new(fair, price, fair), Err(OfferError::Price { days: 7, price }));
            assert_eq!(Prices::new(fair, fair, price), Err(OfferError::Price { days: 30, price }));
        }
    }

    #[test]
    fn each_duration_has_its_own_price() {
        let prices = Prices::new(Cents::new(1), Cents::new(2), Cents::new(3)).unwrap();
        assert_eq!(RentalDays::ALL.map(|days| prices.of(days).get()), [1, 2, 3]);
    }
}
