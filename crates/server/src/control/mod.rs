//! What the command line changes in an installation. Each command has one implementation here: the running server carries it out when
//! there is one, and the command line itself, under the database's lock, when there is none (`docs/adr/0015`).

#[cfg_attr(not(unix), path = "no_door.rs")]
mod door;
mod operator;

use backend::{Policy, Refusal, accounts, addresses};
use manifest::TrustedKeys;
use serde::{Deserialize, Serialize};
use store::Store;
use thiserror::Error;

pub(crate) use self::door::{AskError, Door, ask};
pub(crate) use self::operator::{Made, NewOperatorForm, make};
use crate::clock::Clock;

/// A change that only the command line asks for. It may hold a password, so it is never printed or logged.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AdminCommand {
    /// Make an operator.
    AddOperator(NewOperatorForm),
    /// Check a signed file and add its addresses.
    ImportAddresses {
        /// The whole file.
        text: String,
    },
    /// Offers to begin with.
    InstallStarterCatalogue,
}

/// What commands are carried out on.
#[derive(Clone)]
pub(crate) struct Installation {
    pub store: Store,
    pub policy: Policy,
    /// Keys whose address files are taken.
    pub trusted_keys: Option<TrustedKeys>,
    pub clock: Clock,
}

/// Why a command changed nothing.
#[derive(Debug, Error)]
pub(crate) enum AdminError {
    #[error("{field}: {reason}")]
    Field { field: String, reason: String },
    #[error("an account with this email exists already")]
    EmailTaken,
    #[error("the configuration names no address key")]
    NoAddressKey,
    #[error("there are offers already; nothing was changed")]
    OffersExist,
    #[error("the system gives no randomness")]
    NoRandomness,
    #[error(transparent)]
    Refused(Refusal),
}

impl From<Refusal> for AdminError {
    fn from(refusal: Refusal) -> Self {
        use api::ErrorCode;
        match refusal {
            Refusal::Told(ErrorCode::FieldRefused { field, reason }) => AdminError::Field { field, reason },
            Refusal::Told(ErrorCode::RegistrationRefused) => AdminError::EmailTaken,
            other => AdminError::Refused(other),
        }
    }
}

impl AdminCommand {
    /// What the log calls it.
    fn name(&self) -> &'static str {
        match self {
            AdminCommand::AddOperator(_) => "operator add",
            AdminCommand::ImportAddresses { .. } => "addresses import",
            AdminCommand::InstallStarterCatalogue => "starter-catalogue",
        }
    }
}

impl Installation {
    /// Carries a command out; answers what the command line prints, secrets that are shown once included.
    pub fn carry_out(&self, command: AdminCommand) -> Result<String, AdminError> {
        match command {
            AdminCommand::AddOperator(form) => operator::add(self, form),
            AdminCommand::ImportAddresses { text } => self.import(text),
            AdminCommand::InstallStarterCatalogue => self.install_starter(),
        }
    }

    fn import(&self, text: String) -> Result<String, AdminError> {
        let keys = self.trusted_keys.ok_or(AdminError::NoAddressKey)?;
        let (policy, clock) = (self.policy.clone(), self.clock.clone());
        let imported = self
            .store
            .write(move |tx| addresses::import(tx, &policy, clock.now(), accounts::COMMAND_LINE, &text, &keys))?;
        Ok(format!(
            "{} added, {} signed again, {} given out before and left as they are",
            imported.added, imported.renewed, imported.issued_before
        ))
    }

    /// Whoever has offers keeps them.
    fn install_starter(&self) -> Result<String, AdminError> {
        let clock = self.clock.clone();
        let installed = self.store.write(move |tx| {
            if store::repo::catalogue::offers(tx)?.is_empty() {
                backend::catalogue::install_starter(tx, clock.now()).map(|()| true)
            } else {
                Ok::<_, Refusal>(false)
            }
        })?;
        if !installed {
            return Err(AdminError::OffersExist);
        }
        Ok("starter catalogue installed; its prices and stock are samples: set your own before you sell anything"
            .into())
    }
}
