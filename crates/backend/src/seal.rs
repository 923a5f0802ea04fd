//! Sealing what must not lie open in the database: access, authenticator secrets.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

use crate::refusal::{Outcome, Refusal};

const NONCE_BYTES: usize = 24;

/// XChaCha20-Poly1305 under one key of the installation.
pub struct Sealer {
    cipher: XChaCha20Poly1305,
}

impl Sealer {
    /// From the installation's key, which is kept outside the database and its backups.
    pub fn new(key: &[u8; 32]) -> Self {
        Self { cipher: XChaCha20Poly1305::new(&Key::from(*key)) }
    }

    /// Seals `secret` for one place: `about` says which row and column, so that a sealed value can't be moved elsewhere.
    pub fn seal(&self, about: &str, secret: &[u8]) -> Outcome<Vec<u8>> {
        let mut nonce = [0u8; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|_| Refusal::broken("no randomness"))?;
        let payload = Payload { msg: secret, aad: about.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| Refusal::broken("sealing failed"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens what was sealed for that place.
    pub fn open(&self, about: &str, sealed: &[u8]) -> Outcome<Vec<u8>> {
        let broken = || Refusal::broken(format!("{about} can't be opened: another key, or damaged"));
        let (nonce, body) = sealed.split_at_checked(NONCE_BYTES).ok_or_else(broken)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().map_err(|_| broken())?;
        let payload = Payload { msg: body, aad: about.as_bytes() };
        self.cipher.decrypt(&XNonce::from(nonce), payload).map_err(|_| broken())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_can_be_opened_only_in_its_own_place_with_its_own_key() {
        let sealer = Sealer::new(&[7; 32]);
        let sealed = sealer.seal("access:1", b"hunter2").unwrap();
        assert_eq!(sealer.open("access:1", &sealed).unwrap(), b"hunter2");
        assert!(sealer.open("access:2", &sealed).is_err());
        assert!(Sealer::new(&[8; 32]).open("access:1", &sealed).is_err());
        assert!(sealer.open("access:1", &sealed[..10]).is_err());
        assert!(!sealed.windows(7).any(|window| window == b"hunter2"));
    }
}
