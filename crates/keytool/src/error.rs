//! Why the program stopped: each is a sentence for the operator.

use std::io;

use manifest::{FileError, Refusal, SignError};
use thiserror::Error;

use crate::account_key::AccountKeyError;
use crate::derive::DeriveError;
use crate::key_file::KeyFileError;
use crate::words::WordsError;

/// Why the program stopped.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The account key.
    #[error(transparent)]
    AccountKey(#[from] AccountKeyError),
    /// The words.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// The derivation.
    #[error(transparent)]
    Derive(#[from] DeriveError),
    /// The signing key's file.
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// The signing.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// Environment and network contradict each other.
    #[error("--network {chain} belongs to the environment {expected}, and --environment says something else")]
    EnvironmentDiffers {
        /// The network given.
        chain: &'static str,
        /// Its environment.
        expected: &'static str,
    },
    /// The operator did not confirm the three addresses.
    #[error("nothing was signed: the three addresses were not confirmed")]
    NotCompared,
    /// A third trusted key.
    #[error("at most two keys can be trusted: the one in use and the next")]
    TooManyKeys,
    /// The text is no address file.
    #[error("the file is refused: {0}")]
    Unreadable(#[from] FileError),
    /// Nothing of the file may be used.
    #[error("the file is refused: {0}")]
    Refused(#[from] Refusal),
    /// Nothing of the file may be used; each problem was printed.
    #[error("the file is refused: {problems} problem(s)")]
    Problems {
        /// How many.
        problems: usize,
    },
    /// The output exists.
    #[error("{path} exists already: it is not overwritten")]
    OutputExists {
        /// The path.
        path: String,
    },
    /// Reading or writing a file failed.
    #[error("{path}: {error}")]
    File {
        /// The path.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// Reading or writing the terminal failed.
    #[error("{0}")]
    Terminal(#[from] io::Error),
    /// JSON could not be written.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
}
