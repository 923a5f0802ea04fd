//! Tokens of sign-ins: 256 random bits, of which the database holds a hash only.

use sha2::{Digest, Sha256};

use api::ErrorCode;

/// Hexadecimal digits of a token.
const DIGITS: usize = 64;

/// A fresh token and its hash.
///
/// # Errors
/// `Internal` when the system gives no randomness.
pub fn fresh() -> Result<(String, [u8; 32]), ErrorCode> {
    let mut bytes = [0u8; DIGITS / 2];
    getrandom::fill(&mut bytes).map_err(|_| ErrorCode::Internal)?;
    let text = hex::encode(bytes);
    let hash = hash(&text).ok_or(ErrorCode::Internal)?;
    Ok((text, hash))
}

/// The hash under which a token is stored; `None` for what can be no token.
pub fn hash(text: &str) -> Option<[u8; 32]> {
    is_hexadecimal(text).then(|| Sha256::digest(text).into())
}

/// The hash of a token that a device has made and not yet used; `None` for what can be none.
pub fn hash_of_next(text: &str) -> Option<[u8; 32]> {
    let bytes = hex::decode(text).ok().filter(|_| is_hexadecimal(text))?;
    bytes.try_into().ok()
}

fn is_hexadecimal(text: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == DIGITS && text.bytes().all(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stolen_database_opens_no_account() {
        let (token, hash) = fresh().unwrap();
        assert_eq!(super::hash(&token), Some(hash));
        assert_ne!(hex::encode(hash), token);
        assert_ne!(fresh().unwrap().0, token);
        for wrong in ["", "abc", &token.to_uppercase().replace(|c: char| c.is_ascii_digit(), "A"), &token[1..]] {
            assert_eq!(super::hash(wrong), None, "{wrong}");
            assert_eq!(hash_of_next(wrong), None, "{wrong}");
        }
        assert_eq!(hash_of_next(&hex::encode(hash)), Some(hash));
    }
}
