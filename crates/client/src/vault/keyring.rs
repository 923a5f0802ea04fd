//! The system's keyring. Secrets are single-line hex: a line break inside one has made the GNOME keyring lose everything.
//!
//! An answer «no such entry» proves nothing by itself (a daemon that could not be unlocked gives it too), so it is believed
//! only after another entry could be written and read.

use keyring::{Entry, Error};

use crate::error::VaultError;
use crate::sealed::{AccountKey, random_bytes};

/// The program's name in the keyring: the sandbox has its own.
#[cfg(not(feature = "sandbox"))]
const SERVICE: &str = "Kernodeck";
#[cfg(feature = "sandbox")]
const SERVICE: &str = "Kernodeck Sandbox";

fn unavailable(error: &Error) -> VaultError {
    VaultError::KeyringUnavailable { detail: error.to_string() }
}

fn entry(name: &str) -> Result<Entry, VaultError> {
    Entry::new(SERVICE, name).map_err(|error| unavailable(&error))
}

/// Writes a secret and reads it back.
fn write_and_read(entry: &Entry, secret: &str) -> Result<(), VaultError> {
    entry.set_password(secret).map_err(|error| unavailable(&error))?;
    let read = entry.get_password().map_err(|error| unavailable(&error))?;
    if read == secret {
        return Ok(());
    }
    Err(VaultError::KeyringUnavailable { detail: "it gave back another secret".into() })
}

/// Keeps a key. What could not be read back is removed again.
///
/// # Errors
/// [`VaultError::KeyringUnavailable`].
pub fn put(name: &str, key: &AccountKey) -> Result<(), VaultError> {
    let entry = entry(name)?;
    write_and_read(&entry, &key.to_hex()).inspect_err(|_| {
        // If even this fails, the entry holds a key that opens nothing.
        let _ = entry.delete_credential();
    })
}

/// The key of that name.
///
/// # Errors
/// [`VaultError::KeyGone`] only when the keyring demonstrably works; else [`VaultError::KeyringUnavailable`].
pub fn get(name: &str) -> Result<AccountKey, VaultError> {
    match entry(name)?.get_password() {
        Ok(text) => AccountKey::from_hex(&text).ok_or(VaultError::KeyGone),
        Err(Error::NoEntry) => probe().and(Err(VaultError::KeyGone)),
        Err(error) => Err(unavailable(&error)),
    }
}

/// Removes the key of that name, and proves that it is gone.
///
/// # Errors
/// [`VaultError::KeyringUnavailable`]: it may still be there.
pub fn delete(name: &str) -> Result<(), VaultError> {
    match entry(name)?.delete_credential() {
        Ok(()) => Ok(()),
        Err(Error::NoEntry) => probe(),
        Err(error) => Err(unavailable(&error)),
    }
}

/// Whether the keyring takes a secret and gives it back.
fn probe() -> Result<(), VaultError> {
    let name = format!("probe {}", hex::encode(random_bytes::<8>()?));
    let entry = entry(&name)?;
    let outcome = write_and_read(&entry, &hex::encode(random_bytes::<8>()?));
    let removed = entry.delete_credential().map_err(|error| unavailable(&error));
    outcome.and(removed)
}
