//! Reading what is held.

use api::views::LastKnown;
use api::views::{AccountView, BalanceEntryView, FulfilmentState, Headline, OrderState, OrderView, PaymentView};
use rusqlite::OptionalExtension;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Cache, known};
use crate::error::StorageError;

/// A view that the sync carries, and the name of its kind.
pub trait Synced: Serialize + DeserializeOwned {
    /// The kind's name on the wire.
    const KIND: &'static str;

    /// Puts beside each state that this version does not know the last one that it did.
    ///
    /// # Errors
    /// Those of `last`, which is asked only where there is such a state.
    fn fill_in(&mut self, last: impl FnOnce(&str) -> rusqlite::Result<LastKnown>) -> rusqlite::Result<()> {
        let _ = last;
        Ok(())
    }
}

impl Synced for AccountView {
    const KIND: &'static str = "account";
}

impl Synced for OrderView {
    const KIND: &'static str = "order";

    fn fill_in(&mut self, last: impl FnOnce(&str) -> rusqlite::Result<LastKnown>) -> rusqlite::Result<()> {
        let state = self.state == OrderState::Unknown;
        let headline = self.headline == Some(Headline::Unknown);
        let fulfilment = self.fulfilment.state == FulfilmentState::Unknown;
        self.last_known = match state || headline || fulfilment {
            true => {
                let last = last(&self.id)?;
                Some(LastKnown {
                    state: last.state.filter(|_| state),
                    headline: last.headline.filter(|_| headline),
                    fulfilment: last.fulfilment.filter(|_| fulfilment),
                })
            }
            false => None,
        };
        Ok(())
    }
}

impl Synced for PaymentView {
    const KIND: &'static str = "payment";

    fn fill_in(&mut self, last: impl FnOnce(&str) -> rusqlite::Result<LastKnown>) -> rusqlite::Result<()> {
        self.last_known = match self.headline {
            Headline::Unknown => Some(LastKnown { headline: last(&self.id)?.headline, ..LastKnown::default() }),
            _ => None,
        };
        Ok(())
    }
}

impl Synced for BalanceEntryView {
    const KIND: &'static str = "balance_entry";
}

impl Cache {
    /// All rows of a kind, newest first. A row that only a newer version can read is left out, never in the way.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn all<T: Synced>(&self) -> Result<Vec<T>, StorageError> {
        let mut statement =
            self.connection.prepare_cached("SELECT body FROM history WHERE kind = ?1 ORDER BY place DESC")?;
        let mut rows = statement.query([T::KIND])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.extend(self.read(row.get_ref(0)?.as_str().unwrap_or_default())?);
        }
        Ok(found)
    }

    /// One row.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn one<T: Synced>(&self, id: &str) -> Result<Option<T>, StorageError> {
        let mut statement = self.connection.prepare_cached("SELECT body FROM history WHERE kind = ?1 AND id = ?2")?;
        let body: Option<String> = statement.query_row([T::KIND, id], |row| row.get(0)).optional()?;
        Ok(match body {
            Some(body) => self.read(&body)?,
            None => None,
        })
    }

    /// The account's own row.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn account(&self) -> Result<Option<AccountView>, StorageError> {
        Ok(self.all::<AccountView>()?.into_iter().next())
    }

    fn read<T: Synced>(&self, body: &str) -> rusqlite::Result<Option<T>> {
        match serde_json::from_str::<T>(body) {
            Ok(mut view) => {
                view.fill_in(|id| known::of(&self.connection, T::KIND, id))?;
                Ok(Some(view))
            }
            Err(error) => {
                tracing::warn!(kind = T::KIND, %error, "a row that this version can't read");
                Ok(None)
            }
        }
    }
}
