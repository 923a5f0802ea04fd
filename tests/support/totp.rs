//! Six digits as an operator's authenticator shows them (RFC 6238: HMAC-SHA-1, 30 seconds), written apart from the server's.

use std::time::{SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

/// Seconds of one code.
const STEP_SECONDS: u64 = 30;

/// The code of now.
pub fn code(secret_base32: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    code_at(&base32(secret_base32), now / STEP_SECONDS)
}

fn code_at(secret: &[u8], step: u64) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).unwrap();
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest[19] & 0x0f);
    let word = u32::from_be_bytes(digest[offset..offset + 4].try_into().unwrap()) & 0x7fff_ffff;
    format!("{:06}", word % 1_000_000)
}

fn base32(text: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0_u32, 0);
    for letter in text.chars().filter(|letter| !matches!(letter, '=' | ' ' | '-')) {
        let value = ALPHABET.find(letter.to_ascii_uppercase()).expect("base32");
        held = (held << 5) | u32::try_from(value).unwrap();
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((held >> bits) & 0xff).unwrap());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238 appendix B, SHA-1, at 59 s and 1111111109 s; the RFC prints eight digits, of which the last six count here.
    #[test]
    fn the_codes_are_those_of_the_standard() {
        let secret = base32("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(secret, b"12345678901234567890");
        assert_eq!(code_at(&secret, 59 / 30), "287082");
        assert_eq!(code_at(&secret, 1_111_111_109 / 30), "081804");
    }
}
