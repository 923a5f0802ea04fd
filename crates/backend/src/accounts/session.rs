//! Sign-ins: what a token opens, and when it stops opening it. `docs/adr/0014-sign-ins-are-renewed.md` says why so.

use api::ErrorCode;
use domain::Timestamp;
use domain::time::{DAY_MICROS, HOUR_MICROS, MINUTE_MICROS, SECOND_MICROS};
use serde_json::json;
use store::repo::account::{self, AccountRow};
use store::repo::session::{self, SessionRow, TokenRow};
use store::{StoreError, Tx};

use super::{SignedInParts, audited, role_code, stored_role};
use crate::caller::Caller;
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::{audit, ids};

/// A use is written down at most this often.
const TOUCH_EVERY_MICROS: i64 = MINUTE_MICROS;
/// The account's own row notes uses at most this often: it is read by everything.
const TOUCH_ACCOUNT_EVERY_MICROS: i64 = HOUR_MICROS;

/// How sign-ins are renewed; how long they last is in [`crate::retention::Retention`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIns {
    /// A token of this age is replaced by the device.
    pub renew_after_micros: i64,
    /// A replaced token is still good for so long: what was sent with it may be on its way.
    pub grace_micros: i64,
}

impl Default for SignIns {
    fn default() -> Self {
        Self { renew_after_micros: DAY_MICROS, grace_micros: 2 * MINUTE_MICROS }
    }
}

/// Why a sign-in ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    SignedOut,
    PasswordChanged,
    Copied,
    Removed,
}

impl Why {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Why::SignedOut => "signed_out",
            Why::PasswordChanged => "password_changed",
            Why::Copied => "copied",
            Why::Removed => "removed",
        }
    }
}

/// A sign-in to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// SHA-256 of the token. It also tells a use case that is run again from another one.
    pub token_hash: [u8; 32],
    /// What the device calls itself, checked.
    pub device_name: String,
}

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is good.
    Good {
        /// Whose it is.
        caller: Caller,
        /// Whether [`note_use`] is due.
        note_due: bool,
    },
    /// It was replaced too long ago to be on its way: there are two of the device. [`note_use`] ends the sign-in.
    Copied,
}

/// When a renewed sign-in is to be renewed again, and when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renewed {
    /// From then on the token is to be replaced.
    pub renew_at: Timestamp,
    /// When the sign-in ends if it is not used.
    pub expires_at: Timestamp,
}

/// What became of a renewal. It must be committed before the answer is acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// The next token may be used.
    Done(Renewed),
    /// Two different tokens were to follow the same one: there are two of the device, and the sign-in has ended.
    Copied,
}

pub(super) fn begin(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    account: &AccountRow,
    new: &NewSession,
) -> Outcome<SignedInParts> {
    let row = SessionRow {
        id: ids::new(),
        account_id: account.id.clone(),
        device_name: new.device_name.clone(),
        token_number: 1,
        created_at: now,
        last_used_at: now,
        expires_at: now.plus_micros(policy.limits.retention.session_micros()),
        ended_at: None,
        ended_why: None,
    };
    session::insert(tx, &row)?;
    session::insert_token(tx, &token(&row.id, 1, &new.token_hash, now))?;
    account::touch_use(tx, &account.id, now, now)?;
    parts(policy, account, &row)
}

fn token(session_id: &str, number: i64, hash: &[u8; 32], now: Timestamp) -> TokenRow {
    TokenRow { token_hash: hash.to_vec(), session_id: session_id.to_owned(), number, made_at: now, replaced_at: None }
}

fn parts(policy: &Policy, account: &AccountRow, row: &SessionRow) -> Outcome<SignedInParts> {
    Ok(SignedInParts {
        account_id: account.id.clone(),
        role: stored_role(&account.role)?,
        first_name: account.first_name.clone(),
        last_name: account.last_name.clone(),
        session_id: row.id.clone(),
        renew_at: row.created_at.plus_micros(policy.limits.sign_ins.renew_after_micros),
        expires_at: row.expires_at,
    })
}

