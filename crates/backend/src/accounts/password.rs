//! Changing a password.

use api::ErrorCode;
use domain::Timestamp;
use store::Tx;
use store::repo::{account, session};

use super::audited;
use super::session::Why;
use super::sign_in::check_code;
use crate::caller::Caller;
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};

/// The account's stored hash with its email and names, which a new password must not be made of.
pub fn current_hash(tx: &mut Tx<'_>, caller: &Caller) -> Outcome<(String, [String; 3])> {
    let row = account::by_id(tx, &caller.account_id)?.ok_or_else(|| Refusal::broken("account of a sign-in"))?;
    Ok((row.password_hash, [row.email, row.first_name, row.last_name]))
}

/// What was checked and hashed outside the transaction.
#[derive(Clone)]
pub struct Change {
    /// The hash that the old password was checked against, and fits.
    pub verified_hash: String,
    /// The new password's hash.
    pub new_hash: String,
    /// The authenticator code, if one was given.
    pub code: Option<String>,
}

/// Stores a new hash; every other sign-in of the account ends. Operators give a code beside the old password: a screen that
/// was left open is not enough to take an operator's account over.
///
/// # Errors
/// `WrongCredentials` when the password was changed meanwhile, or the code is wrong or was used before;
/// `AuthenticatorCodeNeeded` when an operator gave none.
pub fn change_password(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    change: &Change,
) -> Outcome<()> {
    let row = account::by_id(tx, &caller.account_id)?.ok_or_else(|| Refusal::broken("account of a sign-in"))?;
    if row.password_hash == change.new_hash {
        // An earlier run whose answer was lost: salts are random, so nobody else made this hash.
        return Ok(());
    }
    if row.password_hash != change.verified_hash {
        return Err(ErrorCode::WrongCredentials.into());
    }
    check_code(tx, &policy.sealer, now, &row, change.code.as_deref())?;
    account::set_password(tx, &row.id, &change.new_hash)?;
    session::end_others(tx, &row.id, &caller.session_id, now, Why::PasswordChanged.code())?;
    audited(tx, now, caller.role, &row.id, "password_changed")
}
