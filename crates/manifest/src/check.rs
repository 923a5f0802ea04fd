//! The check that stands between a record and a person's money.

use domain::{Environment, Network};

use crate::canonical::{header_bytes, record_bytes};
use crate::chain;
use crate::day::Day;
use crate::expectations::Expectations;
use crate::keys::Fingerprint;
use crate::record::{Header, Record, SignedHeader, SignedRecord, Token};
use crate::refusal::Refusal;
use crate::segwit::KeyHash;
use crate::trust::{KeyRole, TrustedKeys};
use crate::{FORMAT, MAX_RECORDS, MAX_TOKENS, MAX_VALIDITY_DAYS};

/// An address that passed every check. Nothing but [`check_record`] and [`crate::check_file`] makes one, and nothing changes it:
/// what a screen draws is drawn from this type only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedAddress {
    environment: Environment,
    network: Network,
    address: String,
    key_hash: KeyHash,
    index: u32,
    epoch: u32,
    last_day: Day,
    tokens: Vec<Token>,
    key: Fingerprint,
    key_role: KeyRole,
}

impl CheckedAddress {
    /// The environment.
    pub const fn environment(&self) -> Environment {
        self.environment
    }

    /// The network.
    pub const fn network(&self) -> Network {
        self.network
    }

    /// The address in its one spelling.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The output script in lower-case hex, as nodes print it.
    pub fn script_pubkey_hex(&self) -> String {
        self.key_hash.script_pubkey_hex()
    }

    /// Derivation index.
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// Epoch: the one who checks remembers the highest seen for each environment and network.
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The last UTC day on which the address may be shown.
    pub const fn last_day(&self) -> Day {
        self.last_day
    }

    /// Token contracts that the header lists.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The key that signed.
    pub const fn key(&self) -> Fingerprint {
        self.key
    }

    /// Which trusted key that is. A first [`KeyRole::Next`] retires the current one on this device.
    pub const fn key_role(&self) -> KeyRole {
        self.key_role
    }
}

/// Checks one record by itself, as the desktop does each time it draws one and the server each time it hands one out.
/// Signatures come first: nothing that an unsigned record says is believed enough to be reported.
///
/// # Errors
/// The first [`Refusal`] that applies.
pub fn check_record(
    signed: &SignedRecord,
    expected: &Expectations,
    keys: &TrustedKeys,
) -> Result<CheckedAddress, Refusal> {
    let SignedRecord { header, header_signature, record, signature } = signed;
    known_format(header)?;
    let header_message = header_bytes(header);
    let record_message = record_bytes(header, record);
    let role = keys.verify(header.key, &[(&header_message, header_signature), (&record_message, signature)])?;
    header_fits(header, expected)?;
    record_fits(header, record, role)
}

/// Checks the header of a file by itself.
pub(crate) fn check_header(signed: &SignedHeader, expected: &Expectations, keys: &TrustedKeys) -> Result<(), Refusal> {
    known_format(&signed.header)?;
    keys.verify(signed.header.key, &[(&header_bytes(&signed.header), &signed.signature)])?;
    header_fits(&signed.header, expected)
}

fn known_format(header: &Header) -> Result<(), Refusal> {
    if header.format == FORMAT { Ok(()) } else { Err(Refusal::UnknownFormat { found: header.format }) }
}

/// Whether a genuine header is the one that was asked for, and still in force.
fn header_fits(header: &Header, expected: &Expectations) -> Result<(), Refusal> {
    let (found, wanted) = (header.environment, expected.environment);
    if !chain::knows(found) {
        return Err(Refusal::UnknownEnvironment { environment: found });
    }
    if found != wanted && !faults::planted(faults::ENVIRONMENT_IGNORED) {
        return Err(Refusal::WrongEnvironment { expected: wanted, found });
    }
    if header.network != expected.network && !faults::planted(faults::NETWORK_IGNORED) {
        return Err(Refusal::WrongNetwork { expected: expected.network, found: header.network });
    }
    if header.chain_id != expected.chain_id && !faults::planted(faults::CHAIN_IGNORED) {
        return Err(Refusal::WrongChain { expected: expected.chain_id.clone(), found: header.chain_id.clone() });
    }
    header_is_sound(header)?;
    if header.last_day < expected.today && !faults::planted(faults::LAST_DAY_IGNORED) {
        return Err(Refusal::PastLastDay { last_day: header.last_day, today: expected.today });
    }
    if header.epoch < expected.epoch_floor && !faults::planted(faults::EPOCH_IGNORED) {
        return Err(Refusal::EpochBelowFloor { found: header.epoch, floor: expected.epoch_floor });
    }
    Ok(())
}

/// Whether a header's fields agree with each other: the signer checks the same before signing.
pub(crate) fn header_is_sound(header: &Header) -> Result<(), Refusal> {
    let (signed_on, last_day) = (header.signed_on, header.last_day);
    if last_day.days() - signed_on.days() > MAX_VALIDITY_DAYS {
        return Err(Refusal::ValidTooLong { signed_on, last_day });
    }
    let bad = |detail: &str| Err(Refusal::BadFormat { detail: detail.into() });
    if last_day < signed_on {
        return bad("the last day comes before the day of signing");
    }
    if header.count == 0 || header.count > MAX_RECORDS {
        return bad("the number of records is out of range");
    }
    // Hardened indexes begin at 2^31 and can't be derived from a public key (BIP-32).
    if header.first_index.checked_add(header.count - 1).is_none_or(|last| last >= 1 << 31) {
        return bad("the indexes are out of range");
    }
    if header.tokens.len() > MAX_TOKENS {
        return bad("too many token contracts");
    }
    let strange = |token: &Token| {
        token.method.network() != header.network
            || matches!(header.network, Network::Bitcoin | Network::Litecoin)
            || token.decimals != token.method.decimals()
    };
    if header.tokens.iter().any(strange) {
        return bad("a token contract does not belong to the network, or has other decimals");
    }
    Ok(())
}

/// The last step: whether a genuine record holds an address that can be paid.
pub(crate) fn record_fits(header: &Header, record: &Record, key_role: KeyRole) -> Result<CheckedAddress, Refusal> {
    if record.index.checked_sub(header.first_index).is_none_or(|position| position >= header.count) {
        return Err(Refusal::BadFormat { detail: "the index is outside the header's range".into() });
    }
    let key_hash = KeyHash::from_address(&record.address, header.network, header.environment)?;
    Ok(CheckedAddress {
        environment: header.environment,
        network: header.network,
        address: record.address.clone(),
        key_hash,
        index: record.index,
        epoch: header.epoch,
        last_day: header.last_day,
        tokens: header.tokens.clone(),
        key: header.key,
        key_role,
    })
}
