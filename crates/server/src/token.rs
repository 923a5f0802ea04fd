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
    let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == DIGITS && text.bytes().all(hexadecimal)).then(|| Sha256::digest(text).into())
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
        }
    }
}
