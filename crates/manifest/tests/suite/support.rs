//! A signing key, a file and the expectations that it meets.

use domain::{Environment, Network};
use manifest::canonical::{header_bytes, record_bytes};
use manifest::{
    AddressFile, Day, Expectations, KeyHash, PublicKey, Signature, SignedRecord, SigningKey, Terms, TrustedKeys,
    sign_file,
};

pub const NETWORK: Network = Network::Litecoin;
pub const ENVIRONMENT: Environment = Environment::Production;

pub fn day(text: &str) -> Day {
    text.parse().unwrap()
}

pub fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed(&[seed; 32])
}

pub fn public(seed: u8) -> PublicKey {
    key(seed).public_key().unwrap()
}

/// The owner's key, and no next one.
pub fn trusted() -> TrustedKeys {
    TrustedKeys::new(public(1), None)
}

pub fn address(number: u8) -> String {
    KeyHash::new([number; 20]).to_address(NETWORK, ENVIRONMENT).unwrap()
}

pub fn terms() -> Terms {
    Terms {
        environment: ENVIRONMENT,
        network: NETWORK,
        epoch: 3,
        signed_on: day("2026-12-01"),
        last_day: day("2027-03-01"),
        first_index: 100,
        tokens: Vec::new(),
    }
}

pub fn expected() -> Expectations {
    Expectations::new(ENVIRONMENT, NETWORK, day("2026-12-24"), 3).unwrap()
}

/// A file of addresses 1, 2, 3 … at indexes 100, 101, 102 …
pub fn file_under(key: &SigningKey, terms: Terms, count: u8) -> AddressFile {
    let addresses: Vec<String> = (1..=count).map(address).collect();
    sign_file(key, terms, &addresses).unwrap()
}

pub fn file(count: u8) -> AddressFile {
    file_under(&key(1), terms(), count)
}

/// The first record of a file.
pub fn first(file: &AddressFile) -> SignedRecord {
    file.record(&file.entries[0])
}

/// Signs whatever the record says with the key of that seed: a signing program that was patched to check nothing.
pub fn sign_anyway(record: &mut SignedRecord, seed: u8) {
    let key = ed25519_dalek::SigningKey::from_bytes(&[seed; 32]);
    let sign = |bytes: Vec<u8>| Signature::from_bytes(ed25519_dalek::Signer::sign(&key, &bytes).to_bytes());
    record.header_signature = sign(header_bytes(&record.header));
    record.signature = sign(record_bytes(&record.header, &record.record));
}
