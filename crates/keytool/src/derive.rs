//! From an account key to addresses: BIP-84's receiving chain, through public keys only.

use bip32::{ChildNumber, PublicKey};
use manifest::{AddressError, KeyHash, MAX_RECORDS};
use ripemd::Ripemd160;
use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::account_key::AccountKey;
use crate::chain::Chain;

/// First hardened index: public keys derive only those below (BIP-32).
const HARDENED: u32 = 1 << 31;

/// Why no addresses were derived.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeriveError {
    /// None or too many at once.
    #[error("the number of addresses must be between 1 and {MAX_RECORDS}")]
    Count,
    /// Indexes past the end.
    #[error("indexes run from 0 to {}", HARDENED - 1)]
    Index,
    /// The one index in 2^127 that BIP-32 says to skip.
    #[error("index {index} gives no key (BIP-32): leave it out")]
    NoKey {
        /// The index.
        index: u32,
    },
    /// The network has no such addresses.
    #[error(transparent)]
    Address(#[from] AddressError),
}

/// One derived address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Derived {
    /// Index on the receiving chain.
    pub index: u32,
    /// BIP-84's whole path. An account key does not say its own purpose and coin: they are those of the network asked for.
    pub path: String,
    /// The address.
    pub address: String,
}

/// Derives `count` receiving addresses from index `from` on.
///
/// # Errors
/// [`DeriveError`].
pub fn derive(key: &AccountKey, chain: Chain, from: u32, count: u32) -> Result<Vec<Derived>, DeriveError> {
    if count == 0 || count > MAX_RECORDS {
        return Err(DeriveError::Count);
    }
    let end = from.checked_add(count).filter(|end| *end <= HARDENED).ok_or(DeriveError::Index)?;
    let receiving = key.key().derive_child(ChildNumber(0)).map_err(|_| DeriveError::NoKey { index: 0 })?;
    let (coin, account) = (chain.coin_type(), key.account());
    let one = |index| {
        let child = receiving.derive_child(ChildNumber(index)).map_err(|_| DeriveError::NoKey { index })?;
        let address = key_hash(child.public_key()).to_address(chain.network(), chain.environment())?;
        Ok(Derived { index, path: format!("m/84'/{coin}'/{account}'/0/{index}"), address })
    };
    (from..end).map(one).collect()
}

/// RIPEMD-160 of SHA-256 of the compressed key (BIP-141).
fn key_hash(key: &impl PublicKey) -> KeyHash {
    KeyHash::new(Ripemd160::digest(Sha256::digest(key.to_bytes())).into())
}
