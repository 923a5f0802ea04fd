//! Payment URIs of the Bitcoin family, as BIP-21 writes them, with address and amount and nothing else (A5, P6).
//!
//! All lower case: several wallets fail on upper-case ones. The amount is a plain decimal in coins with the
//! method's quoted digits, never grouped and never with an exponent.

use thiserror::Error;

use crate::{AmountError, BaseUnits, Method};

/// The characters of a bech32 address after its separator (BIP-173).
const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// Characters of bech32's checksum: a shorter data part is no address.
const CHECKSUM_LEN: usize = 6;
/// Longest bech32 text (BIP-173).
const MAX_ADDRESS_LEN: usize = 90;
/// Symbols of one group on the screen.
const GROUP: usize = 4;

/// A payment URI that must not be made or can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UriError {
    /// Only Bitcoin and Litecoin have this form.
    #[error("{} has no BIP-21 form", method.label())]
    NoUriForm {
        /// The method.
        method: Method,
    },
    /// Not a lower-case bech32 address of that network.
    #[error("the address is not a lower-case segwit address of its network")]
    Address,
    /// An amount of nothing.
    #[error("the amount is nothing")]
    NoAmount,
    /// More digits than a quoted amount has: it was not computed from a quote.
    #[error("the amount has more than {allowed} decimal places")]
    TooManyDigits {
        /// Digits that the method quotes.
        allowed: u32,
    },
    /// The amount's text is no plain decimal.
    #[error("the amount can't be read: {0}")]
    Amount(#[from] AmountError),
    /// Another scheme, a second parameter, or none.
    #[error("not of the form scheme:address?amount=number")]
    Form,
}

/// Exactly what a payment URI says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentUri {
    method: Method,
    address: String,
    amount: BaseUnits,
}

impl PaymentUri {
    /// What to pay where.
    ///
    /// # Errors
    /// Refuses other methods, addresses that are not lower-case bech32 of that network, nothing, and finer amounts than are quoted.
    pub fn new(method: Method, address: &str, amount: BaseUnits) -> Result<Self, UriError> {
        scheme(method).ok_or(UriError::NoUriForm { method })?;
        if !is_address_of(method, address) {
            return Err(UriError::Address);
        }
        if amount.is_zero() {
            return Err(UriError::NoAmount);
        }
        let step = 10u128.saturating_pow(method.decimals().saturating_sub(method.quoted_digits()));
        if !amount.get().is_multiple_of(step) {
            return Err(UriError::TooManyDigits { allowed: method.quoted_digits() });
        }
        Ok(Self { method, address: address.to_owned(), amount })
    }

    /// The method.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// The address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The amount in base units.
    pub const fn amount(&self) -> BaseUnits {
        self.amount
    }

    /// Reads exactly the form that [`PaymentUri`] prints; anything more or less is refused.
    ///
    /// # Errors
    /// See [`UriError`].
    pub fn parse(text: &str) -> Result<Self, UriError> {
        let (found, rest) = text.split_once(':').ok_or(UriError::Form)?;
        let method = [Method::BtcBitcoin, Method::LtcLitecoin]
            .into_iter()
            .find(|method| scheme(*method) == Some(found))
            .ok_or(UriError::Form)?;
        let (address, query) = rest.split_once('?').ok_or(UriError::Form)?;
        let amount = query.strip_prefix("amount=").ok_or(UriError::Form)?;
        Self::new(method, address, BaseUnits::parse_coins(amount, method.decimals())?)
    }
}

impl std::fmt::Display for PaymentUri {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let amount = self.amount.to_coins(self.method.decimals(), self.method.quoted_digits());
        write!(formatter, "{}:{}?amount={amount}", scheme(self.method).unwrap_or_default(), self.address)
    }
}

/// The URI scheme of a method that has one here.
const fn scheme(method: Method) -> Option<&'static str> {
    match method {
        Method::BtcBitcoin => Some("bitcoin"),
        Method::LtcLitecoin => Some("litecoin"),
        _ => None,
    }
}

/// Whether the text is made like a lower-case bech32 address of that network. Test networks put letters before
/// the `ltc` of Litecoin's prefix, so its end tells the two networks apart. The checksum is the signed record's business.
fn is_address_of(method: Method, address: &str) -> bool {
    let Some((prefix, data)) = address.rsplit_once('1') else { return false };
    let letters = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_lowercase());
    let charset = data.len() > CHECKSUM_LEN && data.chars().all(|symbol| BECH32.contains(symbol));
    let litecoin = prefix.ends_with("ltc");
    letters && charset && address.len() <= MAX_ADDRESS_LEN && litecoin == (method == Method::LtcLitecoin)
}

