//! The installation's sealing key: 32 bytes in hexadecimal, in a file of its own, outside the database and its backups.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why the key can't be used.
#[derive(Debug, Error)]
pub enum KeyFileError {
    /// The file can't be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Not 64 hexadecimal digits.
    #[error("{path} holds no sealing key; `kernodeck-server new-key` makes one")]
    NotAKey {
        /// Which file.
        path: PathBuf,
    },
    /// Others can read it.
    #[error("{path} can be read by others; `chmod 600` it")]
    Open {
        /// Which file.
        path: PathBuf,
    },
    /// The system gives no randomness.
    #[error("the system gives no randomness")]
    NoRandomness,
}

/// Reads the key.
///
/// # Errors
/// [`KeyFileError`].
pub fn read(path: &Path) -> Result<[u8; 32], KeyFileError> {
    let io = |source| KeyFileError::Io { path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(io)?;
    if readable_by_others(&fs::metadata(path).map_err(io)?) {
        return Err(KeyFileError::Open { path: path.to_owned() });
    }
    let bytes = hex::decode(text.trim()).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| KeyFileError::NotAKey { path: path.to_owned() })
}

/// Makes a key. A file that exists is never overwritten: what was sealed under it would be lost.
///
/// # Errors
/// [`KeyFileError`].
pub fn create(path: &Path) -> Result<(), KeyFileError> {
    let mut key = [0u8; 32];
    getrandom::fill(&mut key).map_err(|_| KeyFileError::NoRandomness)?;
    write_private(path, &format!("{}\n", hex::encode(key)))
        .map_err(|source| KeyFileError::Io { path: path.to_owned(), source })
}

/// Writes a new file that nobody else can read.
///
/// # Errors
/// The system's; `AlreadyExists` when there is one.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(unix)]
fn readable_by_others(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0
}

#[cfg(not(unix))]
fn readable_by_others(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealing_key_is_never_overwritten_and_never_left_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sealing.key");
        create(&path).unwrap();
        let key = read(&path).unwrap();
        assert!(matches!(create(&path), Err(KeyFileError::Io { .. })));
        assert_eq!(read(&path).unwrap(), key);
        #[cfg(unix)]
        {
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
            fs::set_permissions(&path, open).unwrap();
            assert!(matches!(read(&path), Err(KeyFileError::Open { .. })));
        }
    }

    #[test]
    fn anything_but_a_key_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("empty", ""), ("short", "00"), ("word", &"x".repeat(64))] {
            let path = folder.path().join(name);
            write_private(&path, text).unwrap();
            assert!(matches!(read(&path), Err(KeyFileError::NotAKey { .. })), "{name}");
        }
    }
}
