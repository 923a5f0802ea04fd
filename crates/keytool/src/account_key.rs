//! Reading an account key, and saying in a sentence why one is refused. No message repeats the key.

use bip32::secp256k1::ecdsa::VerifyingKey;
use bip32::{ChildNumber, ExtendedKeyAttrs, PublicKey, XPub};
use thiserror::Error;

use crate::chain::Chain;
use crate::prefix::{Kind, Prefix};

/// Bytes of an extended key without its checksum (BIP-32).
const KEY_BYTES: usize = 78;
/// Bytes of the checksum.
const CHECKSUM_BYTES: usize = 4;
/// Depth of an account key: purpose, coin, account (BIP-44).
const ACCOUNT_DEPTH: u8 = 3;

/// Why a text is no account key to derive addresses from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AccountKeyError {
    /// Begins like no extended key.
    #[error("this is not an account key: it should begin with {expected}")]
    UnknownPrefix {
        /// Prefixes that the chain takes.
        expected: &'static str,
    },
    /// A private key.
    #[error(
        "this is a private key ({prefix}): whoever sees it can spend the coins. Give the account's public key ({expected}); \
         if the private one was typed on a machine that others can reach, move its coins"
    )]
    Private {
        /// Its prefix.
        prefix: &'static str,
        /// Prefixes that the chain takes.
        expected: &'static str,
    },
    /// A multisig key.
    #[error(
        "this is one key of a multisig wallet ({prefix}): alone it gives addresses that the wallet does not know. \
         Give the public key of a single-signature native segwit account ({expected})"
    )]
    Multisig {
        /// Its prefix.
        prefix: &'static str,
        /// Prefixes that the chain takes.
        expected: &'static str,
    },
    /// A key for other addresses.
    #[error(
        "this key ({prefix}) belongs to {script} addresses: the wallet would not find payments to native segwit ones. \
         Create a native segwit account and give its public key ({expected})"
    )]
    WrongScript {
        /// Its prefix.
        prefix: &'static str,
        /// What the prefix stands for.
        script: &'static str,
        /// Prefixes that the chain takes.
        expected: &'static str,
    },
    /// A key for the main networks where a test network's is asked for, or the reverse.
    #[error("this key ({prefix}) is for {found}; {chain} takes {expected}")]
    WrongNetwork {
        /// Its prefix.
        prefix: &'static str,
        /// What the prefix stands for.
        found: &'static str,
        /// The chain asked for.
        chain: &'static str,
        /// Prefixes that the chain takes.
        expected: &'static str,
    },
    /// A character that base58 doesn't have.
    #[error("the key holds a character that no key has (position {position}): was it typed by hand?")]
    BadCharacter {
        /// Position of the character, from 1.
        position: usize,
    },
    /// Too short or too long.
    #[error("the key is {} bytes long instead of {KEY_BYTES}: was it cut off when copying?", found)]
    WrongLength {
        /// Bytes found, without checksum.
        found: usize,
    },
    /// A typing mistake.
    #[error("the key's checksum does not match: one or more characters are wrong")]
    BadChecksum,
    /// Not an account's key.
    #[error(
        "this key stands at depth {found} of its wallet, and an account key stands at depth {ACCOUNT_DEPTH} \
         (purpose, coin, account): the wallet would look for payments elsewhere"
    )]
    WrongDepth {
        /// Depth found.
        found: u8,
    },
    /// The last step of the path is not hardened.
    #[error("this key is not an account's: the last step of its path is not hardened")]
    NotHardened,
    /// No point of the curve.
    #[error("the key holds no valid public key")]
    NotOnCurve,
}

/// The public key of one account: it derives addresses and can spend nothing.
#[derive(Clone, Debug)]
pub struct AccountKey {
    key: XPub,
    account: u32,
}

