//! Signing a file, on the offline machine.

use domain::{Environment, Network};
use thiserror::Error;

use crate::FORMAT;
use crate::canonical::{header_bytes, record_bytes};
use crate::chain;
use crate::check::{header_is_sound, record_fits};
use crate::day::Day;
use crate::file::AddressFile;
use crate::keys::{KeyError, SigningKey};
use crate::record::{Header, Record, SignedEntry, SignedHeader, Token};
use crate::refusal::Refusal;
use crate::segwit::AddressError;
use crate::trust::KeyRole;

/// What the operator decides about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Where the addresses will be valid.
    pub environment: Environment,
    /// The network.
    pub network: Network,
    /// Epoch of that environment and network.
    pub epoch: u32,
    /// Today in UTC.
    pub signed_on: Day,
    /// The last day, at most 90 days on.
    pub last_day: Day,
    /// Derivation index of the first address.
    pub first_index: u32,
    /// Token contracts on that network; empty for Bitcoin and Litecoin.
    pub tokens: Vec<Token>,
}

/// Why nothing was signed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SignError {
    /// The signing key is not usable.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// More addresses than a file holds.
    #[error("more addresses than one file holds")]
    TooMany,
    /// A record so signed would be refused by everyone.
    #[error("nothing was signed, because every check would refuse it: {0}")]
    Refused(#[from] Refusal),
}

/// Signs the addresses, which follow each other from `terms.first_index` on.
///
/// # Errors
/// [`SignError`]: what a check would refuse for its content is not signed in the first place.
pub fn sign_file(key: &SigningKey, terms: Terms, addresses: &[String]) -> Result<AddressFile, SignError> {
    let header = header(key, terms, addresses.len())?;
    header_is_sound(&header)?;
    let mut entries = Vec::with_capacity(addresses.len());
    for (index, address) in (header.first_index..).zip(addresses) {
        let record = Record { index, address: address.clone() };
        record_fits(&header, &record, KeyRole::Current)?;
        let signature = key.sign(&record_bytes(&header, &record));
        entries.push(SignedEntry { record, signature });
    }
    let signature = key.sign(&header_bytes(&header));
    Ok(AddressFile { header: SignedHeader { header, signature }, entries })
}

fn header(key: &SigningKey, terms: Terms, count: usize) -> Result<Header, SignError> {
    let Terms { environment, network, epoch, signed_on, last_day, first_index, tokens } = terms;
    if !chain::knows(environment) {
        return Err(Refusal::UnknownEnvironment { environment }.into());
    }
    let chain_id = chain::chain_id(environment, network)
        .ok_or(Refusal::BadAddress(AddressError::UnknownNetwork { network, environment }))?;
    Ok(Header {
        format: FORMAT,
        environment,
        network,
        chain_id,
        epoch,
        signed_on,
        last_day,
        first_index,
        count: u32::try_from(count).map_err(|_| SignError::TooMany)?,
        tokens,
        key: key.public_key()?.fingerprint(),
    })
}
