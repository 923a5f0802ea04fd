//! Operators' accounts: made here, never over the network.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use api::server::Role;
use backend::Policy;
use backend::accounts::{self, NewAccount, NewOperator, totp};
use clap::{Subcommand, ValueEnum};
use domain::Timestamp;
use domain::credentials::{Email, PersonName};
use store::{Store, WriteOptions};

use super::{Outcome, Place, database};
use crate::clock::Clock;
use crate::handlers::AUDIT_HEAD_LOCK;
use crate::password::Passwords;
use crate::sandbox::{self, SandboxError};

/// Random bytes of a generated password: 160 bits.
const PASSWORD_BYTES: usize = 20;

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

/// An operator as asked for.
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

pub(super) fn run(command: OperatorCommand) -> Outcome {
    match command {
        OperatorCommand::Code { data } => println!("{}", sandbox::code_now(&data, Clock::default().now())?),
        OperatorCommand::Add { place, email, role, first_name, last_name } => {
            let installation = database::open(&place)?;
            let password = typed_password()?;
            let generated = password.is_none();
            let form = NewOperatorForm { email: email.clone(), first_name, last_name, role: role.into(), password };
            let made = make(&installation.store, &installation.policy, Clock::default().now(), form)?;
            installation.store.close();
            println!("operator {email} made");
            if generated {
                println!("password: {}", made.password);
            }
            println!("authenticator: {}\n{}", totp::secret_text(&made.secret), totp::uri(&made.secret, &email));
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

/// Makes an operator's account.
pub(crate) fn make(
    store: &Store,
    policy: &Policy,
    now: Timestamp,
    form: NewOperatorForm,
) -> Result<Made, SandboxError> {
    let refused = |what: &dyn std::fmt::Debug| SandboxError::Operator(format!("{what:?}"));
    let email = Email::parse(&form.email).map_err(|error| refused(&error))?;
    let first_name = PersonName::parse(&form.first_name).map_err(|error| refused(&error))?;
    let last_name = PersonName::parse(&form.last_name).map_err(|error| refused(&error))?;
    let password = match form.password {
        Some(password) => password,
        None => hex::encode(random::<PASSWORD_BYTES>()?),
    };
    let passwords = Passwords::new().map_err(|error| refused(&error))?;
    let names = [&first_name, &last_name];
    let hash = passwords.choose(form.role, "password", &password, &email, &names).map_err(|error| refused(&error))?;
    let secret = random::<{ totp::SECRET_BYTES }>()?;
    let email_typed = form.email.trim().to_owned();
    let account = NewAccount { first_name, last_name, email, email_typed, password_hash: hash };
    let new = NewOperator { account, role: form.role, secret };
    let sealer = policy.sealer.clone();
    let options = WriteOptions { locks: vec![AUDIT_HEAD_LOCK], ..WriteOptions::default() };
    store.write_with(&options, move |tx| accounts::add_operator(tx, &sealer, now, &new))?;
    Ok(Made { password, secret })
}

fn random<const N: usize>() -> Result<[u8; N], SandboxError> {
    let mut bytes = [0u8; N];
    getrandom::fill(&mut bytes).map_err(|error| SandboxError::Operator(error.to_string()))?;
    Ok(bytes)
}
