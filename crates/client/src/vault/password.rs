//! Where there is no keyring: the key wrapped by one from the password (argon2id, XChaCha20-Poly1305), in a file beside the
//! encrypted ones. A stolen copy costs the thief a whole argon2id per guess of a password of at least 15 characters.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use zeroize::Zeroizing;

use crate::error::{StorageError, VaultError};
use crate::sealed::{AccountKey, random_bytes, touch_private};

/// The file's name inside an account's folder.
pub const FILE_NAME: &str = "key.json";
/// Where the key stands wrapped by a new password while the server is asked to take it.
const NEXT_FILE_NAME: &str = "key.next.json";
/// Memory of a new wrapping, KiB (operators' grade of `facts`: 64 MiB, three passes).
const MEMORY_KIB: u32 = 65_536;
/// Passes of a new wrapping.
const PASSES: u32 = 3;
/// The most memory that a file may ask for, KiB: a planted file must not stop the machine.
const MAX_MEMORY_KIB: u32 = 1_048_576;
/// The most passes that a file may ask for.
const MAX_PASSES: u32 = 16;

/// The file's content; bytes as hex.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrapped {
    format: u32,
    memory_kib: u32,
    passes: u32,
    salt: String,
    nonce: String,
    sealed: String,
}

/// Wraps the key and puts it in its file, durably and in one step.
///
/// # Errors
/// [`VaultError::Storage`].
pub fn wrap(folder: &Path, name: &str, key: &AccountKey, password: &str) -> Result<(), VaultError> {
    wrap_as(&folder.join(FILE_NAME), name, key, password)
}

/// Wraps the key by a password that the server has not taken yet, beside the old wrapping: whichever password the account
/// turns out to have after a crash, one of the two files opens.
///
/// # Errors
/// [`VaultError::Storage`].
pub fn wrap_beside(folder: &Path, name: &str, key: &AccountKey, password: &str) -> Result<(), VaultError> {
    wrap_as(&folder.join(NEXT_FILE_NAME), name, key, password)
}

/// The server's word is known: the new wrapping takes the old one's place, or goes.
///
/// # Errors
/// [`VaultError::Storage`].
pub fn settle_beside(folder: &Path, taken: bool) -> Result<(), VaultError> {
    let beside = folder.join(NEXT_FILE_NAME);
    let moved = if taken { fs::rename(&beside, folder.join(FILE_NAME)) } else { fs::remove_file(&beside) };
    moved.map_err(StorageError::Io)?;
    Ok(sync_folder(folder)?)
}

fn wrap_as(path: &Path, name: &str, key: &AccountKey, password: &str) -> Result<(), VaultError> {
    let (salt, nonce) = (random_bytes::<16>()?, random_bytes::<24>()?);
    let wrapping = wrapping_key(password, &salt, MEMORY_KIB, PASSES)?;
    let payload = Payload { msg: key.bytes(), aad: name.as_bytes() };
    let sealed = XChaCha20Poly1305::new(&(*wrapping).into())
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|_| StorageError::Damaged { detail: "the key could not be wrapped".into() })?;
    let wrapped = Wrapped {
        format: 1,
        memory_kib: MEMORY_KIB,
        passes: PASSES,
        salt: hex::encode(salt),
        nonce: hex::encode(nonce),
        sealed: hex::encode(sealed),
    };
    let text = serde_json::to_vec(&wrapped).map_err(|error| StorageError::Damaged { detail: error.to_string() })?;
    replace(path, &text)?;
    Ok(())
}

/// The wrapped key.
///
/// # Errors
/// [`VaultError::WrongPassword`]; [`VaultError::KeyGone`] when there is no file.
pub fn unwrap(folder: &Path, name: &str, password: &str) -> Result<AccountKey, VaultError> {
    match unwrap_from(&folder.join(FILE_NAME), name, password) {
        Err(VaultError::WrongPassword) if folder.join(NEXT_FILE_NAME).exists() => {
            let key = unwrap_from(&folder.join(NEXT_FILE_NAME), name, password)?;
            settle_beside(folder, true)?;
            Ok(key)
        }
        other => other,
    }
}

