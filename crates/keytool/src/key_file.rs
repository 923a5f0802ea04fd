//! The signing key's file: readable by its owner only, never overwritten.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use manifest::{KeyError, PublicKey, SigningKey};
use thiserror::Error;
use zeroize::Zeroizing;

/// First line of the file.
const TITLE: &str = "kernodeck signing key 1";
/// Longer files are something else.
const MAX_BYTES: u64 = 1024;

/// Why a key file can't be written or read.
#[derive(Debug, Error)]
pub enum KeyFileError {
    /// A file of that name is there.
    #[error("{path} exists already: a signing key is never overwritten")]
    Exists {
        /// The path.
        path: String,
    },
    /// Others may read it.
    #[error("{path} can be read by other users: run `chmod 600` on it, and think about who may have read it")]
    OpenToOthers {
        /// The path.
        path: String,
    },
    /// Not a signing key's file.
    #[error("{path} is not a signing key of this program, or was damaged")]
    NotAKey {
        /// The path.
        path: String,
    },
    /// The system has no random numbers.
    #[error("the system gives no random numbers")]
    NoRandomness,
    /// The key is not usable.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Reading or writing failed.
    #[error("{path}: {error}")]
    Io {
        /// The path.
        path: String,
        /// What the system says.
        error: io::Error,
    },
}

/// Makes a new key and writes it.
///
/// # Errors
/// [`KeyFileError`]; nothing is left behind then.
pub fn create(path: &Path) -> Result<PublicKey, KeyFileError> {
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(&mut seed[..]).map_err(|_| KeyFileError::NoRandomness)?;
    let public = SigningKey::from_seed(&seed).public_key()?;
    let secret = Zeroizing::new(hex::encode(&seed[..]));
    let text = Zeroizing::new(format!("{TITLE}\nsecret {}\npublic {}\n", secret.as_str(), public.to_hex()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => KeyFileError::Exists { path: shown(path) },
        _ => io_error(path)(error),
    })?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|error| {
        // Half a key is of no use, and the next attempt must find the name free.
        let _ = std::fs::remove_file(path);
        io_error(path)(error)
    })?;
    Ok(public)
}

/// Reads a key.
///
/// # Errors
/// [`KeyFileError`].
pub fn read(path: &Path) -> Result<SigningKey, KeyFileError> {
    let file = File::open(path).map_err(io_error(path))?;
    refuse_open_to_others(&file, path)?;
    let mut text = Zeroizing::new(String::with_capacity(1024));
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(io_error(path))?;
    parse(&text).ok_or_else(|| KeyFileError::NotAKey { path: shown(path) })
}

/// The public half is written beside the secret so that a damaged secret can't sign under another key unnoticed.
fn parse(text: &str) -> Option<SigningKey> {
    let rest = text.strip_prefix(TITLE)?.strip_prefix("\nsecret ")?;
    let (secret, rest) = rest.split_once("\npublic ")?;
    let mut seed = Zeroizing::new([0; 32]);
    hex::decode_to_slice(secret, &mut seed[..]).ok()?;
    let key = SigningKey::from_seed(&seed);
    (key.public_key().ok()?.to_hex() == rest.strip_suffix('\n')?).then_some(key)
}

#[cfg(unix)]
fn refuse_open_to_others(file: &File, path: &Path) -> Result<(), KeyFileError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata().map_err(io_error(path))?.permissions().mode();
    if mode & 0o077 == 0 { Ok(()) } else { Err(KeyFileError::OpenToOthers { path: shown(path) }) }
}

#[cfg(not(unix))]
fn refuse_open_to_others(_file: &File, _path: &Path) -> Result<(), KeyFileError> {
    Ok(())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> KeyFileError {
    let path = shown(path);
    move |error| KeyFileError::Io { path: path.clone(), error }
}
