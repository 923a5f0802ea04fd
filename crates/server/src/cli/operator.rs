//! Operators' accounts: made here, never over the network.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use api::server::Role;
use clap::{Subcommand, ValueEnum};

use super::{Outcome, Place, database};
use crate::clock::Clock;
use crate::control::{AdminCommand, NewOperatorForm};
use crate::sandbox;

#[derive(Subcommand)]
pub(super) enum OperatorCommand {
    /// Make an operator. The password is read from standard input, or made up when that is a terminal or empty.
    Add {
        #[command(flatten)]
        place: Place,
        /// Email.
        #[arg(long)]
        email: String,
        /// What the operator may do.
        #[arg(long)]
        role: OperatorRole,
        /// First name.
        #[arg(long, default_value = "Operator")]
        first_name: String,
        /// Last name.
        #[arg(long, default_value = "Kernodeck")]
        last_name: String,
    },
    /// The code that a sandbox operator's authenticator shows now.
    Code {
        /// The sandbox's folder.
        #[arg(long)]
        data: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum OperatorRole {
    /// Prepares machines and hands over access.
    Fulfilment,
    /// Decides about money.
    Treasury,
    /// Everything.
    Administrator,
}

impl From<OperatorRole> for Role {
    fn from(role: OperatorRole) -> Self {
        match role {
            OperatorRole::Fulfilment => Role::Fulfilment,
            OperatorRole::Treasury => Role::Treasury,
            OperatorRole::Administrator => Role::Administrator,
        }
    }
}

pub(super) fn run(command: OperatorCommand) -> Outcome {
    match command {
        OperatorCommand::Code { data } => println!("{}", sandbox::code_now(&data, Clock::default().now())?),
        OperatorCommand::Add { place, email, role, first_name, last_name } => {
            let password = typed_password()?;
            let form = NewOperatorForm { email, first_name, last_name, role: role.into(), password };
            database::change(&place, AdminCommand::AddOperator(form))?;
        }
    }
    Ok(())
}

/// A line of standard input, unless that is a terminal or empty.
fn typed_password() -> std::io::Result<Option<String>> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        return Ok(None);
    }
    let mut text = String::new();
    input.by_ref().take(4096).read_to_string(&mut text)?;
    let line = text.lines().next().unwrap_or_default();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}