fn unwrap_from(path: &Path, name: &str, password: &str) -> Result<AccountKey, VaultError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(VaultError::KeyGone),
        Err(error) => return Err(StorageError::Io(error).into()),
    };
    let damaged = |detail: &str| StorageError::Damaged { detail: format!("{FILE_NAME}: {detail}") };
    let wrapped: Wrapped = serde_json::from_slice(&text).map_err(|error| damaged(&error.to_string()))?;
    let bounded = wrapped.memory_kib <= MAX_MEMORY_KIB && wrapped.passes <= MAX_PASSES;
    if wrapped.format != 1 || !bounded {
        return Err(damaged("unknown format or limits").into());
    }
    let mut salt = [0; 16];
    let mut nonce = [0; 24];
    hex::decode_to_slice(&wrapped.salt, &mut salt).map_err(|_| damaged("salt"))?;
    hex::decode_to_slice(&wrapped.nonce, &mut nonce).map_err(|_| damaged("nonce"))?;
    let sealed = hex::decode(&wrapped.sealed).map_err(|_| damaged("sealed"))?;
    let wrapping = wrapping_key(password, &salt, wrapped.memory_kib, wrapped.passes)?;
    let payload = Payload { msg: &sealed, aad: name.as_bytes() };
    let opened = XChaCha20Poly1305::new(&(*wrapping).into()).decrypt(&XNonce::from(nonce), payload);
    let opened = Zeroizing::new(opened.map_err(|_| VaultError::WrongPassword)?);
    let bytes = <[u8; 32]>::try_from(opened.as_slice()).map_err(|_| damaged("length"))?;
    Ok(AccountKey::from_bytes(bytes))
}

/// argon2id over the NFKC form, as the server reads passwords: composed or not, the same password is the same.
fn wrapping_key(
    password: &str,
    salt: &[u8],
    memory_kib: u32,
    passes: u32,
) -> Result<Zeroizing<[u8; 32]>, StorageError> {
    let unfit = |error: argon2::Error| StorageError::Damaged { detail: error.to_string() };
    let params = Params::new(memory_kib, passes, 1, Some(32)).map_err(unfit)?;
    let normal = Zeroizing::new(password.nfkc().collect::<String>());
    let mut key = Zeroizing::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(normal.as_bytes(), salt, key.as_mut())
        .map_err(unfit)?;
    Ok(key)
}

/// Writes a file beside the old one and puts it in its place: a crash leaves the old one or the new one.
fn replace(path: &Path, content: &[u8]) -> Result<(), StorageError> {
    let beside = PathBuf::from(format!("{}.new", path.display()));
    let _ = fs::remove_file(&beside);
    touch_private(&beside)?;
    let mut file = File::options().write(true).open(&beside)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    if let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(())
}

/// Makes a folder's list of names durable, where the system can.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StorageError> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWORD: &str = "a long enough passwörd";

    #[test]
    fn only_the_password_opens_the_key_and_only_for_its_own_folder() {
        let folder = tempfile::tempdir().unwrap();
        let key = AccountKey::from_bytes([7; 32]);
        wrap(folder.path(), "one", &key, PASSWORD).unwrap();
        assert_eq!(unwrap(folder.path(), "one", PASSWORD).unwrap().bytes(), &[7; 32]);
        // The same password typed with a combining diaeresis.
        assert!(unwrap(folder.path(), "one", "a long enough passwo\u{308}rd").is_ok());
        assert!(matches!(unwrap(folder.path(), "one", "a long enough password"), Err(VaultError::WrongPassword)));
        assert!(matches!(unwrap(folder.path(), "two", PASSWORD), Err(VaultError::WrongPassword)));
        let text = fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        assert!(!text.contains(&hex::encode([7; 32])), "the key must not stand in the file");
    }

    #[test]
    fn a_planted_file_cannot_ask_for_all_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        wrap(folder.path(), "one", &AccountKey::from_bytes([7; 32]), PASSWORD).unwrap();
        let path = folder.path().join(FILE_NAME);
        let text = fs::read_to_string(&path).unwrap().replace("65536", "4294967295");
        fs::write(&path, text).unwrap();
        assert!(matches!(
            unwrap(folder.path(), "one", PASSWORD),
            Err(VaultError::Storage(StorageError::Damaged { .. }))
        ));
    }

    #[test]
    fn a_crash_between_the_server_and_the_disk_locks_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        let key = AccountKey::from_bytes([7; 32]);
        let next = "another long password";
        wrap(folder.path(), "one", &key, PASSWORD).unwrap();
        wrap_beside(folder.path(), "one", &key, next).unwrap();
        assert!(unwrap(folder.path(), "one", PASSWORD).is_ok(), "the server has not taken the new one");
        assert!(unwrap(folder.path(), "one", next).is_ok(), "the server has taken the new one");
        assert!(matches!(unwrap(folder.path(), "one", PASSWORD), Err(VaultError::WrongPassword)));
    }

    #[test]
    fn without_its_file_the_key_is_gone_rather_than_empty() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(unwrap(folder.path(), "one", PASSWORD), Err(VaultError::KeyGone)));
    }
}
