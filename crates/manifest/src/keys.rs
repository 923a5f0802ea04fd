//! Signing keys, public keys and the fingerprints by which people tell them apart.

use std::fmt;

use ed25519_dalek::{Signer, VerifyingKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::codes::bytes_from_hex;
use crate::record::Signature;

/// A text that is no key or fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// Not the right number of lower-case hex digits.
    #[error("expected {digits} lower-case hex digits")]
    NotHex {
        /// Hex digits asked for.
        digits: usize,
    },
    /// No point of the curve, or one of small order, under which signatures prove nothing.
    #[error("not a usable Ed25519 public key")]
    NotAKey,
}

/// An Ed25519 public key that is not of small order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// From its 32 bytes (RFC 8032).
    ///
    /// # Errors
    /// [`KeyError::NotAKey`] for bytes that are no point in its one encoding, or a point of small order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, KeyError> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| KeyError::NotAKey)?;
        // The curve library keeps the bytes that it was given: a second spelling of the same point must not be a second key.
        let one_spelling = key.to_edwards().compress().to_bytes() == *bytes;
        if key.is_weak() || !one_spelling { Err(KeyError::NotAKey) } else { Ok(Self(key)) }
    }

    /// From 64 lower-case hex digits.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        Self::from_bytes(&bytes_from_hex(text).ok_or(KeyError::NotHex { digits: 64 })?)
    }

    /// 64 lower-case hex digits.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0.as_bytes())
    }

    /// The fingerprint that names this key in files and on screens.
    pub fn fingerprint(&self) -> Fingerprint {
        let digest = Sha256::new().chain_update(b"kernodeck signing key\n").chain_update(self.0.as_bytes()).finalize();
        let mut short = [0; 20];
        short.copy_from_slice(&digest[..20]);
        Fingerprint(short)
    }

    /// Whether `signature` is this key's over `message`: the strict rule, so that one message has no second valid signature.
    pub(crate) fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
        self.0.verify_strict(message, &ed25519_dalek::Signature::from_bytes(&signature.0)).is_ok()
    }
}

/// The first 160 bits of SHA-256 over `kernodeck signing key`, a newline and the 32 bytes of the public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 20]);

impl Fingerprint {
    /// From 40 lower-case hex digits.
    ///
    /// # Errors
    /// [`KeyError::NotHex`].
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        bytes_from_hex(text).map(Self).ok_or(KeyError::NotHex { digits: 40 })
    }

    /// 40 lower-case hex digits, for files.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }
}

/// Ten groups of four digits, for people who compare two screens.
impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, pair) in self.0.chunks(2).enumerate() {
            let gap = if at == 0 { "" } else { " " };
            write!(formatter, "{gap}{}", hex::encode(pair))?;
        }
        Ok(())
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_hex(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// The private half. It lives on the offline machine; its memory is overwritten when it is dropped, and it prints nothing.
pub struct SigningKey(ed25519_dalek::SigningKey);

impl SigningKey {
    /// From 32 random bytes (RFC 8032's private key).
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    /// The public half.
    ///
    /// # Errors
    /// [`KeyError::NotAKey`], which no random seed gives.
    pub fn public_key(&self) -> Result<PublicKey, KeyError> {
        PublicKey::from_bytes(self.0.verifying_key().as_bytes())
    }

    /// Signs the bytes.
    pub(crate) fn sign(&self, message: &[u8]) -> Signature {
        Signature(self.0.sign(message).to_bytes())
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningKey(…)")
    }
}
