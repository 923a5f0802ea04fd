//! What a signature binds: every field, in one reading only.

use domain::{Environment, Method, Network};
use manifest::canonical::{header_bytes, record_bytes};
use manifest::{Day, Header, PublicKey, Record, Signature, Token, check_record};
use proptest::prelude::*;

use crate::support::*;

/// Strings that try to look like the end of a field and the start of the next.
fn sly_text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9]{0,8}", "[=:\n0-9a-z]{0,40}", Just("x\nepoch=1:9\n".to_string()), Just("ü\0\n".to_string()),]
}

fn token() -> impl Strategy<Value = Token> {
    (prop::sample::select(Method::ALL.to_vec()), sly_text(), 0u32..20).prop_map(|(method, contract, decimals)| Token {
        method,
        contract,
        decimals,
    })
}

prop_compose! {
    fn header()(
        (format, environment, network) in (
            any::<u32>(),
            prop::sample::select(Environment::ALL.to_vec()),
            prop::sample::select(Network::ALL.to_vec()),
        ),
        chain_id in sly_text(),
        (epoch, signed_on, last_day) in (any::<u32>(), 0i32..2_000_000, 0i32..2_000_000),
        (first_index, count) in any::<(u32, u32)>(),
        tokens in prop::collection::vec(token(), 0..4),
        seed in 0u8..4,
    ) -> Header {
        let day = |days| Day::from_days(days).unwrap();
        Header {
            format, environment, network, chain_id, epoch, signed_on: day(signed_on), last_day: day(last_day),
            first_index, count, tokens, key: public(seed).fingerprint(),
        }
    }
}

/// Reads signed bytes back, by lengths alone. That this can be done is why two contents never share their bytes.
fn fields(bytes: &[u8]) -> Vec<(String, String)> {
    let text = std::str::from_utf8(bytes).unwrap();
    let (_, mut rest) = text.split_once('\n').unwrap();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').unwrap();
        let (length, after) = after.split_once(':').unwrap();
        let (value, after) = after.split_at(length.parse().unwrap());
        rest = after.strip_prefix('\n').unwrap();
        found.push((name.to_string(), value.to_string()));
    }
    found
}

fn values(bytes: &[u8]) -> Vec<String> {
    fields(bytes).into_iter().map(|(_, value)| value).collect()
}

fn header_values(header: &Header) -> Vec<String> {
    let mut values = vec![
        header.format.to_string(),
        header.environment.code().into(),
        header.network.code().into(),
        header.chain_id.clone(),
        header.epoch.to_string(),
        header.signed_on.to_string(),
        header.last_day.to_string(),
        header.first_index.to_string(),
        header.count.to_string(),
        header.tokens.len().to_string(),
    ];
    for Token { method, contract, decimals } in &header.tokens {
        values.extend([method.code().into(), contract.clone(), decimals.to_string()]);
    }
    values.push(header.key.to_hex());
    values
}

proptest! {
    #[test]
    fn signed_bytes_read_back_as_exactly_what_was_signed(header in header(), index: u32, address in sly_text()) {
        prop_assert_eq!(values(&header_bytes(&header)), header_values(&header));
        let record = Record { index, address };
        let found = fields(&record_bytes(&header, &record));
        let value = |name: &str| found.iter().find(|field| field.0 == name).map(|field| field.1.clone());
        prop_assert_eq!(value("index"), Some(index.to_string()));
        prop_assert_eq!(value("address"), Some(record.address.clone()));
        prop_assert_eq!(found.len(), 9);
    }

    #[test]
    fn different_contents_never_share_their_bytes(one in header(), other in header(), index in 0u32..3, address in sly_text()) {
        prop_assert_eq!(one == other, header_bytes(&one) == header_bytes(&other));
        let record = Record { index, address };
        prop_assert_eq!(one == other, record_bytes(&one, &record) == record_bytes(&other, &record));
        let moved = Record { index: index + 1, address: record.address.clone() };
        prop_assert_ne!(record_bytes(&one, &record), record_bytes(&one, &moved));
        prop_assert_ne!(header_bytes(&one), record_bytes(&one, &record));
    }

    #[test]
    fn no_bit_of_either_signature_can_be_flipped(byte in 0usize..64, bit in 0u8..8, of_header: bool) {
        let mut record = first(&file(1));
        let target = if of_header { &mut record.header_signature } else { &mut record.signature };
        let mut bytes = *target.bytes();
        bytes[byte] ^= 1 << bit;
        *target = Signature::from_bytes(bytes);
        prop_assert_eq!(check_record(&record, &expected(), &trusted()).err(), Some(manifest::Refusal::BadSignature));
    }
}

/// Every single bit of the wire form, one after the other: none can be flipped, not even the case of a hex digit.
#[test]
fn no_bit_of_the_wire_form_can_be_flipped() {
    let line = first(&file(1)).to_line().unwrap();
    for at in 0..line.len() {
        for bit in 0..8 {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let read = manifest::SignedRecord::from_line(&text);
            let accepted = read.is_ok_and(|record| check_record(&record, &expected(), &trusted()).is_ok());
            assert!(!accepted, "byte {at} bit {bit}: {text}");
        }
    }
}

/// The same signature with the group's order added to its second half: valid to a lenient verifier (RFC 8032, 8.4).
#[test]
fn a_signature_has_no_second_spelling() {
    const ORDER: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let mut record = first(&file(1));
    let mut bytes = *record.signature.bytes();
    let mut carry = 0u16;
    for (at, add) in ORDER.into_iter().enumerate() {
        let sum = u16::from(bytes[32 + at]) + u16::from(add) + carry;
        bytes[32 + at] = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    assert_eq!(carry, 0);
    record.signature = Signature::from_bytes(bytes);
    assert_eq!(check_record(&record, &expected(), &trusted()).err(), Some(manifest::Refusal::BadSignature));
}

/// Under a key of small order one signature fits many messages.
#[test]
fn keys_under_which_a_signature_proves_nothing_are_no_keys() {
    let small_order = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        // The point of order one, spelled a second time with its value beyond the field.
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ];
    for text in small_order {
        assert!(PublicKey::from_hex(text).is_err(), "{text}");
    }
    assert!(PublicKey::from_hex(&public(1).to_hex()).is_ok());
    assert!(PublicKey::from_hex(&public(1).to_hex().to_uppercase()).is_err());
}
