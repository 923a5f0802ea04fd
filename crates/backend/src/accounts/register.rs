//! A new customer's account.

use api::ErrorCode;
use api::server::Role;
use domain::Timestamp;
use domain::credentials::{Email, PersonName};
use store::repo::account::{self, AccountRow};
use store::{StoreError, Tx};

use super::session::{self, NewSession};
use super::{SignedInParts, role_code};
use crate::ids;
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};

/// What an account is made of, checked, its password hashed.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// First name.
    pub first_name: PersonName,
    /// Last name.
    pub last_name: PersonName,
    /// Email in its canonical form.
    pub email: Email,
    /// Email as typed.
    pub email_typed: String,
    /// Argon2 hash with its parameters.
    pub password_hash: String,
}

/// Makes an account and signs it in.
///
/// # Errors
/// `RegistrationRefused` when the email has an account; that account is neither read further nor touched.
pub fn register(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    new: &NewAccount,
    device: &NewSession,
) -> Outcome<SignedInParts> {
    if let Some(made) = session::made_before(tx, policy, device)? {
        return Ok(made);
    }
    let row = row(new, Role::Customer, now);
    insert(tx, &row)?;
    session::begin(tx, policy, now, &row, device)
}

pub(super) fn row(new: &NewAccount, role: Role, now: Timestamp) -> AccountRow {
    AccountRow {
        id: ids::new(),
        role: role_code(role).to_owned(),
        status: "active".to_owned(),
        email_key: Some(new.email.as_str().to_owned()),
        email: new.email_typed.clone(),
        first_name: new.first_name.as_str().to_owned(),
        last_name: new.last_name.as_str().to_owned(),
        password_hash: new.password_hash.clone(),
        authenticator_sealed: None,
        authenticator_last_step: 0,
        created_at: now,
    }
}

/// Adds the account with its head, and its first change for the sync.
pub(super) fn insert(tx: &mut Tx<'_>, row: &AccountRow) -> Outcome<()> {
    let key = row.email_key.as_deref().unwrap_or_default();
    if account::by_email(tx, key)?.is_some() {
        return Err(ErrorCode::RegistrationRefused.into());
    }
    // Two at the same moment: the second meets the unique index.
    account::insert(tx, row, &ids::new()).map_err(|error| match error {
        StoreError::Unique { .. } => Refusal::Told(ErrorCode::RegistrationRefused),
        other => other.into(),
    })?;
    let seq = account::bump(tx, &row.id)?;
    Ok(account::touch(tx, &row.id, "account", &row.id, seq)?)
}
