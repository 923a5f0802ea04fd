//! Exact money: USD in cents, assets in base units. No number here ever passes through a float.

use std::fmt;

use thiserror::Error;

/// Decimal places of a USD amount.
const USD_DECIMALS: u32 = 2;

/// A text that is no exact amount, or a sum that leaves the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AmountError {
    /// Something other than ASCII digits with at most one dot: a comma, an exponent, a sign, a space, nothing at all.
    #[error("not a plain decimal number")]
    NotPlainDecimal,
    /// More decimal places than the asset has.
    #[error("more than {allowed} decimal places")]
    TooManyDecimals {
        /// Places the asset has.
        allowed: u32,
    },
    /// Larger than the type can hold.
    #[error("amount out of range")]
    OutOfRange,
}

/// Reads digits with at most one dot, at least one digit on either side of it, into units of 10^-decimals.
fn parse_scaled(text: &str, decimals: u32) -> Result<u128, AmountError> {
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return Err(AmountError::NotPlainDecimal),
        Some(parts) => parts,
        None => (text, ""),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return Err(AmountError::NotPlainDecimal);
    }
    let places = u32::try_from(fraction.len()).map_err(|_| AmountError::OutOfRange)?;
    let missing = decimals.checked_sub(places).ok_or(AmountError::TooManyDecimals { allowed: decimals })?;
    let digit = |value: u128, byte: u8| value.checked_mul(10)?.checked_add(u128::from(byte - b'0'));
    let value = whole.bytes().chain(fraction.bytes()).try_fold(0u128, digit).ok_or(AmountError::OutOfRange)?;
    10u128.checked_pow(missing).and_then(|scale| value.checked_mul(scale)).ok_or(AmountError::OutOfRange)
}

/// USD in whole cents. Signed, because balances and ledger sums can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

impl Cents {
    /// Nothing.
    pub const ZERO: Cents = Cents(0);

    /// From a number of cents.
    pub const fn new(cents: i64) -> Self {
        Self(cents)
    }

    /// The number of cents.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Reads `1390`, `1390.5` or `1390.50`, optionally with a leading minus.
    ///
    /// # Errors
    /// Refuses exponents, commas, grouping, spaces, more than two decimals, and values outside the range.
    pub fn parse(text: &str) -> Result<Self, AmountError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let cents = i128::try_from(parse_scaled(digits, USD_DECIMALS)?).map_err(|_| AmountError::OutOfRange)?;
        let signed = if negative { -cents } else { cents };
        i64::try_from(signed).map(Self).map_err(|_| AmountError::OutOfRange)
    }

    /// Sum, or `None` past the range.
    pub fn checked_add(self, other: Cents) -> Option<Cents> {
        self.0.checked_add(other.0).map(Cents)
    }

    /// Difference, or `None` past the range.
    pub fn checked_sub(self, other: Cents) -> Option<Cents> {
        self.0.checked_sub(other.0).map(Cents)
    }

    /// Product with a count, or `None` past the range.
    pub fn checked_mul(self, count: i64) -> Option<Cents> {
        self.0.checked_mul(count).map(Cents)
    }

    /// Whether the amount is above nothing.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }
}

/// Prints the exact amount with a dot and two places, no grouping: `-12.05`.
impl fmt::Display for Cents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(formatter, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

/// An amount of an asset in its smallest unit (satoshi, wei, lamport …). Which asset is said by the [`crate::Method`] beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BaseUnits(u128);

impl BaseUnits {
    /// Nothing.
    pub const ZERO: BaseUnits = BaseUnits(0);

    /// From a number of base units.
    pub const fn new(units: u128) -> Self {
        Self(units)
    }

    /// The number of base units.
    pub const fn get(self) -> u128 {
        self.0
    }

    /// Whether there is nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Reads a coin amount such as `10.05` with at most `decimals` places.
    ///
    /// # Errors
    /// Refuses exponents, commas, grouping, signs, spaces, too many decimals, and values outside the range.
    pub fn parse_coins(text: &str, decimals: u32) -> Result<Self, AmountError> {
        parse_scaled(text, decimals).map(Self)
    }

    /// Reads a whole number of base units.
    ///
    /// # Errors
    /// Refuses everything but ASCII digits within the range.
    pub fn parse_units(text: &str) -> Result<Self, AmountError> {
        parse_scaled(text, 0).map(Self)
    }

    /// Prints coins exactly with `decimals` places and at least `shown` of them; further zeros at the end are left out.
    pub fn to_coins(self, decimals: u32, shown: u32) -> String {
        let scale = 10u128.saturating_pow(decimals);
        let whole = self.0 / scale;
        let width = decimals as usize;
        if decimals == 0 {
            return whole.to_string();
        }
        let fraction = format!("{:0width$}", self.0 % scale);
        let significant = fraction.trim_end_matches('0').len();
        let kept = significant.max(shown.min(decimals) as usize);
        match kept {
            0 => whole.to_string(),
            kept => format!("{whole}.{}", &fraction[..kept]),
        }
    }

    /// Sum, or `None` past the range.
    pub fn checked_add(self, other: BaseUnits) -> Option<BaseUnits> {
        self.0.checked_add(other.0).map(BaseUnits)
    }

    /// Difference, or `None` when `other` is larger.
    pub fn checked_sub(self, other: BaseUnits) -> Option<BaseUnits> {
        self.0.checked_sub(other.0).map(BaseUnits)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn amounts_that_a_wallet_or_a_spreadsheet_would_misread_are_refused() {
        for text in ["", ".", ".5", "5.", "1,5", "1e3", "1E3", "+1", " 1", "1 ", "1_000", "0x10", "1.2.3", "١", "NaN"]
        {
            assert_eq!(Cents::parse(text), Err(AmountError::NotPlainDecimal), "{text:?}");
            assert_eq!(BaseUnits::parse_coins(text, 8), Err(AmountError::NotPlainDecimal), "{text:?}");
        }
        assert_eq!(Cents::parse("1.005"), Err(AmountError::TooManyDecimals { allowed: 2 }));
        assert_eq!(BaseUnits::parse_coins("0.123456789", 8), Err(AmountError::TooManyDecimals { allowed: 8 }));
        assert_eq!(Cents::parse("92233720368547758.08"), Err(AmountError::OutOfRange));
        assert_eq!(Cents::parse("-92233720368547758.08"), Ok(Cents::new(i64::MIN)));
    }

    proptest! {
        #[test]
        fn printing_and_reading_cents_are_inverse(value: i64) {
            let cents = Cents::new(value);
            prop_assert_eq!(Cents::parse(&cents.to_string()), Ok(cents));
        }

        #[test]
        fn printing_and_reading_coins_are_inverse(value: u128, decimals in 0u32..19, shown in 0u32..19) {
            let units = BaseUnits::new(value);
            prop_assert_eq!(BaseUnits::parse_coins(&units.to_coins(decimals, shown), decimals), Ok(units));
        }
    }
}