impl AccountKey {
    /// Reads the text that a wallet shows. Neither coin nor, for xpub and tpub, script type can be told from it (Litecoin wallets
    /// write Bitcoin's zpub): that is why the first three addresses are compared with the wallet before anything is signed.
    ///
    /// # Errors
    /// [`AccountKeyError`], the most dangerous mistake first: a damaged private key is still called private.
    pub fn parse(text: &str, chain: Chain) -> Result<Self, AccountKeyError> {
        let text = text.trim();
        let prefix = Prefix::of(text).ok_or(AccountKeyError::UnknownPrefix { expected: expected(chain) })?;
        usable(prefix, chain)?;
        let bytes = decode(text)?;
        if bytes[..4] != prefix.version {
            return Err(AccountKeyError::UnknownPrefix { expected: expected(chain) });
        }
        Self::from_payload(&bytes)
    }

    /// From the key at `m/84'/coin'/account'`.
    pub(crate) const fn new(key: XPub, account: u32) -> Self {
        Self { key, account }
    }

    fn from_payload(bytes: &[u8; KEY_BYTES]) -> Result<Self, AccountKeyError> {
        let depth = bytes[4];
        if depth != ACCOUNT_DEPTH {
            return Err(AccountKeyError::WrongDepth { found: depth });
        }
        let child_number = ChildNumber::from_bytes(part(bytes, 9));
        if !child_number.is_hardened() {
            return Err(AccountKeyError::NotHardened);
        }
        let attrs =
            ExtendedKeyAttrs { depth, parent_fingerprint: part(bytes, 5), child_number, chain_code: part(bytes, 13) };
        let written: [u8; 33] = part(bytes, 45);
        let point: VerifyingKey = PublicKey::from_bytes(written).map_err(|_| AccountKeyError::NotOnCurve)?;
        // The curve library also reads «compact» points, which no wallet writes in an extended key.
        if point.to_bytes() != written {
            return Err(AccountKeyError::NotOnCurve);
        }
        Ok(Self { key: XPub::new(point, attrs), account: child_number.index() })
    }

    /// The extended public key.
    pub const fn key(&self) -> &XPub {
        &self.key
    }

    /// The account's number.
    pub const fn account(&self) -> u32 {
        self.account
    }
}

/// The `N` bytes from `start` on; every caller's range lies within the key.
fn part<const N: usize>(bytes: &[u8; KEY_BYTES], start: usize) -> [u8; N] {
    std::array::from_fn(|at| bytes[start + at])
}

/// The public prefixes that the chain takes, for sentences.
const fn expected(chain: Chain) -> &'static str {
    if chain.is_main() { "zpub or xpub" } else { "vpub or tpub" }
}

fn usable(Prefix { text: prefix, kind, .. }: Prefix, chain: Chain) -> Result<(), AccountKeyError> {
    let expected = expected(chain);
    match kind {
        Kind::Usable { main } if main == chain.is_main() => Ok(()),
        Kind::Usable { main } => {
            let found = if main { "the main networks" } else { "test networks" };
            Err(AccountKeyError::WrongNetwork { prefix, found, chain: chain.name(), expected })
        }
        Kind::Private => Err(AccountKeyError::Private { prefix, expected }),
        Kind::Multisig => Err(AccountKeyError::Multisig { prefix, expected }),
        Kind::NestedSegwit => Err(AccountKeyError::WrongScript { prefix, script: "P2SH-segwit", expected }),
        Kind::Legacy => Err(AccountKeyError::WrongScript { prefix, script: "legacy", expected }),
    }
}

/// The bytes behind base58check. Length is looked at before the checksum: a key that was cut off has no checksum to speak of.
fn decode(text: &str) -> Result<[u8; KEY_BYTES], AccountKeyError> {
    let bytes = bs58::decode(text).into_vec().map_err(|error| match error {
        bs58::decode::Error::InvalidCharacter { index, .. } | bs58::decode::Error::NonAsciiCharacter { index } => {
            AccountKeyError::BadCharacter { position: index + 1 }
        }
        _ => AccountKeyError::BadChecksum,
    })?;
    if bytes.len() != KEY_BYTES + CHECKSUM_BYTES {
        return Err(AccountKeyError::WrongLength { found: bytes.len().saturating_sub(CHECKSUM_BYTES) });
    }
    let checked = bs58::decode(text).with_check(None).into_vec().map_err(|_| AccountKeyError::BadChecksum)?;
    <[u8; KEY_BYTES]>::try_from(checked).map_err(|_| AccountKeyError::BadChecksum)
}
