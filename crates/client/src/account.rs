//! The account that is open on this device: its sign-in and its two files.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use api::host::SignInEnd;
use api::server::Role;
use domain::Timestamp;

use crate::cache::Cache;
use crate::device::KeyKind;
use crate::error::StorageError;
use crate::outbox::{self, Outbox, SignIn};
use crate::reach::Heard;
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
    /// The key of its files, for wrapping it again under a new password.
    pub key: AccountKey,
    sign_in: Mutex<Held>,
    /// Held while the sign-in is renewed: two renewals at once would look like two devices.
    renewing: Mutex<()>,
    files: Mutex<Option<Files>>,
}

/// What of the sign-in changes while the account is open.
struct Held {
    token: String,
    renew_at: Timestamp,
    ended: Option<SignInEnd>,
    /// When its pages were last fetched to the end.
    fetched: Heard,
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
        let SignIn { role, token, renew_at, ended, .. } = sign_in;
        let sign_in = Mutex::new(Held { token, renew_at, ended, fetched: Heard::default() });
        Self { place, role, key, sign_in, renewing: Mutex::default(), files: Mutex::new(Some(files)) }
    }

    /// Works with the files.
    pub fn files<T>(&self, work: impl FnOnce(&mut Files) -> Result<T, StorageError>) -> Result<T, StorageError> {
        work(self.lock().as_mut().ok_or(StorageError::Closed)?)
    }

    /// The secret of the sign-in, as it is to be used now.
    pub fn token(&self) -> String {
        self.held().token.clone()
    }

    /// When another token is to follow, by the server's clock.
    pub fn renew_at(&self) -> Timestamp {
        self.held().renew_at
    }

    /// Lets nobody else renew the sign-in meanwhile.
    pub fn renewing(&self) -> MutexGuard<'_, ()> {
        self.renewing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Uses the next token from now on. It is on the disk first: after a crash the one before is never used again.
    pub fn go_on_with(&self, next: String, renew_at: Timestamp) -> Result<(), StorageError> {
        self.files(|files| files.outbox.go_on_with(&next, renew_at))?;
        let mut held = self.held();
        held.token = next;
        held.renew_at = renew_at;
        Ok(())
    }

    /// Why the server has ended this sign-in, if it has.
    pub fn ended(&self) -> Option<SignInEnd> {
        self.held().ended
    }

    /// Whether the server has ended this sign-in.
    pub fn has_ended(&self) -> bool {
        self.ended().is_some()
    }

    /// The account's pages were fetched to the end.
    pub fn fetched(&self, now: Timestamp) {
        self.held().fetched = Heard::at(now);
    }

    /// Whether what is held of the account can be trusted to be what the server has: the sign-in holds, and the pages were
    /// fetched to the end within the last 60 seconds. That the server answers others says nothing about it.
    pub fn is_current(&self, now: Timestamp) -> bool {
        let held = self.held();
        held.ended.is_none() && held.fetched.lately(now)
    }

    /// The server has ended this sign-in. The first reason stands: afterwards the server may have forgotten it.
    pub fn end(&self, end: SignInEnd) {
        let mut held = self.held();
        if held.ended.is_some() {
            return;
        }
        held.ended = Some(end);
        let token = held.token.clone();
        drop(held);
        if let Err(error) = self.files(|files| files.outbox.end_sign_in(&token, end)) {
            tracing::warn!(%error, "the end of the sign-in could not be kept");
        }
    }

    /// Closes the files, now and for everybody.
    pub fn close(&self) {
        self.lock().take();
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.sign_in.lock().unwrap_or_else(PoisonError::into_inner)
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
