//! The sign-in of this device, kept encrypted like everything else.

use api::host::SignInEnd;
use api::server::Role;
use api::views::AccountView;
use domain::Timestamp;
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
    /// When another one is to follow, by the server's clock.
    pub renew_at: Timestamp,
    /// The email as typed, for opening the files without a network.
    pub email: String,
    /// The account as known from the form, until the sync tells it.
    pub profile: AccountView,
    /// Why the server has ended it, if it has.
    pub ended: Option<SignInEnd>,
}

const ENDS: [SignInEnd; 3] = [SignInEnd::Expired, SignInEnd::Copied, SignInEnd::Removed];

const fn code(end: SignInEnd) -> &'static str {
    match end {
        SignInEnd::Expired => "expired",
        SignInEnd::Copied => "copied",
        SignInEnd::Removed => "removed",
    }
}

impl Outbox {
    /// Keeps a sign-in in the place of the one before.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn keep_sign_in(&mut self, sign_in: &SignIn) -> Result<(), StorageError> {
        let role = serde_json::to_string(&sign_in.role).map_err(damaged)?;
        let profile = serde_json::to_string(&sign_in.profile).map_err(damaged)?;
        let SignIn { account_id, token, renew_at, email, ended, .. } = sign_in;
        self.connection.execute(
            "INSERT OR REPLACE INTO sign_in (one, account_id, role, token, next_token, renew_at, email, profile, ended)
             VALUES (1, ?1, ?2, ?3, NULL, ?4, ?5, ?6, ?7)",
            params![account_id, role, token, renew_at.micros(), email, profile, ended.map(code)],
        )?;
        Ok(())
    }

    /// The sign-in of this device.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn sign_in(&self) -> Result<Option<SignIn>, StorageError> {
        let sql = "SELECT account_id, role, token, email, profile, renew_at, ended FROM sign_in WHERE one = 1";
        let found = self.connection.query_row(sql, [], |row| {
            let texts: [String; 5] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
            Ok((texts, row.get(5)?, row.get::<_, Option<String>>(6)?))
        });
        let Some((texts, renew_at, ended)) = found.optional()? else { return Ok(None) };
        let [account_id, role, token, email, profile] = texts;
        let role = serde_json::from_str(&role).map_err(damaged)?;
        let profile = serde_json::from_str(&profile).map_err(damaged)?;
        let ended = ended.and_then(|ended| ENDS.into_iter().find(|end| code(*end) == ended));
        let renew_at = Timestamp::from_micros(renew_at);
        Ok(Some(SignIn { account_id, role, token, renew_at, email, profile, ended }))
    }

    /// The token that is to follow: the one that was saved before, or `fresh`, which is saved by now.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn next_token(&mut self, fresh: &str) -> Result<String, StorageError> {
        let sql = "UPDATE sign_in SET next_token = COALESCE(next_token, ?1) WHERE one = 1 RETURNING next_token";
        Ok(self.connection.query_row(sql, [fresh], |row| row.get(0))?)
    }

    /// The server has taken the next token: it is the sign-in's from now on.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn go_on_with(&mut self, next: &str, renew_at: Timestamp) -> Result<(), StorageError> {
        self.connection.execute(
            "UPDATE sign_in SET token = next_token, next_token = NULL, renew_at = ?2 WHERE next_token = ?1",
            params![next, renew_at.micros()],
        )?;
        Ok(())
    }

    /// The server will not have that next token: another one is made for the next try.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn forget_next_token(&mut self, next: &str) -> Result<(), StorageError> {
        self.connection.execute("UPDATE sign_in SET next_token = NULL WHERE next_token = ?1", [next])?;
        Ok(())
    }

    /// The server has ended this very sign-in; what is held stays readable and what is unsent stays kept.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn end_sign_in(&mut self, token: &str, end: SignInEnd) -> Result<(), StorageError> {
        self.connection.execute("UPDATE sign_in SET ended = ?2 WHERE token = ?1", params![token, code(end)])?;
        Ok(())
    }
}

fn damaged(error: serde_json::Error) -> StorageError {
    StorageError::Damaged { detail: error.to_string() }
}
