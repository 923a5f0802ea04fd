//! Where the key of an account's files is kept: in the system's keyring, and where there is none, beside the files, wrapped
//! by a key from the password. Never as plain text.

pub mod keyring;
pub mod password;

use std::path::Path;

use crate::device::KeyKind;
use crate::error::VaultError;
use crate::sealed::AccountKey;

/// Which keeping places this program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// The keyring, and the password where the keyring does not work.
    KeyringOrPassword,
    /// The password only.
    PasswordOnly,
}

/// Keeps a new key for the account of that folder and says how. The keyring is believed only after it gave the key back.
///
/// # Errors
/// [`VaultError`].
pub fn keep(
    keeping: Keeping,
    folder: &Path,
    name: &str,
    key: &AccountKey,
    password: &str,
) -> Result<KeyKind, VaultError> {
    if keeping == Keeping::KeyringOrPassword {
        match keyring::put(name, key) {
            Ok(()) => return Ok(KeyKind::Keyring),
            Err(error) => tracing::info!(%error, "no keyring: the key is wrapped by the password"),
        }
    }
    password::wrap(folder, name, key, password)?;
    Ok(KeyKind::Password)
}

/// The key of an account that is held. A wrapped key needs the password.
///
/// # Errors
/// [`VaultError`]; without a password a wrapped key answers [`VaultError::WrongPassword`].
pub fn get(kind: KeyKind, folder: &Path, name: &str, password: Option<&str>) -> Result<AccountKey, VaultError> {
    match (kind, password) {
        (KeyKind::Keyring, _) => keyring::get(name),
        (KeyKind::Password, Some(password)) => password::unwrap(folder, name, password),
        (KeyKind::Password, None) => Err(VaultError::WrongPassword),
    }
}

/// Forgets the key, as the last copy of it or as a leftover. A wrapped key goes with its folder.
///
/// # Errors
/// [`VaultError::KeyringUnavailable`]: the key may still be there.
pub fn forget(kind: KeyKind, name: &str) -> Result<(), VaultError> {
    match kind {
        KeyKind::Keyring => keyring::delete(name),
        KeyKind::Password => Ok(()),
    }
}
