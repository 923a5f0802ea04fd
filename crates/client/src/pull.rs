//! One round with the server: its clock, the catalogue, what waits to be sent, and the pages of the account.

use std::sync::{Arc, PoisonError};
use std::time::Instant as Monotonic;

use api::ErrorCode;
use api::server::{self, Nothing, Role, SyncRequest};

use crate::account::Account;
use crate::desktop::Inner;
use crate::error::{CallError, ClientError};

/// Pages of one pull. More than any account has; a server that never ends is cut off here.
const MAX_PAGES: u32 = 10_000;
/// Times that one pull may begin anew.
const MAX_RESETS: u32 = 3;

impl Inner {
    /// Everything once, as far as it goes. The window is told afterwards either way.
    pub fn round(&self) {
        let outcome = self.try_round();
        if let Err(error) = outcome {
            tracing::info!(%error, "a round with the server was cut short");
        }
        (self.on_changed)();
    }

    /// After a hint: what the account has to send and to fetch, and when its watcher last looked. The window is told either way.
    pub fn catch_up(&self) {
        if let Err(error) = self.fetch_status().and_then(|()| self.try_catch_up()) {
            tracing::info!(%error, "the account could not be caught up with");
        }
        (self.on_changed)();
    }

    /// Everything once, up to the first failure.
    pub fn try_round(&self) -> Result<(), ClientError> {
        self.fetch_status()?;
        self.fetch_catalogue()?;
        self.try_catch_up()
    }

    fn try_catch_up(&self) -> Result<(), ClientError> {
        let Some(account) = self.somebody() else { return Ok(()) };
        if account.has_ended() {
            return Ok(());
        }
        self.renew_if_due(&account);
        self.flush(&account)?;
        self.pull(&account)
    }

    /// Asks for the server's clock and its watchers, and measures the clock's offset.
    pub fn fetch_status(&self) -> Result<(), ClientError> {
        let (asked_at, started) = (self.now(), Monotonic::now());
        let status = self.http.call::<server::Status>(None, &Nothing {})?;
        let mut reach = self.reach();
        reach.told(status.clone(), asked_at, started.elapsed());
        let offset = reach.offset_micros();
        drop(reach);
        if let Some(account) = self.somebody() {
            account.files(|files| files.cache.keep_status(&status, offset))?;
        }
        Ok(())
    }

    /// Asks for the catalogue, unless the one that is held is current.
    pub fn fetch_catalogue(&self) -> Result<(), ClientError> {
        let held = self.catalogue_slot().as_ref().map(|answer| answer.version.clone());
        let outcome = self.http.catalogue(held.as_deref());
        self.note(None, &outcome);
        if let Some(answer) = outcome? {
            *self.catalogue_slot() = Some(answer);
        }
        // Also the one that was fetched before anybody signed in, or by another account.
        let (Some(account), Some(answer)) = (self.somebody(), self.catalogue_slot().clone()) else { return Ok(()) };
        account.files(|files| match files.cache.catalogue()? {
            Some(kept) if kept.version == answer.version => Ok(()),
            _ => files.cache.keep_catalogue(&answer),
        })?;
        Ok(())
    }

    /// Sends what waits to be sent by itself. A failure of the line ends the round; a decided refusal ends the command.
    pub fn flush(&self, account: &Account) -> Result<(), ClientError> {
        let _one_at_a_time = self.pulling.lock().unwrap_or_else(PoisonError::into_inner);
        let due = account.files(|files| files.outbox.due(self.now()))?;
        for command in due {
            let outcome = self.http.call_raw(&command.name, Some(&account.token()), command.body.clone().into_bytes());
            self.note(Some(account), &outcome);
            match outcome {
                Ok(_) => account.files(|files| files.outbox.done(&command.id))?,
                Err(error) if error.is_decided() => {
                    tracing::warn!(command = command.name, %error, "a saved command was refused");
                    account.files(|files| files.outbox.done(&command.id))?;
                }
                Err(error) => {
                    let now = self.now();
                    account.files(|files| files.outbox.failed(&command, &error.to_string(), now))?;
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }

    /// Fetches the account's pages to the end. Operators' lists live on the server: there is nothing to fetch for them.
    pub fn pull(&self, account: &Arc<Account>) -> Result<(), ClientError> {
        if account.role != Role::Customer {
            return Ok(());
        }
        let _one_at_a_time = self.pulling.lock().unwrap_or_else(PoisonError::into_inner);
        let mut resets = 0;
        for _ in 0..MAX_PAGES {
            let cursor = account.files(|files| files.cache.cursor())?;
            let page = self.ask::<server::Sync>(Some(account), &SyncRequest { cursor: cursor.clone() })?;
            resets += u32::from(page.reset);
            let stands_still = page.more && Some(&page.cursor) == cursor.as_ref();
            if resets > MAX_RESETS || stands_still {
                return Err(CallError::Unreadable { detail: "the sync does not move on".into() }.into());
            }
            let now = self.now();
            account.files(|files| files.cache.take(&page, now))?;
            if !page.more {
                account.fetched(now);
                return Ok(());
            }
        }
        Err(CallError::Unreadable { detail: "the sync does not end".into() }.into())
    }

    /// After a command changed something: fetches it, and leaves the rest to the next round if that fails.
    pub fn pull_after(&self, account: &Arc<Account>) {
        if let Err(error) = self.pull(account) {
            tracing::info!(%error, "what changed is fetched later");
            self.signal.hint();
        }
        (self.on_changed)();
    }

    /// A refusal that says «ask the server» rather than «there is no such thing» while the server can't be asked.
    pub fn missing(&self) -> ClientError {
        if self.is_online() { ErrorCode::NotFound.into() } else { ErrorCode::Offline.into() }
    }
}
