//! The bytes that are signed.
//!
//! A first line names what follows and its version, so that a header's signature is never one over a record. Each field is then
//! `name=length:value` and a newline, in a fixed order. The length (of the value, in bytes) says where a value ends, whatever it
//! holds: two different contents never share their bytes, and JSON's many spellings have no part in it.

use std::fmt::Display;

use sha2::{Digest, Sha256};

use crate::record::{Header, Record};

/// The line before a header's fields.
const HEADER_DOMAIN: &str = "kernodeck address file header 1\n";
/// The line before a record's fields.
const RECORD_DOMAIN: &str = "kernodeck address record 1\n";

fn field(bytes: &mut String, name: &str, value: impl Display) {
    let value = value.to_string();
    bytes.push_str(&format!("{name}={}:{value}\n", value.len()));
}

/// The bytes that the header's signature is over.
pub fn header_bytes(header: &Header) -> Vec<u8> {
    let mut bytes = String::from(HEADER_DOMAIN);
    field(&mut bytes, "format", header.format);
    field(&mut bytes, "environment", header.environment.code());
    field(&mut bytes, "network", header.network.code());
    field(&mut bytes, "chain_id", &header.chain_id);
    field(&mut bytes, "epoch", header.epoch);
    field(&mut bytes, "signed_on", header.signed_on);
    field(&mut bytes, "last_day", header.last_day);
    field(&mut bytes, "first_index", header.first_index);
    field(&mut bytes, "count", header.count);
    field(&mut bytes, "tokens", header.tokens.len());
    for token in &header.tokens {
        field(&mut bytes, "method", token.method.code());
        field(&mut bytes, "contract", &token.contract);
        field(&mut bytes, "decimals", token.decimals);
    }
    field(&mut bytes, "key", header.key.to_hex());
    bytes.into_bytes()
}

/// SHA-256 of [`header_bytes`]: what binds a record to its file.
pub fn header_hash(header: &Header) -> [u8; 32] {
    Sha256::digest(header_bytes(header)).into()
}

/// The bytes that a record's signature is over: all that a record means, and the hash of its header.
pub fn record_bytes(header: &Header, record: &Record) -> Vec<u8> {
    let mut bytes = String::from(RECORD_DOMAIN);
    field(&mut bytes, "format", header.format);
    field(&mut bytes, "environment", header.environment.code());
    field(&mut bytes, "network", header.network.code());
    field(&mut bytes, "chain_id", &header.chain_id);
    field(&mut bytes, "index", record.index);
    field(&mut bytes, "address", &record.address);
    field(&mut bytes, "epoch", header.epoch);
    field(&mut bytes, "last_day", header.last_day);
    field(&mut bytes, "header", hex::encode(header_hash(header)));
    bytes.into_bytes()
}
