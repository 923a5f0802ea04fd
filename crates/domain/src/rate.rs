//! Exchange rates: the USD price of one whole coin, exact, and the two conversions that use it.

use std::fmt;

use ethnum::U256;

use crate::money::{AmountError, BaseUnits, Cents};

/// Decimal places that a rate keeps. Ten hold every price a source prints for the eight methods.
pub const RATE_DECIMALS: u32 = 10;

/// USD for one whole coin, in units of 10^-10 USD, always above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u128);

impl Rate {
    /// From units of 10^-10 USD; `None` for zero, because a price is never defaulted.
    pub const fn new(units: u128) -> Option<Self> {
        if units == 0 { None } else { Some(Self(units)) }
    }

    /// Units of 10^-10 USD.
    pub const fn units(self) -> u128 {
        self.0
    }

    /// Reads `98.5`.
    ///
    /// # Errors
    /// Refuses zero and whatever is no plain decimal with at most ten places.
    pub fn parse(text: &str) -> Result<Self, AmountError> {
        let units = BaseUnits::parse_coins(text, RATE_DECIMALS)?;
        Self::new(units.get()).ok_or(AmountError::OutOfRange)
    }

    /// What `amount` is worth, rounded down to the cent. `None` when it leaves the range of cents.
    pub fn value_floor(self, amount: BaseUnits, decimals: u32) -> Option<Cents> {
        let product = U256::from(amount.get()).checked_mul(U256::from(self.0))?.checked_mul(U256::from(100u8))?;
        let scale = U256::from(10u8).checked_pow(decimals.checked_add(RATE_DECIMALS)?)?;
        i64::try_from(product / scale).ok().map(Cents::new)
    }

    /// The smallest amount with at most `quoted_digits` decimal places that is worth at least `value`.
    /// `None` for a negative value or past the range.
    pub fn amount_ceil(self, value: Cents, decimals: u32, quoted_digits: u32) -> Option<BaseUnits> {
        let cents = u128::try_from(value.get()).ok()?;
        let step = U256::from(10u8).checked_pow(decimals.checked_sub(quoted_digits)?)?;
        let scale = U256::from(10u8).checked_pow(decimals.checked_add(RATE_DECIMALS)?)?;
        let numerator = U256::from(cents).checked_mul(scale)?;
        let divisor = U256::from(self.0).checked_mul(U256::from(100u8))?.checked_mul(step)?;
        let one = U256::from(1u8);
        let steps = numerator.checked_add(divisor.checked_sub(one)?)? / divisor;
        u128::try_from(steps.checked_mul(step)?).ok().map(BaseUnits::new)
    }
}

/// Prints the exact rate with a dot and at least two places.
impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&BaseUnits::new(self.0).to_coins(RATE_DECIMALS, 2))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn four_hundred_dollars_at_98_ask_for_4_081633_litecoin() {
        let rate = Rate::parse("98").unwrap();
        let amount = rate.amount_ceil(Cents::new(40_000), 8, 6).unwrap();
        assert_eq!(amount.to_coins(8, 6), "4.081633");
    }

    #[test]
    fn a_rate_of_nothing_does_not_exist() {
        assert_eq!(Rate::new(0), None);
        assert!(Rate::parse("0.00").is_err());
    }

    proptest! {
        /// Whoever sends the quoted amount has paid the whole sum; one step less has not overpaid it by a step.
        #[test]
        fn the_quoted_amount_is_worth_what_was_asked(cents in 1i64..100_000_000_000, units in 1u128..1_000_000_000_000_000_000, (decimals, digits) in prop::sample::select(vec![(8, 8), (18, 6), (6, 2), (9, 6), (8, 6)])) {
            let rate = Rate::new(units).unwrap();
            let value = Cents::new(cents);
            if let Some(amount) = rate.amount_ceil(value, decimals, digits) {
                if let Some(worth) = rate.value_floor(amount, decimals) {
                    prop_assert!(worth >= value);
                }
                let step = 10u128.pow(decimals - digits);
                let less = BaseUnits::new(amount.get() - step);
                prop_assert!(rate.value_floor(less, decimals).unwrap() < value);
                prop_assert_eq!(amount.get() % step, 0);
            }
        }
    }
}
