//! The sandbox's operator: one account, its password and its authenticator secret in a file for whoever tries things out.

use std::path::Path;
use std::{fs, io};

use backend::accounts::totp;
use domain::Timestamp;

use super::setup::SandboxError;
use crate::control::{Made, NewOperatorForm, make};
use crate::key_file;
use api::server::Role;
use backend::Policy;
use store::Store;

/// Email of the sandbox's operator: a domain that can't exist (RFC 2606).
pub const EMAIL: &str = "operator@sandbox.invalid";
const FILE: &str = "operator.txt";
const SECRET_LINE: &str = "secret (hex): ";

/// Makes the operator unless the folder holds one already; answers the file's text.
pub(super) fn ensure(folder: &Path, store: &Store, policy: &Policy, now: Timestamp) -> Result<String, SandboxError> {
    let file = folder.join(FILE);
    match fs::read_to_string(&file) {
        Ok(text) => return Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let form = NewOperatorForm {
        email: EMAIL.to_owned(),
        first_name: "Sandbox".to_owned(),
        last_name: "Operator".to_owned(),
        role: Role::Administrator,
        password: None,
    };
    let made = make(store, policy, now, form).map_err(|error| SandboxError::Operator(error.to_string()))?;
    let text = describe(&made);
    key_file::write_private(&file, &text)?;
    Ok(text)
}

fn describe(made: &Made) -> String {
    format!(
        "The operator of this sandbox\nemail: {EMAIL}\npassword: {}\nauthenticator: {}\n{}\n{SECRET_LINE}{}\n",
        made.password,
        totp::secret_text(&made.secret),
        totp::uri(&made.secret, EMAIL),
        hex::encode(made.secret),
    )
}

/// The code that the sandbox operator's authenticator shows now.
///
/// # Errors
/// When the folder holds no operator.
pub fn code_now(folder: &Path, now: Timestamp) -> io::Result<String> {
    let text = fs::read_to_string(folder.join(FILE))?;
    let secret =
        text.lines().find_map(|line| line.strip_prefix(SECRET_LINE)).and_then(|digits| hex::decode(digits).ok());
    secret.and_then(|secret| totp::code(&secret, now)).ok_or_else(|| io::Error::other("no authenticator secret in it"))
}
