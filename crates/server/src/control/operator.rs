//! Making an operator's account.

use std::fmt::Write;

use api::ErrorCode;
use api::server::Role;
use backend::accounts::{self, NewAccount, NewOperator, totp};
use backend::{Policy, Refusal};
use domain::Timestamp;
use domain::credentials::{Email, PersonName};
use serde::{Deserialize, Serialize};
use store::Store;

use super::{AdminError, Installation};
use crate::password::Passwords;

/// Random bytes of a generated password: 160 bits.
const PASSWORD_BYTES: usize = 20;

/// An operator as asked for.
#[derive(Serialize, Deserialize)]
pub(crate) struct NewOperatorForm {
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub role: Role,
    /// Made up when there is none.
    pub password: Option<String>,
}

/// An operator that was made. Both secrets are shown once.
pub(crate) struct Made {
    pub password: String,
    pub secret: [u8; totp::SECRET_BYTES],
}

/// Makes an operator and says how they sign in; a password that was typed is not said again.
pub(super) fn add(installation: &Installation, form: NewOperatorForm) -> Result<String, AdminError> {
    let Installation { store, policy, clock, .. } = installation;
    let (email, made_up) = (form.email.clone(), form.password.is_none());
    let made = make(store, policy, clock.now(), form)?;
    let mut text = format!("operator {email} made\n");
    if made_up {
        // Writing into a string can't fail.
        let _ = writeln!(text, "password: {}", made.password);
    }
    let _ = write!(text, "authenticator: {}\n{}", totp::secret_text(&made.secret), totp::uri(&made.secret, &email));
    Ok(text)
}

/// Makes an operator's account.
pub(crate) fn make(store: &Store, policy: &Policy, now: Timestamp, form: NewOperatorForm) -> Result<Made, AdminError> {
    let field = |field: &str, reason: &str| AdminError::from(Refusal::field(field, reason));
    let email = Email::parse(&form.email).map_err(|error| field("email", error.reason()))?;
    let first_name = PersonName::parse(&form.first_name).map_err(|error| field("first_name", error.reason()))?;
    let last_name = PersonName::parse(&form.last_name).map_err(|error| field("last_name", error.reason()))?;
    let password = match form.password {
        Some(password) => password,
        None => hex::encode(random::<PASSWORD_BYTES>()?),
    };
    let told = |code: ErrorCode| AdminError::from(Refusal::Told(code));
    let names = [&first_name, &last_name];
    let hash =
        Passwords::new().map_err(told)?.choose(form.role, "password", &password, &email, &names).map_err(told)?;
    let secret = random::<{ totp::SECRET_BYTES }>()?;
    let email_typed = form.email.trim().to_owned();
    let account = NewAccount { first_name, last_name, email, email_typed, password_hash: hash };
    let new = NewOperator { account, role: form.role, secret };
    let sealer = policy.sealer.clone();
    store.write(move |tx| accounts::add_operator(tx, &sealer, now, &new))?;
    Ok(Made { password, secret })
}

fn random<const N: usize>() -> Result<[u8; N], AdminError> {
    let mut bytes = [0u8; N];
    getrandom::fill(&mut bytes).map_err(|_| AdminError::NoRandomness)?;
    Ok(bytes)
}
