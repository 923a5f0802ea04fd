//! Reading what is held.

use api::views::{AccountView, BalanceEntryView, OrderView, PaymentView};
use rusqlite::OptionalExtension;
use serde::de::DeserializeOwned;

use super::Cache;
use crate::error::StorageError;

/// A view that the sync carries, and the name of its kind.
pub trait Synced: DeserializeOwned {
    /// The kind's name on the wire.
    const KIND: &'static str;
}

impl Synced for AccountView {
    const KIND: &'static str = "account";
}

impl Synced for OrderView {
    const KIND: &'static str = "order";
}

impl Synced for PaymentView {
    const KIND: &'static str = "payment";
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
            if let Some(view) = read(row.get_ref(0)?.as_str().unwrap_or_default()) {
                found.push(view);
            }
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
        Ok(body.and_then(|body| read(&body)))
    }

    /// The account's own row.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn account(&self) -> Result<Option<AccountView>, StorageError> {
        Ok(self.all::<AccountView>()?.into_iter().next())
    }
}

fn read<T: Synced>(body: &str) -> Option<T> {
    match serde_json::from_str(body) {
        Ok(view) => Some(view),
        Err(error) => {
            tracing::warn!(kind = T::KIND, %error, "a row that this version can't read");
            None
        }
    }
}
