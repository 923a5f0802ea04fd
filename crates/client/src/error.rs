//! What goes wrong on the desktop, with enough inside to act on; the window gets codes.

use std::io;

use api::{ApiError, ErrorCode};
use thiserror::Error;

/// The server could not be asked, or said no.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallError {
    /// Nothing came back: what was asked may or may not have happened.
    #[error("the server can't be reached: {detail}")]
    Offline {
        /// The connection's own words.
        detail: String,
    },
    /// The server's answer, and it is no.
    #[error("the server refused: {0:?}")]
    Refused(ErrorCode),
    /// An answer that this version can't read: what was asked may or may not have happened.
    #[error("the server's answer can't be read: {detail}")]
    Unreadable {
        /// What is wrong with it.
        detail: String,
    },
}

impl CallError {
    /// Whether the server decided: the same request would be decided the same way.
    pub fn is_decided(&self) -> bool {
        use ErrorCode::{AccountRemoved, Busy, Internal, NotSignedIn, SignInCopied, SignInExpired, Throttled};
        match self {
            CallError::Offline { .. } | CallError::Unreadable { .. } => false,
            CallError::Refused(code) => {
                let ended = matches!(code, NotSignedIn | SignInExpired | SignInCopied | AccountRemoved);
                !ended && !matches!(code, Busy | Internal | Throttled { .. })
            }
        }
    }
}

/// The files of this device failed.
#[derive(Debug, Error)]
pub enum StorageError {
    /// SQLite said no.
    #[error("the database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The schema could not be brought up to date.
    #[error("the database's schema: {0}")]
    Migration(#[from] migrate::MigrationError),
    /// The file system said no.
    #[error("the file system failed: {0}")]
    Io(#[from] io::Error),
    /// This build can't encrypt: nothing is written.
    #[error("this build's SQLite has no encryption")]
    NoEncryption,
    /// The file system can't do what the database needs.
    #[error("the folder does not support a database in {wanted} mode")]
    JournalMode {
        /// The mode that was asked for.
        wanted: &'static str,
    },
    /// What stands in a file is not what this program writes.
    #[error("a stored value can't be read: {detail}")]
    Damaged {
        /// Which.
        detail: String,
    },
    /// The files were closed, because the account signed out.
    #[error("the account's files are closed")]
    Closed,
    /// The system gave no random numbers.
    #[error("no random numbers")]
    NoRandom,
}

impl StorageError {
    /// Whether a file is not what this program wrote, or not under this key.
    pub fn is_unreadable_file(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        let code = match self {
            StorageError::Sqlite(error) => error.sqlite_error_code(),
            _ => None,
        };
        matches!(code, Some(NotADatabase | DatabaseCorrupt))
    }
}

/// The key of the account's files can't be had.
#[derive(Debug, Error)]
pub enum VaultError {
    /// The keyring can't be used just now; nothing is known about what it holds.
    #[error("the system's keyring can't be used: {detail}")]
    KeyringUnavailable {
        /// The keyring's own words.
        detail: String,
    },
    /// The keyring works and does not hold the key.
    #[error("the key is gone from the system's keyring")]
    KeyGone,
    /// The password does not open the key.
    #[error("the password does not open this device's files")]
    WrongPassword,
    /// The file with the wrapped key failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Anything that a command of the window can fail with.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The server.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The files.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The key.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// A refusal of the desktop's own.
    #[error("refused: {0:?}")]
    Refused(ErrorCode),
}

impl From<ErrorCode> for ClientError {
    fn from(code: ErrorCode) -> Self {
        Self::Refused(code)
    }
}

impl From<ClientError> for ApiError {
    fn from(error: ClientError) -> Self {
        let code = match error {
            ClientError::Refused(code) | ClientError::Call(CallError::Refused(code)) => code,
            ClientError::Call(CallError::Offline { detail }) => {
                tracing::info!(detail, "the server can't be reached");
                ErrorCode::Offline
            }
            ClientError::Call(CallError::Unreadable { detail }) => {
                tracing::warn!(detail, "the server's answer can't be read");
                ErrorCode::UnreadableAnswer
            }
            ClientError::Vault(VaultError::Storage(error)) | ClientError::Storage(error) => storage_code(&error),
            ClientError::Vault(error) => {
                tracing::warn!(%error, "the key of the account's files can't be had");
                local("locked")
            }
        };
        code.into()
    }
}

fn storage_code(error: &StorageError) -> ErrorCode {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull};
    if matches!(error, StorageError::Closed) {
        return ErrorCode::NotSignedIn;
    }
    tracing::error!(%error, "this device's files failed");
    match error {
        StorageError::Sqlite(error) => match error.sqlite_error_code() {
            Some(DiskFull) => local("full"),
            Some(DatabaseBusy | DatabaseLocked) => local("locked"),
            _ => local("damaged"),
        },
        StorageError::Io(error) if error.kind() == io::ErrorKind::StorageFull => local("full"),
        _ => local("damaged"),
    }
}

fn local(reason: &str) -> ErrorCode {
    ErrorCode::LocalData { reason: reason.to_owned() }
}
