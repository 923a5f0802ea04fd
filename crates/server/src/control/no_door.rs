//! No door where the system has no Unix sockets: the server is stopped before the command line changes anything.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::{AdminCommand, Installation};

/// Why the running server could not be asked.
#[derive(Debug, Error)]
pub(crate) enum AskError {
    /// Nobody listens.
    #[error("stop the server first, then run this again")]
    Nobody,
}

/// Nothing.
pub(crate) struct Door;

impl Door {
    /// Opens nothing.
    ///
    /// # Errors
    /// Never.
    pub fn open(_: &Path, _: Installation) -> io::Result<Self> {
        Ok(Self)
    }

    /// Leaves nothing behind.
    pub fn close(self) {}
}

/// Finds nobody to ask.
///
/// # Errors
/// Always.
pub(crate) fn ask(_: &Path, _: &AdminCommand) -> Result<Result<String, String>, AskError> {
    Err(AskError::Nobody)
}
