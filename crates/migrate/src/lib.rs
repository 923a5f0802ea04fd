//! Migrations: numbered files, applied once each, in order, under a lock, each in a transaction with the record that it
//! was applied. A program killed midway continues where it stopped.
//!
//! The server's database and the desktop's encrypted files are brought up to date by the same rules. The runner here is SQLite's;
//! `store` has PostgreSQL's, so that the desktop is not built from its driver.

mod sqlite;

use sha2::{Digest, Sha256};

pub use self::sqlite::{migrate, pending};

/// One step of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// `0001_first`: number and words; the order of names is the order of application.
    pub name: &'static str,
    /// Statements for one engine.
    pub sql: &'static str,
}

/// Why a schema could not be brought up to date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MigrationError {
    /// The text of an applied migration is not the one that was applied.
    #[error("migration {name} was changed after it had been applied")]
    Edited {
        /// Which one.
        name: String,
    },
    /// The database has a migration that this program does not know.
    #[error("the database has migration {name}, which this program does not know: start a newer program")]
    Newer {
        /// The unknown one.
        name: String,
    },
    /// Applied migrations are in another order than this program's, or one is missing between them.
    #[error("the database has migration {found} where this program has {expected}")]
    OutOfOrder {
        /// What the program has at that place.
        expected: String,
        /// What the database has.
        found: String,
    },
    /// The program's own list is not in the order of its names.
    #[error("migration {name} is listed out of order")]
    Unsorted {
        /// The first one out of order.
        name: String,
    },
    /// A statement failed; the whole migration is undone.
    #[error("migration {name} failed: {message}")]
    Failed {
        /// Which one; `-` for the runner's own statements.
        name: String,
        /// The engine's own words.
        message: String,
    },
}

/// A migration that the database says was applied: name and checksum.
pub type Applied = (String, String);

/// SHA-256 of a migration's text, as lower-case hex. Line ends are not part of it: a checkout may change them.
pub fn checksum(sql: &str) -> String {
    hex::encode(Sha256::digest(sql.replace("\r\n", "\n").as_bytes()))
}

/// The first migration still to be applied, after checking those that were.
///
/// # Errors
/// `Unsorted`, `Newer`, `OutOfOrder` or `Edited`.
pub fn next<'m>(known: &'m [Migration], applied: &[Applied]) -> Result<Option<&'m Migration>, MigrationError> {
    if let Some(pair) = known.windows(2).find(|pair| pair[0].name >= pair[1].name) {
        return Err(MigrationError::Unsorted { name: pair[1].name.to_owned() });
    }
    for (at, (name, sum)) in applied.iter().enumerate() {
        let Some(step) = known.get(at) else { return Err(MigrationError::Newer { name: name.clone() }) };
        if step.name != name {
            return Err(MigrationError::OutOfOrder { expected: step.name.to_owned(), found: name.clone() });
        }
        if checksum(step.sql) != *sum {
            return Err(MigrationError::Edited { name: name.clone() });
        }
    }
    Ok(known.get(applied.len()))
}

/// A runner's failure: of that migration, or `-` for its own statements.
pub fn failed(name: &str, error: impl std::fmt::Display) -> MigrationError {
    MigrationError::Failed { name: name.to_owned(), message: error.to_string() }
}
