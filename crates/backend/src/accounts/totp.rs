//! Authenticator codes: RFC 6238 with its defaults (SHA-1, 30 seconds, six digits), which is what every authenticator reads.

use domain::Timestamp;
use domain::time::SECOND_MICROS;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

/// Bytes of a secret (RFC 4226 asks for 160 bits).
pub const SECRET_BYTES: usize = 20;
const STEP_SECONDS: i64 = 30;
const DIGITS: usize = 6;
/// Steps before and after the present one whose code is taken: clocks differ, people type slowly.
const SKEW_STEPS: i64 = 1;
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// What a sealed secret is bound to.
pub fn sealed_about(account_id: &str) -> String {
    format!("authenticator:{account_id}")
}

/// The time step whose code this is, among the present one and its neighbours.
pub fn matching_step(secret: &[u8], now: Timestamp, code: &str) -> Option<i64> {
    let present = now.micros().div_euclid(SECOND_MICROS * STEP_SECONDS);
    (present - SKEW_STEPS..=present + SKEW_STEPS)
        .find(|step| code_at(secret, *step).is_some_and(|expected| same(&expected, code)))
}

/// The code that an authenticator shows at `now`; `None` before 1970.
pub fn code(secret: &[u8], now: Timestamp) -> Option<String> {
    code_at(secret, now.micros().div_euclid(SECOND_MICROS * STEP_SECONDS))
}

/// The code of a time step (RFC 4226, section 5.3).
fn code_at(secret: &[u8], step: i64) -> Option<String> {
    let counter = u64::try_from(step).ok()?;
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).ok()?;
    mac.update(&counter.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest.last()? & 0x0f);
    let four: [u8; 4] = digest.get(offset..offset + 4)?.try_into().ok()?;
    let number = (u32::from_be_bytes(four) & 0x7fff_ffff) % 10u32.pow(6);
    Some(format!("{number:0DIGITS$}"))
}

/// Compares without telling by the time taken how much fits.
fn same(expected: &str, given: &str) -> bool {
    let differs = expected.bytes().zip(given.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    expected.len() == given.len() && differs == 0
}

/// The secret as authenticators take it: base 32 without padding (RFC 4648).
pub fn secret_text(secret: &[u8]) -> String {
    let mut text = String::new();
    for chunk in secret.chunks(5) {
        let mut five = [0u8; 5];
        five[..chunk.len()].copy_from_slice(chunk);
        let bits = five.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        let letters = (chunk.len() * 8).div_ceil(5);
        text.extend((0..letters).map(|at| char::from(BASE32[(bits >> (35 - 5 * at) & 31) as usize])));
    }
    text
}

/// The URI that authenticators read from a QR code.
pub fn uri(secret: &[u8], email: &str) -> String {
    let label: String = email.bytes().map(percent).collect();
    format!("otpauth://totp/Kernodeck:{label}?secret={}&issuer=Kernodeck", secret_text(secret))
}

fn percent(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-._~@".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, the last six of its eight digits.
    #[test]
    fn an_operators_authenticator_shows_the_codes_that_the_server_takes() {
        let secret = b"12345678901234567890";
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let now = Timestamp::from_seconds(seconds);
            assert_eq!(super::code(secret, now).as_deref(), Some(code));
            assert_eq!(matching_step(secret, now, code), Some(seconds / 30));
        }
    }

    #[test]
    fn a_code_is_good_one_step_before_and_after_and_no_longer() {
        let secret = b"12345678901234567890";
        let code = super::code(secret, Timestamp::from_seconds(3_000)).unwrap();
        for (seconds, good) in [(2_939, false), (2_970, true), (3_000, true), (3_059, true), (3_060, false)] {
            assert_eq!(matching_step(secret, Timestamp::from_seconds(seconds), &code).is_some(), good, "{seconds}");
        }
        for wrong in ["", "1", &code[..5], &format!("{code}0"), "abcdef"] {
            assert_eq!(matching_step(secret, Timestamp::from_seconds(3_000), wrong), None, "{wrong}");
        }
    }

    /// RFC 4648, section 10, without the padding.
    #[test]
    fn a_secret_is_typed_as_base_32() {
        for (bytes, text) in
            [("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB")]
        {
            assert_eq!(secret_text(bytes.as_bytes()), text);
        }
        assert_eq!(secret_text(b"foobar"), "MZXW6YTBOI");
        assert_eq!(uri(b"foobar", "a+b@c"), "otpauth://totp/Kernodeck:a%2Bb@c?secret=MZXW6YTBOI&issuer=Kernodeck");
    }
}