/// What an earlier run of the same use case made, if its commit went through and its answer was lost.
pub(super) fn made_before(tx: &mut Tx<'_>, policy: &Policy, new: &NewSession) -> Outcome<Option<SignedInParts>> {
    let Some(token) = session::token(tx, &new.token_hash)? else { return Ok(None) };
    let row = of_token(tx, &token)?;
    match account::by_id(tx, &row.account_id)? {
        Some(account) => parts(policy, &account, &row).map(Some),
        None => Ok(None),
    }
}

fn of_token(tx: &mut Tx<'_>, token: &TokenRow) -> Outcome<SessionRow> {
    session::by_id(tx, &token.session_id)?.ok_or_else(|| Refusal::broken("token of no sign-in"))
}

/// Who is asking. Reads only.
///
/// # Errors
/// `NotSignedIn` for an unknown token; `SignInExpired`, `SignInCopied` or `AccountRemoved` for one of a sign-in that ended;
/// `Forbidden` for a blocked account.
pub fn authenticate(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    token_hash: &[u8; 32],
    network_prefix: &str,
) -> Outcome<Known> {
    let Some(token) = session::token(tx, token_hash)? else { return Err(ErrorCode::NotSignedIn.into()) };
    let row = of_token(tx, &token)?;
    let account = living(tx, now, &row)?;
    if is_old(policy, now, &token, &row) && !faults::planted(faults::REUSE_UNDETECTED) {
        return Ok(Known::Copied);
    }
    let note_due = now.micros_since(row.last_used_at) >= TOUCH_EVERY_MICROS || token.number > row.token_number;
    let caller = Caller {
        role: stored_role(&account.role)?,
        account_id: account.id,
        session_id: row.id,
        network_prefix: network_prefix.to_owned(),
    };
    Ok(Known::Good { caller, note_due })
}

/// The account of a sign-in that has not ended.
fn living(tx: &mut Tx<'_>, now: Timestamp, row: &SessionRow) -> Outcome<AccountRow> {
    match row.ended_why.as_deref() {
        Some(why) if why == Why::Copied.code() => return Err(ErrorCode::SignInCopied.into()),
        Some(why) if why == Why::Removed.code() => return Err(ErrorCode::AccountRemoved.into()),
        Some(_) => return Err(ErrorCode::SignInExpired.into()),
        None if row.expires_at <= now => return Err(ErrorCode::SignInExpired.into()),
        None => {}
    }
    let Some(account) = account::by_id(tx, &row.account_id)? else { return Err(ErrorCode::SignInExpired.into()) };
    match account.status.as_str() {
        "active" => Ok(account),
        "blocked" => Err(ErrorCode::Forbidden.into()),
        _ => Err(ErrorCode::AccountRemoved.into()),
    }
}

/// Whether a token was replaced so long ago that no request of the device itself can still be on its way with it.
fn is_old(policy: &Policy, now: Timestamp, token: &TokenRow, row: &SessionRow) -> bool {
    let grace_micros = policy.limits.sign_ins.grace_micros;
    token.number < row.token_number && token.replaced_at.is_none_or(|at| now.micros_since(at) > grace_micros)
}

/// Whether a sign-in still holds: what began with one of its tokens may go on. Reads only; whether [`note_presence`] is due.
///
/// # Errors
/// Those of [`authenticate`].
pub fn still_signed_in(tx: &mut Tx<'_>, now: Timestamp, session_id: &str) -> Outcome<bool> {
    let row = session::by_id(tx, session_id)?.ok_or(ErrorCode::NotSignedIn)?;
    living(tx, now, &row)?;
    Ok(now.micros_since(row.last_used_at) >= TOUCH_EVERY_MICROS)
}

/// Notes that what began with a token of this sign-in still goes on.
///
/// # Errors
/// Those of [`authenticate`].
pub fn note_presence(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, session_id: &str) -> Outcome<()> {
    let row = session::by_id(tx, session_id)?.ok_or(ErrorCode::NotSignedIn)?;
    living(tx, now, &row)?;
    touch(tx, policy, now, &row)
}

