//! Reading prices exactly, from the characters of the answer to [`Rate`], never through a float.

use domain::Rate;
use domain::rate::RATE_DECIMALS;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use crate::error::Fault;

/// Characters a price may have. Longer ones are no price.
const MAX_PRICE_CHARS: usize = 64;

/// Reads a JSON number or a JSON string holding one, such as `6702.2`, `"30300.10000"` or `4.9e-07`, exactly.
///
/// # Errors
/// [`Fault::NotANumber`], [`Fault::NotPositive`], or [`Fault::OutOfRange`] where ten decimal places do not hold it.
pub(crate) fn exact(token: &RawValue) -> Result<Rate, Fault> {
    let text = token.get();
    let text = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    if text.len() > MAX_PRICE_CHARS {
        return Err(Fault::NotANumber);
    }
    let (digits, negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (mantissa, exponent) = split_exponent(digits)?;
    if !is_plain_decimal(mantissa) {
        return Err(Fault::NotANumber);
    }
    if negative || mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return Err(Fault::NotPositive);
    }
    let number = Decimal::from_str_exact(mantissa).map_err(|_| Fault::OutOfRange)?.normalize();
    to_rate(number, exponent).ok_or(Fault::OutOfRange)
}

/// The middle of the best bid and ask, rounded down to 10^-10 USD.
///
/// # Errors
/// [`Fault::Crossed`] when the bid is above the ask.
pub(crate) fn middle(bid: Rate, ask: Rate) -> Result<Rate, Fault> {
    let spread = ask.units().checked_sub(bid.units()).ok_or(Fault::Crossed)?;
    let units = bid.units().checked_add(spread / 2).ok_or(Fault::OutOfRange)?;
    Rate::new(units).ok_or(Fault::NotPositive)
}

/// Parts of `4.9e-07`; an exponent of zero where none is written.
fn split_exponent(digits: &str) -> Result<(&str, i32), Fault> {
    let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) else {
        return Ok((digits, 0));
    };
    let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::NotANumber);
    }
    let exponent = exponent.parse().map_err(|_| Fault::OutOfRange)?;
    Ok((mantissa, exponent))
}

/// ASCII digits with at most one dot, a digit on either side of it. The decimal crate alone would take `1_000` too.
fn is_plain_decimal(text: &str) -> bool {
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) => all_digits(whole) && all_digits(fraction),
        None => all_digits(text),
    }
}

/// `number` × 10^`exponent` in the units of a rate; `None` where that would have to round.
fn to_rate(number: Decimal, exponent: i32) -> Option<Rate> {
    let mut mantissa = u128::try_from(number.mantissa()).ok()?;
    let mut shift = exponent.checked_sub_unsigned(number.scale())?.checked_add_unsigned(RATE_DECIMALS)?;
    // A mantissa that ends in zeros has decimal places to give back: 10e-11 is 1e-10.
    while shift < 0 && mantissa != 0 && mantissa.is_multiple_of(10) {
        mantissa /= 10;
        shift = shift.checked_add(1)?;
    }
    let scale = 10u128.checked_pow(u32::try_from(shift).ok()?)?;
    Rate::new(mantissa.checked_mul(scale)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(json: &str) -> Result<Rate, Fault> {
        exact(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn a_price_is_the_number_that_was_written() {
        for (json, printed) in [
            ("6702.2", "6702.20"),
            ("\"30300.10000\"", "30300.10"),
            ("4.9e-07", "0.00000049"),
            ("4.9E+3", "4900.00"),
            ("10e-11", "0.0000000001"),
            ("\"0.0000000001\"", "0.0000000001"),
            ("\"100000000\"", "100000000.00"),
            ("0.1", "0.10"),
        ] {
            assert_eq!(read(json).unwrap().to_string(), printed, "{json}");
        }
    }

    #[test]
    fn what_is_no_exact_price_is_refused_and_never_rounded() {
        for (json, fault) in [
            ("null", Fault::NotANumber),
            ("\"NaN\"", Fault::NotANumber),
            ("\"Infinity\"", Fault::NotANumber),
            ("\"\"", Fault::NotANumber),
            ("\"1_000\"", Fault::NotANumber),
            ("\"1,5\"", Fault::NotANumber),
            ("\"1.\"", Fault::NotANumber),
            ("\" 1\"", Fault::NotANumber),
            ("\"1e\"", Fault::NotANumber),
            ("\"\\u0031\"", Fault::NotANumber),
            ("[1]", Fault::NotANumber),
            ("true", Fault::NotANumber),
            ("0", Fault::NotPositive),
            ("\"0.00\"", Fault::NotPositive),
            ("0e5", Fault::NotPositive),
            ("-98.5", Fault::NotPositive),
            ("\"0.00000000001\"", Fault::OutOfRange),
            ("98.500000000001", Fault::OutOfRange),
            ("1e40", Fault::OutOfRange),
            ("1e-11", Fault::OutOfRange),
            ("1e99999999999", Fault::OutOfRange),
        ] {
            assert_eq!(read(json), Err(fault), "{json}");
        }
    }

    #[test]
    fn a_crossed_book_has_no_middle() {
        let rate = |text| Rate::parse(text).unwrap();
        assert_eq!(middle(rate("98"), rate("99")), Ok(rate("98.5")));
        assert_eq!(middle(rate("98"), rate("98")), Ok(rate("98")));
        assert_eq!(middle(rate("98.01"), rate("98")), Err(Fault::Crossed));
    }

    proptest! {
        /// Whichever way an exchange writes a price, the same one is read.
        #[test]
        fn every_way_to_write_a_price_reads_the_same(units in 1u128..1_000_000_000_000_000_000_000, shift in 0i32..10) {
            let rate = Rate::new(units).unwrap();
            let plain = rate.to_string();
            prop_assert_eq!(read(&plain), Ok(rate));
            let quoted = format!("\"{plain}\"");
            prop_assert_eq!(read(&quoted), Ok(rate));
            let scientific = format!("{units}e-10");
            prop_assert_eq!(read(&scientific), Ok(rate));
            let shifted = format!("{units}{}E{}", "0".repeat(usize::try_from(shift).unwrap()), -10 - shift);
            let read_back = read(&shifted);
            prop_assert!(read_back == Ok(rate) || read_back == Err(Fault::OutOfRange));
        }

        #[test]
        fn no_text_is_read_as_another_number(text in "[-+0-9eE._, ]{0,20}") {
            let json = format!("\"{text}\"");
            if let Ok(rate) = read(&json) {
                // The comparison's own reader: digits and exponent as a count of places, no decimal type.
                let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text.as_str(), "0"));
                let places = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                let digits = mantissa.replace('.', "");
                let digits = digits.trim_start_matches('0');
                let shift = exponent.parse::<i64>().unwrap() - i64::try_from(places).unwrap() + 10;
                let zeros = usize::try_from(shift.unsigned_abs()).unwrap();
                let units = rate.units().to_string();
                let expected = if shift >= 0 { format!("{digits}{}", "0".repeat(zeros)) } else { digits.to_owned() };
                let units = if shift >= 0 { units } else { format!("{units}{}", "0".repeat(zeros)) };
                prop_assert_eq!(units, expected);
            }
        }
    }
}
