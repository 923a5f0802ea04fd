//! Checking a whole file before any of it is taken.

use std::collections::HashSet;

use thiserror::Error;

use crate::canonical::record_bytes;
use crate::check::{CheckedAddress, check_header, record_fits};
use crate::expectations::Expectations;
use crate::file::{AddressFile, FileError};
use crate::record::{Header, SignedEntry, SignedRecord};
use crate::refusal::Refusal;
use crate::trust::TrustedKeys;

/// What is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The text is no address file.
    #[error(transparent)]
    Unreadable(#[from] FileError),
    /// The header is refused, and with it every record.
    #[error("header: {0}")]
    Header(Refusal),
    /// Signed tomorrow or later: the offline machine's clock is wrong, and so would be the last day.
    #[error("header: signed on {signed_on}, which is after today")]
    SignedInTheFuture {
        /// The day of signing.
        signed_on: crate::Day,
    },
    /// Records are missing or too many.
    #[error("the header says {said} records, the file holds {found}")]
    Count {
        /// What the header says.
        said: u32,
        /// What the file holds.
        found: usize,
    },
    /// One record is refused.
    #[error("record {number}: {refusal}")]
    Record {
        /// The record's number in the file, from 1.
        number: usize,
        /// Why.
        refusal: Refusal,
    },
    /// An index that an earlier record has.
    #[error("record {number}: index {index} is there twice")]
    DuplicateIndex {
        /// The later record's number in the file, from 1.
        number: usize,
        /// The index.
        index: u32,
    },
    /// An address that an earlier record has: two customers would pay to one address.
    #[error("record {number}: its address is there twice")]
    DuplicateAddress {
        /// The later record's number in the file, from 1.
        number: usize,
    },
}

/// Everything that is wrong in a refused file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the address file is refused: {} problem(s), the first: {}", problems.len(), problems.first().map(ToString::to_string).unwrap_or_default())]
pub struct FileReport {
    /// At least one, in the file's order.
    pub problems: Vec<Problem>,
}

/// A file of which every record passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedFile {
    file: AddressFile,
    addresses: Vec<CheckedAddress>,
}

impl CheckedFile {
    /// The header.
    pub const fn header(&self) -> &Header {
        &self.file.header.header
    }

    /// Each checked address with the record to hand out with it.
    pub fn records(&self) -> impl Iterator<Item = (&CheckedAddress, SignedRecord)> {
        self.addresses.iter().zip(&self.file.entries).map(|(address, entry)| (address, self.file.record(entry)))
    }

    /// The checked addresses in the file's order.
    pub fn addresses(&self) -> &[CheckedAddress] {
        &self.addresses
    }
}

/// Checks the header and every record. One refused record refuses the file: a half-imported file helps nobody find out which half.
///
/// # Errors
/// All problems found, in the file's order.
pub fn check_file(text: &str, expected: &Expectations, keys: &TrustedKeys) -> Result<CheckedFile, FileReport> {
    let stop = |problem| FileReport { problems: vec![problem] };
    let file = AddressFile::parse(text).map_err(|error| stop(error.into()))?;
    let header = &file.header.header;
    check_header(&file.header, expected, keys).map_err(|refusal| stop(Problem::Header(refusal)))?;
    if header.signed_on > expected.today {
        return Err(stop(Problem::SignedInTheFuture { signed_on: header.signed_on }));
    }
    let mut problems = Vec::new();
    if usize::try_from(header.count) != Ok(file.entries.len()) {
        problems.push(Problem::Count { said: header.count, found: file.entries.len() });
    }
    let mut addresses = Vec::with_capacity(file.entries.len());
    for (at, entry) in file.entries.iter().enumerate() {
        match check_entry(header, entry, keys) {
            Ok(address) => addresses.push(address),
            Err(refusal) => problems.push(Problem::Record { number: at + 1, refusal }),
        }
    }
    problems.extend(duplicates(&file.entries));
    if problems.is_empty() { Ok(CheckedFile { file, addresses }) } else { Err(FileReport { problems }) }
}

fn check_entry(header: &Header, entry: &SignedEntry, keys: &TrustedKeys) -> Result<CheckedAddress, Refusal> {
    let role = keys.verify(header.key, &[(&record_bytes(header, &entry.record), &entry.signature)])?;
    record_fits(header, &entry.record, role)
}

fn duplicates(entries: &[SignedEntry]) -> Vec<Problem> {
    let (mut indexes, mut addresses) = (HashSet::new(), HashSet::new());
    let mut problems = Vec::new();
    for (number, SignedEntry { record, .. }) in (1..).zip(entries) {
        if !indexes.insert(record.index) {
            problems.push(Problem::DuplicateIndex { number, index: record.index });
        }
        if !addresses.insert(record.address.as_str()) {
            problems.push(Problem::DuplicateAddress { number });
        }
    }
    problems
}