/// The address in groups of four with a space between them, for the eye only: what is copied has no gaps.
pub fn grouped(address: &str) -> String {
    let mut shown = String::with_capacity(address.len() + address.len() / GROUP);
    for (index, symbol) in address.chars().enumerate() {
        if index > 0 && index.is_multiple_of(GROUP) {
            shown.push(' ');
        }
        shown.push(symbol);
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LTC: &str = "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh";
    const BTC: &str = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu";

    fn uri(method: Method, address: &str, units: u128) -> Result<String, UriError> {
        PaymentUri::new(method, address, BaseUnits::new(units)).map(|uri| uri.to_string())
    }

    #[test]
    fn a_uri_carries_address_and_amount_and_nothing_else() {
        let table = [
            (Method::LtcLitecoin, LTC, 125_000_000, format!("litecoin:{LTC}?amount=1.250000")),
            (Method::LtcLitecoin, LTC, 408_163_300, format!("litecoin:{LTC}?amount=4.081633")),
            (Method::LtcLitecoin, LTC, 100, format!("litecoin:{LTC}?amount=0.000001")),
            (Method::BtcBitcoin, BTC, 1, format!("bitcoin:{BTC}?amount=0.00000001")),
            (Method::BtcBitcoin, BTC, 2_030_000_000, format!("bitcoin:{BTC}?amount=20.30000000")),
        ];
        for (method, address, units, expected) in table {
            assert_eq!(uri(method, address, units), Ok(expected));
        }
    }

    #[test]
    fn an_address_of_another_network_or_shape_never_enters_a_uri() {
        let upper = LTC.to_uppercase();
        let bad_for_litecoin = [
            BTC,
            &upper,
            "LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez",
            "3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX",
            "",
            "ltc1",
            "ltc1qqqqqq",
            "1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh",
            "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wb",
            "litecoin:ltc1qqqqqqqq",
            "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4w?",
            "ltc1qjmxnz 78nmc8nq77wuxh25n2es7rzm5c2rkk4wh",
            "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh&label=x",
            "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wһ",
        ];
        for address in bad_for_litecoin {
            assert_eq!(uri(Method::LtcLitecoin, address, 100), Err(UriError::Address), "{address}");
        }
        assert_eq!(uri(Method::BtcBitcoin, LTC, 100), Err(UriError::Address));
        assert_eq!(uri(Method::UsdtTron, LTC, 100), Err(UriError::NoUriForm { method: Method::UsdtTron }));
    }

    #[test]
    fn amounts_that_no_quote_gives_are_refused() {
        assert_eq!(uri(Method::LtcLitecoin, LTC, 0), Err(UriError::NoAmount));
        assert_eq!(uri(Method::LtcLitecoin, LTC, 408_163_301), Err(UriError::TooManyDigits { allowed: 6 }));
    }

    #[test]
    fn reading_takes_our_own_form_only() {
        let bad = [
            format!("litecoin:{LTC}"),
            format!("litecoin:{LTC}?amount=1&amount=2"),
            format!("litecoin:{LTC}?amount=1&label=x"),
            format!("litecoin:{LTC}?label=x"),
            format!("litecoin:{LTC}?AMOUNT=1"),
            format!("LITECOIN:{LTC}?amount=1"),
            format!("litecoin:{LTC}?amount=50,000.00"),
            format!("litecoin:{LTC}?amount=1e3"),
            format!("litecoin:{LTC}?amount=0"),
            format!("bitcoin:{LTC}?amount=1"),
            LTC.to_owned(),
        ];
        for text in bad {
            assert!(PaymentUri::parse(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_address_is_shown_in_fours_and_loses_nothing() {
        assert_eq!(grouped("ltc1qjmxnz"), "ltc1 qjmx nz");
        assert_eq!(grouped("ltc1qjmx"), "ltc1 qjmx");
        assert_eq!(grouped(""), "");
        assert_eq!(grouped(LTC).replace(' ', ""), LTC);
    }

    proptest! {
        #[test]
        fn printing_and_reading_are_inverse(steps in 1u128..2_100_000_000_000_000, litecoin: bool, data in "[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{7,80}") {
            let (method, address) = match litecoin {
                true => (Method::LtcLitecoin, format!("ltc1{data}")),
                false => (Method::BtcBitcoin, format!("bc1{data}")),
            };
            let step = 10u128.pow(method.decimals() - method.quoted_digits());
            let uri = PaymentUri::new(method, &address, BaseUnits::new(steps * step)).unwrap();
            prop_assert_eq!(PaymentUri::parse(&uri.to_string()), Ok(uri.clone()));
            prop_assert_eq!(uri.to_string().to_lowercase(), uri.to_string());
        }

        #[test]
        fn reading_never_panics(text in "(litecoin:)?.{0,60}") {
            let _ = PaymentUri::parse(&text);
        }
    }
}
