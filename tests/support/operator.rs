//! An operator, made at the server's own command line as the owner makes one.

use std::path::Path;

use crate::totp;

/// An operator's account.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Email.
    pub email: String,
    /// Password.
    pub password: String,
    /// Role, as on the wire.
    pub role: String,
    /// The authenticator's secret, base32.
    pub secret: String,
}

impl Operator {
    /// The one that a sandbox makes by itself, as its file in the sandbox's folder says.
    pub fn of_sandbox(data: &Path) -> Self {
        let text = std::fs::read_to_string(data.join("operator.txt")).unwrap();
        let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
        let (email, password, secret) = (line("email:"), line("password:"), line("authenticator:"));
        Self { email, password, role: "administrator".into(), secret }
    }

    /// The code that the authenticator shows now.
    pub fn code(&self) -> String {
        totp::code(&self.secret)
    }
}
