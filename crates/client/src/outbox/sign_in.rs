//! The sign-in of this device, kept encrypted like everything else.

use api::server::Role;
use api::views::AccountView;
use rusqlite::{OptionalExtension, params};

use super::Outbox;
use crate::error::StorageError;

/// A sign-in.
#[derive(Clone, PartialEq, Eq)]
pub struct SignIn {
    /// The account's id.
    pub account_id: String,
    /// In which role.
    pub role: Role,
    /// The secret that the server knows by its hash.
    pub token: String,
    /// The email as typed, for opening the files without a network.
    pub email: String,
    /// The account as known from the form, until the sync tells it.
    pub profile: AccountView,
    /// Whether the server has ended it.
    pub ended: bool,
}

impl Outbox {
    /// Keeps a sign-in in the place of the one before.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn keep_sign_in(&mut self, sign_in: &SignIn) -> Result<(), StorageError> {
        let role = serde_json::to_string(&sign_in.role).map_err(damaged)?;
        let profile = serde_json::to_string(&sign_in.profile).map_err(damaged)?;
        self.connection.execute(
            "INSERT OR REPLACE INTO sign_in (one, account_id, role, token, email, profile, ended)
             VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)",
            params![sign_in.account_id, role, sign_in.token, sign_in.email, profile, sign_in.ended],
        )?;
        Ok(())
    }

    /// The sign-in of this device.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn sign_in(&self) -> Result<Option<SignIn>, StorageError> {
        let sql = "SELECT account_id, role, token, email, profile, ended FROM sign_in WHERE one = 1";
        let found = self.connection.query_row(sql, [], |row| {
            let texts: [String; 5] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
            Ok((texts, row.get(5)?))
        });
        let Some(([account_id, role, token, email, profile], ended)) = found.optional()? else { return Ok(None) };
        let role = serde_json::from_str(&role).map_err(damaged)?;
        let profile = serde_json::from_str(&profile).map_err(damaged)?;
        Ok(Some(SignIn { account_id, role, token, email, profile, ended }))
    }

    /// The server has ended this very sign-in; what is held stays readable and what is unsent stays kept.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn end_sign_in(&mut self, token: &str) -> Result<(), StorageError> {
        self.connection.execute("UPDATE sign_in SET ended = 1 WHERE token = ?1", [token])?;
        Ok(())
    }
}

fn damaged(error: serde_json::Error) -> StorageError {
    StorageError::Damaged { detail: error.to_string() }
}
