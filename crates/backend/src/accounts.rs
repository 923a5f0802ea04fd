//! Accounts: registration, sign-in, sign-ins that end, passwords, operators and their authenticators (A1–A4, W1).
//!
//! No password is hashed in here: that takes tens of milliseconds on purpose, and nothing else may wait for it. The caller
//! reads the stored hash, checks the password outside, and hands back the hash it checked against; if another was stored
//! meanwhile, nothing happens.

mod idle;
mod operator;
mod password;
mod register;
mod session;
mod sign_in;
mod throttle;
pub mod totp;

pub use idle::{IDLE_JOB, IdlePage, find_idle, remove_idle};
pub use operator::{COMMAND_LINE, NewOperator, add_operator};
pub use password::{Change, change_password, current_hash};
pub use register::{NewAccount, register};
pub use session::{
    Known, NewSession, Renewal, Renewed, SignIns, authenticate, note_presence, note_use, renew, sign_out,
    still_signed_in,
};
pub use sign_in::{ForSignIn, Proof, account_for_sign_in, sign_in};
pub use throttle::{Verdict, forget_old_tries, try_password_change, try_registration, try_sign_in};

use api::server::Role;
use domain::Timestamp;
use store::Tx;

use crate::audit;
use crate::refusal::{Outcome, Refusal};

/// A sign-in that was made. The token itself is known to the one who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedInParts {
    /// The account.
    pub account_id: String,
    /// In which role.
    pub role: Role,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// The sign-in.
    pub session_id: String,
    /// From then on its token is to be replaced.
    pub renew_at: Timestamp,
    /// When it ends if it is not used.
    pub expires_at: Timestamp,
}

/// The role's code in the database.
pub const fn role_code(role: Role) -> &'static str {
    match role {
        Role::Customer => "customer",
        Role::Fulfilment => "fulfilment",
        Role::Treasury => "treasury",
        Role::Administrator => "administrator",
    }
}

/// The role of a code.
pub fn role_of(code: &str) -> Option<Role> {
    let all = [Role::Customer, Role::Fulfilment, Role::Treasury, Role::Administrator];
    all.into_iter().find(|role| role_code(*role) == code)
}

/// Operators' actions are in the audit log; customers' are in their own rows, so that the log's head does not make every
/// sign-in wait for every other.
fn audited(tx: &mut Tx<'_>, now: Timestamp, role: Role, account_id: &str, action: &str) -> Outcome<()> {
    if role == Role::Customer {
        return Ok(());
    }
    audit::record(tx, now, account_id, action, account_id, &serde_json::json!({"role": role_code(role)}))
}

fn stored_role(code: &str) -> Outcome<Role> {
    role_of(code).ok_or_else(|| Refusal::broken(format!("role {code}")))
}
