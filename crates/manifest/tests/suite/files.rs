//! A file is taken whole or not at all.

use manifest::{AddressFile, FileError, FileReport, Problem, Refusal, SignedEntry, check_file};

use crate::support::*;

fn problems(file: &AddressFile) -> Vec<Problem> {
    let checked = check_file(&file.to_text().unwrap(), &expected(), &trusted());
    checked.err().map(|FileReport { problems }| problems).unwrap_or_default()
}

#[test]
fn a_good_file_gives_every_record_with_what_is_needed_to_check_it_again() {
    let file = file(20);
    let checked = check_file(&file.to_text().unwrap(), &expected(), &trusted()).unwrap();
    assert_eq!(checked.records().count(), 20);
    for (number, (address_checked, record)) in (1..).zip(checked.records()) {
        assert_eq!(address_checked.address(), address(number));
        let line = record.to_line().unwrap();
        let again = manifest::SignedRecord::from_line(&line).unwrap();
        assert_eq!(manifest::check_record(&again, &expected(), &trusted()).as_ref(), Ok(address_checked));
    }
}

#[test]
fn every_bad_record_is_named_and_no_good_one_is_taken() {
    let mut file = file(5);
    file.entries[1].record.address = address(77);
    file.entries[3].signature = file.entries[2].signature;
    let refusal = Refusal::BadSignature;
    let bad = |number| Problem::Record { number, refusal: refusal.clone() };
    assert_eq!(problems(&file), [bad(2), bad(4)]);
}

/// A record lifted from another genuine file of the same key is bound to that file's header.
#[test]
fn a_record_of_another_file_is_refused() {
    let mut file = file(3);
    let mut other_terms = terms();
    other_terms.epoch = 4;
    file.entries[0] = file_under(&key(1), other_terms, 3).entries[0].clone();
    assert_eq!(problems(&file), [Problem::Record { number: 1, refusal: Refusal::BadSignature }]);
}

#[test]
fn one_address_for_two_payments_is_refused() {
    let twice = manifest::sign_file(&key(1), terms(), &[address(1), address(2), address(1)]).unwrap();
    assert_eq!(problems(&twice), [Problem::DuplicateAddress { number: 3 }]);
    let mut repeated = file(3);
    repeated.entries[2] = repeated.entries[0].clone();
    assert_eq!(
        problems(&repeated),
        [Problem::DuplicateIndex { number: 3, index: 100 }, Problem::DuplicateAddress { number: 3 }]
    );
}

#[test]
fn missing_records_are_noticed() {
    let mut short = file(3);
    short.entries.pop();
    assert_eq!(problems(&short), [Problem::Count { said: 3, found: 2 }]);
    let text = file(3).to_text().unwrap();
    let cut = &text[..text.len() - 1];
    let refused = check_file(cut, &expected(), &trusted()).unwrap_err();
    assert_eq!(refused.problems, [Problem::Unreadable(FileError::CutOff)]);
    for length in (0..text.len()).step_by(7) {
        assert!(check_file(&text[..length], &expected(), &trusted()).is_err(), "cut at {length}");
    }
}

#[test]
fn a_changed_header_refuses_the_file_before_its_records() {
    let mut longer = file(3);
    longer.header.header.last_day = day("2027-02-01");
    assert_eq!(problems(&longer), [Problem::Header(Refusal::BadSignature)]);
}

#[test]
fn a_file_from_a_clock_that_runs_ahead_is_refused_at_import() {
    let mut early = terms();
    early.signed_on = day("2026-12-25");
    let file = file_under(&key(1), early, 1);
    assert_eq!(problems(&file), [Problem::SignedInTheFuture { signed_on: day("2026-12-25") }]);
}

#[test]
fn lines_and_files_have_a_limit() {
    let mut file = file(1);
    file.entries = vec![SignedEntry {
        record: manifest::Record { index: 100, address: "a".repeat(600) },
        ..file.entries[0].clone()
    }];
    let refused = AddressFile::parse(&file.to_text().unwrap()).unwrap_err();
    assert!(matches!(refused, FileError::Line { line: 2, .. }));
    let huge = "x".repeat(manifest::file::MAX_FILE_BYTES + 1);
    assert_eq!(AddressFile::parse(&huge).err(), Some(FileError::TooLong));
}
