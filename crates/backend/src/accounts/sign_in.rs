//! Signing in: what the caller needs to check a password, and what happens once it was checked.

use api::ErrorCode;
use api::server::Role;
use domain::Timestamp;
use domain::credentials::Email;
use store::Tx;
use store::repo::account::{self, AccountRow};
use store::repo::session as rows;

use super::session::{self, NewSession};
use super::throttle::name_and_prefix_key;
use super::{SignedInParts, audited, stored_role, totp};
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::seal::Sealer;

/// What the password is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForSignIn {
    /// The account.
    pub account_id: String,
    /// Its role, which decides what a new hash costs.
    pub role: Role,
    /// The stored hash.
    pub password_hash: String,
}

/// What the caller found outside the transaction.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The account.
    pub account_id: String,
    /// The hash that the password was checked against, and fits.
    pub verified_hash: String,
    /// A hash at today's cost, when the stored one is of another.
    pub rehashed: Option<String>,
    /// The authenticator code, if one was given.
    pub code: Option<String>,
    /// The email that was typed.
    pub email: Email,
    /// Prefix of the client's network address.
    pub network_prefix: String,
}

/// The account of an email, if it can sign in. The caller spends the same time when there is none.
pub fn account_for_sign_in(tx: &mut Tx<'_>, email: &Email) -> Outcome<Option<ForSignIn>> {
    let found = account::by_email(tx, email.as_str())?.filter(|row| row.status == "active");
    found
        .map(|row| {
            Ok(ForSignIn { role: stored_role(&row.role)?, account_id: row.id, password_hash: row.password_hash })
        })
        .transpose()
}

/// Signs in on a device, the password having been checked.
///
/// # Errors
/// `WrongCredentials` when the password was changed meanwhile, the account can't sign in, or the code is wrong or was used
/// before; `AuthenticatorCodeNeeded` when an operator gave none.
pub fn sign_in(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    proof: &Proof,
    device: &NewSession,
) -> Outcome<SignedInParts> {
    if let Some(made) = session::made_before(tx, policy, device)? {
        return Ok(made);
    }
    let row = account::by_id(tx, &proof.account_id)?;
    let fits = |row: &AccountRow| row.status == "active" && row.password_hash == proof.verified_hash;
    let row = row.filter(fits).ok_or(Refusal::Told(ErrorCode::WrongCredentials))?;
    check_code(tx, &policy.sealer, now, &row, proof.code.as_deref())?;
    if let Some(rehashed) = &proof.rehashed {
        account::set_password(tx, &row.id, rehashed)?;
    }
    rows::forget_tries(tx, &name_and_prefix_key(&proof.email, &proof.network_prefix))?;
    audited(tx, now, stored_role(&row.role)?, &row.id, "signed_in")?;
    session::begin(tx, policy, now, &row, device)
}

/// An operator's code, good once: for one sign-in or one change of the password. A customer has none.
pub(super) fn check_code(
    tx: &mut Tx<'_>,
    sealer: &Sealer,
    now: Timestamp,
    row: &AccountRow,
    code: Option<&str>,
) -> Outcome<()> {
    let Some(sealed) = &row.authenticator_sealed else {
        // Nobody but a customer signs in with a password alone, whatever happened to the secret.
        return match stored_role(&row.role)? {
            Role::Customer => Ok(()),
            _ => Err(ErrorCode::WrongCredentials.into()),
        };
    };
    let code = code.ok_or(Refusal::Told(ErrorCode::AuthenticatorCodeNeeded))?;
    let secret = sealer.open(&totp::sealed_about(&row.id), sealed)?;
    let step = totp::matching_step(&secret, now, code).ok_or(Refusal::Told(ErrorCode::WrongCredentials))?;
    let first_use = account::use_step(tx, &row.id, step)? || faults::planted(faults::CODE_REUSED);
    if first_use { Ok(()) } else { Err(ErrorCode::WrongCredentials.into()) }
}
