//! The example of `docs/ADDRESS_FILES.md`: other programs are written against these bytes, so they don't change.

use manifest::canonical::{header_bytes, record_bytes};
use manifest::{AddressFile, check_file};

use crate::support::*;

const EXAMPLE: &str = include_str!("../fixtures/example.addresses");
const HEADER_BYTES: &str = include_str!("../fixtures/example.header.txt");
const RECORD_BYTES: &str = include_str!("../fixtures/example.record.txt");
const DOCUMENT: &str = include_str!("../../../../docs/ADDRESS_FILES.md");

#[test]
fn the_documented_example_is_what_this_crate_writes_and_takes() {
    let file = file(2);
    assert_eq!(file.to_text().as_deref(), Ok(EXAMPLE));
    let header = &file.header.header;
    assert_eq!(header_bytes(header), HEADER_BYTES.as_bytes());
    assert_eq!(record_bytes(header, &file.entries[0].record), RECORD_BYTES.as_bytes());
    assert!(check_file(EXAMPLE, &expected(), &trusted()).is_ok());
    assert_eq!(AddressFile::parse(EXAMPLE), Ok(file));
}

#[test]
fn the_document_shows_that_example() {
    for part in [EXAMPLE, HEADER_BYTES, RECORD_BYTES, &public(1).to_hex(), &public(1).fingerprint().to_string()] {
        assert!(DOCUMENT.contains(part), "missing from the document:\n{part}");
    }
}
