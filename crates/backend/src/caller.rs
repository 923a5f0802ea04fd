//! Who is asking, and what that person may see.

use api::ErrorCode;
use api::server::Role;

use crate::refusal::Outcome;

/// A signed-in person, as the sign-in says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub account_id: String,
    /// Its role.
    pub role: Role,
    /// The sign-in.
    pub session_id: String,
    /// Prefix of the client's network address, for limits.
    pub network_prefix: String,
}

impl Caller {
    /// Refuses everybody but customers.
    pub fn customer(&self) -> Outcome<&str> {
        if self.role == Role::Customer { Ok(&self.account_id) } else { Err(ErrorCode::Forbidden.into()) }
    }

    /// Refuses everybody but operators.
    pub fn operator(&self) -> Outcome<&str> {
        if self.role == Role::Customer { Err(ErrorCode::Forbidden.into()) } else { Ok(&self.account_id) }
    }

    /// Refuses everybody but those who prepare machines.
    pub fn fulfilment(&self) -> Outcome<&str> {
        match self.role {
            Role::Fulfilment | Role::Administrator => Ok(&self.account_id),
            Role::Customer | Role::Treasury => Err(ErrorCode::Forbidden.into()),
        }
    }

    /// Refuses everybody but administrators.
    pub fn administrator(&self) -> Outcome<&str> {
        if self.role == Role::Administrator { Ok(&self.account_id) } else { Err(ErrorCode::Forbidden.into()) }
    }

    /// Whether the thing belongs to the caller; to a stranger it does not exist.
    pub fn owns(&self, account_id: &str) -> Outcome<()> {
        let fault = faults::planted(faults::NO_OWNER_CHECK);
        if self.account_id == account_id || fault { Ok(()) } else { Err(ErrorCode::NotFound.into()) }
    }
}
