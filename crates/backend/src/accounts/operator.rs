//! Operators are made on the command line, never over the network.

use api::server::Role;
use domain::Timestamp;
use serde_json::json;
use store::Tx;

use super::register::{self, NewAccount};
use super::{role_code, totp};
use crate::audit;
use crate::refusal::{Outcome, Refusal};
use crate::seal::Sealer;

/// Who the audit log names for what is done at the server's own command line.
pub const COMMAND_LINE: &str = "command-line";

/// An operator to be made.
#[derive(Clone)]
pub struct NewOperator {
    /// Names, email, password.
    pub account: NewAccount,
    /// Any role but the customer's.
    pub role: Role,
    /// The authenticator's secret.
    pub secret: [u8; totp::SECRET_BYTES],
}

/// Makes an operator's account; answers its id.
///
/// # Errors
/// `RegistrationRefused` when the email has an account.
pub fn add_operator(tx: &mut Tx<'_>, sealer: &Sealer, now: Timestamp, new: &NewOperator) -> Outcome<String> {
    if new.role == Role::Customer {
        return Err(Refusal::broken("an operator in the customer's role"));
    }
    let mut row = register::row(&new.account, new.role, now);
    row.authenticator_sealed = Some(sealer.seal(&totp::sealed_about(&row.id), &new.secret)?);
    register::insert(tx, &row)?;
    audit::record(tx, now, COMMAND_LINE, "operator_added", &row.id, &json!({"role": role_code(new.role)}))?;
    Ok(row.id)
}
