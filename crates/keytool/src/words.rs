//! From words (BIP-39) to an account key (BIP-84). Words are read from standard input only: a command line is seen by others.

use std::io::{self, BufRead};

use bip32::{ChildNumber, XPrv};
use bip39::{Language, Mnemonic};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::account_key::AccountKey;
use crate::chain::Chain;

/// Longest line read, in bytes: 24 words have at most 215.
const MAX_LINE_BYTES: usize = 4096;

/// Why words give no account key. No message repeats a word.
#[derive(Debug, Error)]
pub enum WordsError {
    /// Words given on the command line.
    #[error("words are read from standard input only, where no other program sees them: write `--words -`")]
    NotOnCommandLine,
    /// The number of words.
    #[error("{found} words were given; a wallet's backup has 12, 15, 18, 21 or 24")]
    Count {
        /// Words found.
        found: usize,
    },
    /// A word that the English list doesn't have.
    #[error("word {position} is not in the English list of BIP-39")]
    Unknown {
        /// Its position, from 1.
        position: usize,
    },
    /// The checksum over all words.
    #[error("the words' checksum does not match: a word is wrong or out of order, or the backup is not one of BIP-39")]
    Checksum,
    /// No line, or one that is far too long.
    #[error("{0} could not be read from standard input")]
    Missing(&'static str),
    /// Reading failed.
    #[error("standard input: {0}")]
    Input(#[from] io::Error),
    /// The derivation failed, which happens to one seed in 2^127.
    #[error("these words give no account key (BIP-32)")]
    NoKey,
}

/// Reads one line without its line break.
fn line(input: &mut dyn BufRead, what: &'static str) -> Result<Zeroizing<String>, WordsError> {
    // Room for the longest line from the start: growing would leave copies behind.
    let mut text = Zeroizing::new(String::with_capacity(MAX_LINE_BYTES));
    let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
    let read = io::Read::take(&mut *input, limit).read_line(&mut text)?;
    if read == 0 || read == MAX_LINE_BYTES {
        return Err(WordsError::Missing(what));
    }
    let kept = text.trim_end_matches(['\r', '\n']).len();
    text.truncate(kept);
    Ok(text)
}

/// Reads the words' line, then, if asked for, the passphrase's line, which is taken as it stands, spaces included.
///
/// # Errors
/// [`WordsError`].
pub fn read_account(input: &mut dyn BufRead, passphrase: bool, chain: Chain) -> Result<AccountKey, WordsError> {
    let words = line(input, "a line of words")?;
    let passphrase = if passphrase { line(input, "a line with the passphrase")? } else { Zeroizing::default() };
    account_from_words(&words, &passphrase, chain)
}

/// The account key at `m/84'/coin'/0'`.
///
/// # Errors
/// [`WordsError`].
pub fn account_from_words(words: &str, passphrase: &str, chain: Chain) -> Result<AccountKey, WordsError> {
    let lower = Zeroizing::new(words.to_lowercase());
    let mnemonic = Mnemonic::parse_in(Language::English, lower.as_str()).map_err(|error| match error {
        bip39::Error::BadWordCount(found) => WordsError::Count { found },
        bip39::Error::UnknownWord(at) => WordsError::Unknown { position: at + 1 },
        _ => WordsError::Checksum,
    })?;
    let seed = Zeroizing::new(mnemonic.to_seed(passphrase));
    let path = [84, chain.coin_type(), 0].map(|step| ChildNumber(step | ChildNumber::HARDENED_FLAG));
    let root = XPrv::new(&seed[..]).map_err(|_| WordsError::NoKey)?;
    let account = path.into_iter().try_fold(root, |key, step| key.derive_child(step)).map_err(|_| WordsError::NoKey)?;
    Ok(AccountKey::new(account.public_key(), 0))
}
