//! Sign-ins: what a token opens, and when it stops opening it.

use api::ErrorCode;
use domain::Timestamp;
use domain::time::{DAY_MICROS, MINUTE_MICROS};
use store::Tx;
use store::repo::account::{self, AccountRow};
use store::repo::session::{self, SessionRow};

use super::{SignedInParts, audited, stored_role};
use crate::caller::Caller;
use crate::ids;
use crate::refusal::Outcome;

/// A sign-in ends when it was not used for so long.
pub const IDLE_MICROS: i64 = 30 * DAY_MICROS;
/// A use is written down at most this often.
const TOUCH_EVERY_MICROS: i64 = MINUTE_MICROS;

/// A sign-in to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// SHA-256 of the token. It also tells a use case that is run again from another one.
    pub token_hash: [u8; 32],
    /// What the device calls itself, checked.
    pub device_name: String,
}

/// Who a token belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authenticated {
    /// The caller.
    pub caller: Caller,
    /// Whether [`touch`] is due.
    pub touch_due: bool,
}

pub(super) fn begin(tx: &mut Tx<'_>, now: Timestamp, account: &AccountRow, new: &NewSession) -> Outcome<SignedInParts> {
    let row = SessionRow {
        id: ids::new(),
        account_id: account.id.clone(),
        token_hash: new.token_hash.to_vec(),
        device_name: new.device_name.clone(),
        created_at: now,
        last_used_at: now,
        expires_at: now.plus_micros(IDLE_MICROS),
        ended_at: None,
    };
    session::insert(tx, &row)?;
    parts(account, &row)
}

fn parts(account: &AccountRow, row: &SessionRow) -> Outcome<SignedInParts> {
    Ok(SignedInParts {
        account_id: account.id.clone(),
        role: stored_role(&account.role)?,
        first_name: account.first_name.clone(),
        last_name: account.last_name.clone(),
        session_id: row.id.clone(),
        expires_at: row.expires_at,
    })
}

/// What an earlier run of the same use case made, if its commit went through and its answer was lost.
pub(super) fn made_before(tx: &mut Tx<'_>, new: &NewSession) -> Outcome<Option<SignedInParts>> {
    let Some(row) = session::by_token(tx, &new.token_hash)? else { return Ok(None) };
    match account::by_id(tx, &row.account_id)? {
        Some(account) => parts(&account, &row).map(Some),
        None => Ok(None),
    }
}

/// Who is asking. Reads only.
///
/// # Errors
/// `NotSignedIn` for an unknown token, `SignInExpired` for one that was ended or not used for too long, `Forbidden` for a
/// blocked account.
pub fn authenticate(
    tx: &mut Tx<'_>,
    now: Timestamp,
    token_hash: &[u8; 32],
    network_prefix: &str,
) -> Outcome<Authenticated> {
    let Some(row) = session::by_token(tx, token_hash)? else { return Err(ErrorCode::NotSignedIn.into()) };
    if row.ended_at.is_some() || row.expires_at <= now {
        return Err(ErrorCode::SignInExpired.into());
    }
    let Some(account) = account::by_id(tx, &row.account_id)? else { return Err(ErrorCode::SignInExpired.into()) };
    match account.status.as_str() {
        "active" => {}
        "blocked" => return Err(ErrorCode::Forbidden.into()),
        _ => return Err(ErrorCode::SignInExpired.into()),
    }
    let caller = Caller {
        role: stored_role(&account.role)?,
        account_id: account.id,
        session_id: row.id,
        network_prefix: network_prefix.to_owned(),
    };
    Ok(Authenticated { caller, touch_due: now.micros_since(row.last_used_at) >= TOUCH_EVERY_MICROS })
}

/// Notes a use: the sign-in's end moves on.
pub fn touch(tx: &mut Tx<'_>, now: Timestamp, session_id: &str) -> Outcome<()> {
    Ok(session::touch(tx, session_id, now, now.plus_micros(IDLE_MICROS))?)
}

/// Ends this sign-in.
pub fn sign_out(tx: &mut Tx<'_>, now: Timestamp, caller: &Caller) -> Outcome<()> {
    session::end(tx, &caller.session_id, now)?;
    audited(tx, now, caller.role, &caller.account_id, "signed_out")
}
