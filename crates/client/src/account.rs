//! The account that is open on this device: its sign-in and its two files.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use api::server::Role;
use domain::Timestamp;

use crate::cache::Cache;
use crate::device::KeyKind;
use crate::error::StorageError;
use crate::outbox::{self, Outbox, SignIn};
use crate::sealed::AccountKey;

/// Where an account's files are and how its key is kept.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The folder's name, which is also the keyring's.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// How the key is kept.
    pub key_kind: KeyKind,
}

/// The two open files.
pub(crate) struct Files {
    /// What the server told.
    pub cache: Cache,
    /// What only this device knows.
    pub outbox: Outbox,
}

/// The open account. Its files close when it signs out, whoever still holds it.
pub(crate) struct Account {
    /// Where it is.
    pub place: Place,
    /// In which role.
    pub role: Role,
    /// The secret of the sign-in.
    pub token: String,
    /// The key of its files, for wrapping it again under a new password.
    pub key: AccountKey,
    ended: AtomicBool,
    files: Mutex<Option<Files>>,
}

impl Account {
    /// Opens the files of an account and reads its sign-in; `None` when there is none in them.
    pub fn open(place: Place, key: AccountKey, now: Timestamp) -> Result<Option<Self>, StorageError> {
        let files = Files::open(&place, &key, now)?;
        let Some(sign_in) = files.outbox.sign_in()? else { return Ok(None) };
        Ok(Some(Self::with(place, key, files, sign_in)))
    }

    /// An account whose files are open.
    pub fn with(place: Place, key: AccountKey, files: Files, sign_in: SignIn) -> Self {
        let SignIn { role, token, ended, .. } = sign_in;
        let ended = AtomicBool::new(ended);
        Self { place, role, token, key, ended, files: Mutex::new(Some(files)) }
    }

    /// Works with the files.
    pub fn files<T>(&self, work: impl FnOnce(&mut Files) -> Result<T, StorageError>) -> Result<T, StorageError> {
        work(self.lock().as_mut().ok_or(StorageError::Closed)?)
    }

    /// Whether the server has ended this sign-in.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// The server has ended this sign-in.
    pub fn end(&self) {
        if !self.ended.swap(true, Ordering::Relaxed)
            && let Err(error) = self.files(|files| files.outbox.end_sign_in(&self.token))
        {
            tracing::warn!(%error, "the end of the sign-in could not be kept");
        }
    }

    /// Closes the files, now and for everybody.
    pub fn close(&self) {
        self.lock().take();
    }

    fn lock(&self) -> MutexGuard<'_, Option<Files>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    /// Opens both files. A damaged outbox is set aside, not deleted, and a new one begun: the person signs in again.
    pub fn open(place: &Place, key: &AccountKey, now: Timestamp) -> Result<Self, StorageError> {
        let outbox = match Outbox::open(&place.folder, key, now) {
            Err(error) if error.is_unreadable_file() => {
                tracing::error!(%error, "a damaged outbox is set aside");
                outbox::set_aside(&place.folder, now)?;
                Outbox::open(&place.folder, key, now)?
            }
            other => other?,
        };
        Ok(Self { cache: Cache::open(&place.folder, key)?, outbox })
    }
}
