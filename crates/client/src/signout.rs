//! Signing out leaves nothing of the account on this device: mark, close, forget the key, delete, unmark. Whatever was
//! begun is finished at the next start, wherever the program was killed.

use std::fs;
use std::path::Path;

use api::ErrorCode;
use api::host::{SessionView, SignOutForm, UnsentChoice};
use api::server::{self, Nothing};

use crate::desktop::Inner;
use crate::device::{Device, KeyKind};
use crate::error::{ClientError, StorageError};
use crate::vault::{self, password};

/// The folder with the accounts' folders, inside the data folder. It goes with the last of them.
pub(crate) const ACCOUNTS: &str = "accounts";

/// What has just been done. Tests kill the program after each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The account is marked: from here on the sign-out is finished at the next start.
    Marked,
    /// The key is gone from the keyring.
    KeyForgotten,
    /// A file is gone.
    FileDeleted,
    /// The account's folder is gone.
    FolderDeleted,
    /// The mark is gone.
    Forgotten,
}

impl Inner {
    /// Signs out.
    pub fn sign_out(&self, form: SignOutForm, step: &mut dyn FnMut(Step)) -> Result<SessionView, ClientError> {
        let _one_at_a_time = self.entering.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(account) = self.somebody() else { return self.session() };
        if form.unsent == UnsentChoice::Send {
            account.files(|files| files.outbox.wake())?;
            self.flush(&account)?;
        }
        let count = account.files(|files| files.outbox.unsent())?;
        if count > 0 && form.unsent != UnsentChoice::Discard {
            return Err(ErrorCode::UnsentWork { count }.into());
        }
        let (name, key_kind) = (account.place.name.clone(), account.place.key_kind);
        self.device().mark_leaving(&name)?;
        step(Step::Marked);
        if !account.has_ended()
            && let Err(error) = self.http.call::<server::SignOut>(Some(&account.token()), &Nothing {})
        {
            tracing::info!(%error, "the server does not know of the sign-out; the sign-in ends there by itself");
        }
        self.replace_account(None);
        let finished = finish(&mut self.device(), &self.data, &name, key_kind, step);
        (self.on_changed)();
        finished?;
        self.session()
    }
}

/// Finishes every sign-out that was begun and cut off.
pub(crate) fn finish_all(device: &mut Device, data: &Path) -> Result<(), StorageError> {
    for held in device.accounts()?.into_iter().filter(|held| held.leaving) {
        finish(device, data, &held.folder, held.key_kind, &mut |_| {})?;
    }
    Ok(())
}

/// Forgets the key, deletes the files, and then the mark. Where the keyring can't be used just now the files go and the mark
/// stays, so that the key is forgotten at a later start.
pub(crate) fn finish(
    device: &mut Device,
    data: &Path,
    name: &str,
    key_kind: KeyKind,
    step: &mut dyn FnMut(Step),
) -> Result<(), StorageError> {
    device.mark_leaving(name)?;
    let accounts = data.join(ACCOUNTS);
    let folder = accounts.join(name);
    // A crash before it was noted where the key is left the mark «keyring» and a wrapped key: then the keyring has none.
    let wrapped = folder.join(password::FILE_NAME).exists();
    let no_key = wrapped || faults::planted(faults::SIGN_OUT_KEEPS_KEY);
    let key_forgotten = if no_key { Ok(()) } else { vault::forget(key_kind, name) };
    step(Step::KeyForgotten);
    delete_folder(&folder, step)?;
    step(Step::FolderDeleted);
    // Fails while another account's folder is in it, which is right.
    let _ = fs::remove_dir(&accounts);
    password::sync_folder(data)?;
    match key_forgotten {
        Ok(()) => device.forget(name)?,
        Err(error) => tracing::warn!(%error, "the key is forgotten at a later start"),
    }
    step(Step::Forgotten);
    Ok(())
}

/// The wrapped key goes first: without it the other files are noise.
fn delete_folder(folder: &Path, step: &mut dyn FnMut(Step)) -> Result<(), StorageError> {
    if faults::planted(faults::SIGN_OUT_KEEPS_FILES) {
        return Ok(());
    }
    let mut names = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    names.sort_by_key(|path| !path.to_string_lossy().contains("key."));
    for path in names {
        fs::remove_file(path)?;
        step(Step::FileDeleted);
    }
    fs::remove_dir(folder)?;
    Ok(())
}
