//! A whole file as text: the signed header on the first line, one signed record on each further line.

use thiserror::Error;

use crate::MAX_RECORDS;
use crate::record::{SignedEntry, SignedHeader, SignedRecord, read_line, write_line};
use crate::refusal::Refusal;

/// The longest header line, in bytes.
pub const MAX_HEADER_BYTES: usize = 4 * 1024;
/// The longest record line, in bytes.
pub const MAX_ENTRY_BYTES: usize = 512;
/// The longest file, in bytes.
pub const MAX_FILE_BYTES: usize = MAX_HEADER_BYTES + MAX_ENTRY_BYTES * MAX_RECORDS as usize;

/// A text that is no address file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// Longer than any file of this format can be.
    #[error("the file is longer than {MAX_FILE_BYTES} bytes")]
    TooLong,
    /// The last line has no end: the file was cut off.
    #[error("the file does not end with a line break: it was cut off")]
    CutOff,
    /// A line is not what the format asks for. Line 1 is the header.
    #[error("line {line}: {refusal}")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// Why.
        refusal: Refusal,
    },
}

/// A file that was read and not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressFile {
    /// The first line.
    pub header: SignedHeader,
    /// The further lines, in the file's order.
    pub entries: Vec<SignedEntry>,
}

impl AddressFile {
    /// Reads a file. Its shape only: nothing in it is believed before [`crate::check_file`].
    ///
    /// # Errors
    /// [`FileError`], at the first line that doesn't fit.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        if text.len() > MAX_FILE_BYTES {
            return Err(FileError::TooLong);
        }
        let body = text.strip_suffix('\n').ok_or(FileError::CutOff)?;
        let mut lines = body.split('\n').enumerate().map(|(at, line)| (at + 1, line));
        let (number, first) = lines.next().ok_or(FileError::CutOff)?;
        let header: SignedHeader = bounded(number, first, MAX_HEADER_BYTES)?;
        let entries = lines.map(|(number, line)| bounded(number, line, MAX_ENTRY_BYTES)).collect::<Result<_, _>>()?;
        Ok(Self { header, entries })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Those of [`SignedRecord::to_line`].
    pub fn to_text(&self) -> Result<String, Refusal> {
        let mut text = write_line(&self.header)?;
        text.push('\n');
        for entry in &self.entries {
            text.push_str(&write_line(entry)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// An entry with all that is needed to check it by itself.
    pub fn record(&self, entry: &SignedEntry) -> SignedRecord {
        SignedRecord {
            header: self.header.header.clone(),
            header_signature: self.header.signature,
            record: entry.record.clone(),
            signature: entry.signature,
        }
    }
}

fn bounded<T: for<'de> serde::Deserialize<'de>>(number: usize, line: &str, limit: usize) -> Result<T, FileError> {
    let at = |refusal| FileError::Line { line: number, refusal };
    if line.len() > limit {
        return Err(at(Refusal::BadFormat { detail: format!("longer than {limit} bytes") }));
    }
    read_line(line).map_err(at)
}
