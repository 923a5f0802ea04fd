//! How often a password may be tried. Nobody can lock somebody else out: a name that is attacked from many networks
//! leaves each network fewer tries, never none.

use api::ErrorCode;
use domain::Timestamp;
use domain::credentials::Email;
use domain::time::{HOUR_MICROS, MINUTE_MICROS, SECOND_MICROS};
use sha2::{Digest, Sha256};
use store::Tx;
use store::repo::session;

use crate::refusal::Outcome;

const SIGN_IN_WINDOW_MICROS: i64 = 15 * MINUTE_MICROS;
/// Tries of one name from one network.
const PER_NAME_AND_PREFIX: i64 = 10;
/// The same while the name is being attacked.
const PER_NAME_AND_PREFIX_ATTACKED: i64 = 3;
/// Tries of a name from everywhere, within an hour, after which it counts as attacked.
const ATTACKED_FROM: i64 = 100;
/// Tries of any name from one network.
const PER_PREFIX: i64 = 100;
const REGISTRATION_WINDOW_MICROS: i64 = HOUR_MICROS;
/// Registrations tried from one network.
const REGISTRATIONS_PER_PREFIX: i64 = 30;
/// Tries of the old password by one account.
const PASSWORD_CHANGES: i64 = 10;
/// The longest window.
const LONGEST_WINDOW_MICROS: i64 = HOUR_MICROS;

/// Whether a try may go on. It is counted either way, so the use case must be committed before the answer is acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go on.
    Allowed,
    /// Too many.
    Wait {
        /// Until then.
        seconds: u32,
    },
}

impl Verdict {
    /// As a refusal.
    ///
    /// # Errors
    /// [`ErrorCode::Throttled`].
    pub fn check(self) -> Result<(), ErrorCode> {
        match self {
            Verdict::Allowed => Ok(()),
            Verdict::Wait { seconds } => Err(ErrorCode::Throttled { retry_after_seconds: seconds }),
        }
    }
}

struct Counted {
    tries: i64,
    seconds_left: u32,
}

fn count(tx: &mut Tx<'_>, now: Timestamp, key: &str, window_micros: i64) -> Outcome<Counted> {
    let (tries, started) = session::count_try(tx, key, now, now.plus_micros(-window_micros))?;
    let left_micros = window_micros.saturating_sub(now.micros_since(started)).max(0);
    let seconds_left = u32::try_from(left_micros / SECOND_MICROS + 1).unwrap_or(u32::MAX);
    Ok(Counted { tries, seconds_left })
}

fn verdict(counted: &Counted, allowed: i64) -> Verdict {
    if counted.tries <= allowed { Verdict::Allowed } else { Verdict::Wait { seconds: counted.seconds_left } }
}

fn first_wait(verdicts: [Verdict; 2]) -> Verdict {
    verdicts.into_iter().find(|verdict| *verdict != Verdict::Allowed).unwrap_or(Verdict::Allowed)
}

/// A name in a key: hashed, so that emails of people without an account are not kept.
fn hidden(email: &Email) -> String {
    hex::encode(Sha256::digest(email.as_str()))
}

pub(super) fn name_and_prefix_key(email: &Email, prefix: &str) -> String {
    format!("sign-in:{}:{prefix}", hidden(email))
}

/// Counts a try to sign in, before the password is looked at and whether or not the account exists.
pub fn try_sign_in(tx: &mut Tx<'_>, now: Timestamp, email: &Email, prefix: &str) -> Outcome<Verdict> {
    let name = count(tx, now, &format!("name:{}", hidden(email)), HOUR_MICROS)?;
    let pair = count(tx, now, &name_and_prefix_key(email, prefix), SIGN_IN_WINDOW_MICROS)?;
    let network = count(tx, now, &format!("sign-in-from:{prefix}"), SIGN_IN_WINDOW_MICROS)?;
    let allowed = if name.tries > ATTACKED_FROM { PER_NAME_AND_PREFIX_ATTACKED } else { PER_NAME_AND_PREFIX };
    Ok(first_wait([verdict(&pair, allowed), verdict(&network, PER_PREFIX)]))
}

/// Counts a try to register.
pub fn try_registration(tx: &mut Tx<'_>, now: Timestamp, prefix: &str) -> Outcome<Verdict> {
    let network = count(tx, now, &format!("register-from:{prefix}"), REGISTRATION_WINDOW_MICROS)?;
    Ok(verdict(&network, REGISTRATIONS_PER_PREFIX))
}

/// Counts a try to change a password: a stolen sign-in must not become a password by guessing.
pub fn try_password_change(tx: &mut Tx<'_>, now: Timestamp, account_id: &str) -> Outcome<Verdict> {
    let account = count(tx, now, &format!("password:{account_id}"), SIGN_IN_WINDOW_MICROS)?;
    Ok(verdict(&account, PASSWORD_CHANGES))
}

/// Forgets windows that are over.
pub fn forget_old_tries(tx: &mut Tx<'_>, now: Timestamp) -> Outcome<u64> {
    Ok(session::sweep_tries(tx, now.plus_micros(-LONGEST_WINDOW_MICROS))?)
}
