//! Changing a password.

use api::ErrorCode;
use domain::Timestamp;
use store::Tx;
use store::repo::{account, session};

use super::audited;
use crate::caller::Caller;
use crate::refusal::{Outcome, Refusal};

/// The account's stored hash with its email and names, which a new password must not be made of.
pub fn current_hash(tx: &mut Tx<'_>, caller: &Caller) -> Outcome<(String, [String; 3])> {
    let row = account::by_id(tx, &caller.account_id)?.ok_or_else(|| Refusal::broken("account of a sign-in"))?;
    Ok((row.password_hash, [row.email, row.first_name, row.last_name]))
}

/// Stores a new hash, the old password having been checked against `verified_hash`; every other sign-in of the account ends.
///
/// # Errors
/// `WrongCredentials` when the password was changed meanwhile.
pub fn change_password(
    tx: &mut Tx<'_>,
    now: Timestamp,
    caller: &Caller,
    verified_hash: &str,
    new_hash: &str,
) -> Outcome<()> {
    let row = account::by_id(tx, &caller.account_id)?.ok_or_else(|| Refusal::broken("account of a sign-in"))?;
    if row.password_hash == new_hash {
        // An earlier run whose answer was lost: salts are random, so nobody else made this hash.
        return Ok(());
    }
    if row.password_hash != verified_hash {
        return Err(ErrorCode::WrongCredentials.into());
    }
    account::set_password(tx, &row.id, new_hash)?;
    session::end_others(tx, &row.id, &caller.session_id, now)?;
    audited(tx, now, caller.role, &row.id, "password_changed")
}
