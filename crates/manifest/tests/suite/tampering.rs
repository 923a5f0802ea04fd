//! Ten thousand records that a breached server might hand out; not one may be shown. The fault that this test exists for
//! (a client that accepts any key) is planted in a process of its own, where the same test must fail.

use std::process::Command;

use manifest::{SignedRecord, SigningKey, Terms, check_record};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::*;

const PAYLOADS: usize = 10_000;

/// One way to tamper.
#[derive(Clone, Debug)]
enum Tampering {
    /// Flip one bit of the wire form.
    Bit { at: prop::sample::Index, bit: u8 },
    /// Put the attacker's address in, keep the signatures.
    Address { number: u8 },
    /// Change a number or a day.
    Field { which: u8, by: u32 },
    /// Take the signature of another genuine record.
    SwapSignature { with: usize },
    /// Sign all of it with the attacker's own key, named honestly or as the owner's.
    Resign { seed: u8, number: u8, pose_as_owner: bool },
}

fn tampering() -> impl Strategy<Value = Tampering> {
    prop_oneof![
        (any::<prop::sample::Index>(), 0u8..8).prop_map(|(at, bit)| Tampering::Bit { at, bit }),
        (10u8..255).prop_map(|number| Tampering::Address { number }),
        (0u8..6, 1u32..9999).prop_map(|(which, by)| Tampering::Field { which, by }),
        (1usize..5).prop_map(|with| Tampering::SwapSignature { with }),
        (2u8..255, 10u8..255, any::<bool>()).prop_map(|(seed, number, pose_as_owner)| Tampering::Resign {
            seed,
            number,
            pose_as_owner
        }),
    ]
}

fn change_field(record: &mut SignedRecord, which: u8, by: u32) {
    let days = u16::try_from(by % 60 + 1).unwrap();
    match which {
        0 => record.header.epoch += by,
        1 => record.header.signed_on = record.header.signed_on.plus_days(days),
        2 => record.header.last_day = record.header.last_day.plus_days(days),
        3 => record.header.count += by,
        4 => record.record.index += by,
        _ => record.header.first_index -= by % 100 + 1,
    }
}

fn resign(record: &mut SignedRecord, seed: u8, pose_as_owner: bool) {
    let named = if pose_as_owner { public(1) } else { public(seed) };
    record.header.key = named.fingerprint();
    sign_anyway(record, seed);
}

/// The wire form after tampering; `None` where a flipped bit left no text.
fn tampered(genuine: &[SignedRecord], kind: &Tampering) -> Option<String> {
    let mut record = genuine[0].clone();
    match kind {
        Tampering::Bit { at, bit } => {
            let mut bytes = record.to_line().unwrap().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            return String::from_utf8(bytes).ok();
        }
        Tampering::Address { number } => record.record.address = address(*number),
        Tampering::Field { which, by } => change_field(&mut record, *which, *by),
        Tampering::SwapSignature { with } => record.signature = genuine[*with].signature,
        Tampering::Resign { seed, number, pose_as_owner } => {
            record.record.address = address(*number);
            resign(&mut record, *seed, *pose_as_owner);
        }
    }
    Some(record.to_line().unwrap())
}

#[test]
fn of_ten_thousand_tampered_records_none_is_shown() {
    let owner: SigningKey = key(1);
    let file = file_under(&owner, Terms { epoch: 3, ..terms() }, 5);
    let genuine: Vec<SignedRecord> = file.entries.iter().map(|entry| file.record(entry)).collect();
    let shown = |line: &str| {
        SignedRecord::from_line(line).and_then(|record| check_record(&record, &expected(), &trusted())).is_ok()
    };
    assert!(shown(&genuine[0].to_line().unwrap()), "the same harness sees the genuine record's address");
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (mut tried, mut accepted) = (0, 0);
    while tried < PAYLOADS {
        let kind = tampering().new_tree(&mut runner).unwrap().current();
        let Some(line) = tampered(&genuine, &kind) else { continue };
        tried += 1;
        accepted += usize::from(shown(&line));
    }
    println!("accepted {accepted} of {tried} tampered records");
    assert_eq!(accepted, 0);
}

#[test]
fn a_client_that_accepts_any_key_is_caught() {
    let run = |faults: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tampering::of_ten_thousand_tampered_records_none_is_shown", "--nocapture"])
            .env("KERNODECK_FAULTS", faults)
            .output()
            .unwrap()
    };
    let (sound, faulty) = (run(""), run(faults::ANY_KEY));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(sound.status.success(), "{}", text(&sound.stdout));
    assert!(text(&sound.stdout).contains("accepted 0 of 10000 tampered records"));
    assert!(!faulty.status.success(), "the planted fault went unnoticed");
    assert!(text(&faulty.stdout).contains("of 10000 tampered records"), "{}", text(&faulty.stdout));
}