/// Writes down what [`authenticate`] found due: the use, the first use of a new token, or the end of a copied sign-in. The
/// answer says what holds now, and must be committed first.
///
/// # Errors
/// Those of [`authenticate`].
pub fn note_use(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    token_hash: &[u8; 32],
    network_prefix: &str,
) -> Outcome<Known> {
    let known = authenticate(tx, policy, now, token_hash, network_prefix)?;
    let token = session::token(tx, token_hash)?.ok_or(ErrorCode::NotSignedIn)?;
    let row = of_token(tx, &token)?;
    if known == Known::Copied {
        end_copied(tx, now, &row)?;
        return Ok(known);
    }
    if token.number > row.token_number {
        session::move_on(tx, &row.id, token.number, now)?;
    }
    touch(tx, policy, now, &row)?;
    Ok(known)
}

fn touch(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, row: &SessionRow) -> Outcome<()> {
    session::touch(tx, &row.id, now, now.plus_micros(policy.limits.retention.session_micros()))?;
    Ok(account::touch_use(tx, &row.account_id, now, now.plus_micros(-TOUCH_ACCOUNT_EVERY_MICROS))?)
}

/// Two use what one was given: neither keeps it, whoever of them is the owner.
fn end_copied(tx: &mut Tx<'_>, now: Timestamp, row: &SessionRow) -> Outcome<()> {
    if !session::end(tx, &row.id, now, Why::Copied.code())? {
        return Ok(());
    }
    let account = account::by_id(tx, &row.account_id)?.ok_or_else(|| Refusal::broken("sign-in of nobody"))?;
    let role = role_code(stored_role(&account.role)?);
    audit::record(tx, now, &row.account_id, "sign_in_copied", &row.id, &json!({"role": role}))
}

/// Lets the token `next_hash` follow the one that the caller uses. The caller made it and keeps it already, so that no answer
/// has to arrive: the present token stays good until the next one was used. Asking again for the same changes nothing.
///
/// # Errors
/// Those of [`authenticate`]; `Throttled` before the token has its age; `FieldRefused` when the next one is taken.
pub fn renew(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    token_hash: &[u8; 32],
    next_hash: &[u8; 32],
) -> Outcome<Renewal> {
    let token = session::token(tx, token_hash)?.ok_or(ErrorCode::NotSignedIn)?;
    let row = of_token(tx, &token)?;
    if authenticate(tx, policy, now, token_hash, "")? == Known::Copied {
        end_copied(tx, now, &row)?;
        return Ok(Renewal::Copied);
    }
    let renew_after_micros = policy.limits.sign_ins.renew_after_micros;
    let done = |made_at: Timestamp| {
        Ok(Renewal::Done(Renewed { renew_at: made_at.plus_micros(renew_after_micros), expires_at: row.expires_at }))
    };
    if let Some(next) = session::token_numbered(tx, &row.id, token.number + 1)? {
        if next.token_hash == next_hash || faults::planted(faults::REUSE_UNDETECTED) {
            return done(next.made_at);
        }
        end_copied(tx, now, &row)?;
        return Ok(Renewal::Copied);
    }
    let left_micros = renew_after_micros.saturating_sub(now.micros_since(token.made_at));
    if left_micros > 0 {
        let retry_after_seconds = u32::try_from(left_micros / SECOND_MICROS + 1).unwrap_or(u32::MAX);
        return Err(ErrorCode::Throttled { retry_after_seconds }.into());
    }
    if session::token(tx, next_hash)?.is_some() {
        return Err(Refusal::field("next_hash", "taken"));
    }
    // Two at the same moment: the second meets the unique index, and finds the first when it asks again.
    session::insert_token(tx, &self::token(&row.id, token.number + 1, next_hash, now)).map_err(
        |error| match error {
            StoreError::Unique { .. } => Refusal::Told(ErrorCode::Busy),
            other => other.into(),
        },
    )?;
    done(now)
}

/// Ends this sign-in.
pub fn sign_out(tx: &mut Tx<'_>, now: Timestamp, caller: &Caller) -> Outcome<()> {
    session::end(tx, &caller.session_id, now, Why::SignedOut.code())?;
    audited(tx, now, caller.role, &caller.account_id, "signed_out")
}
