//! Access to a rented machine: what is handed over, checked so that nothing in it can act as an option or a command (O4).

mod notebook;
mod public_key;
mod refusal;
mod ssh;

use std::fmt;

pub use notebook::{Notebook, NotebookToken, NotebookUrl};
pub use public_key::{KeyKind, PublicKey, PublicKeyRefused};
pub use refusal::{AccessField, AccessRefused, Unfit};
pub use ssh::{HostKeyFingerprint, SshHost, SshPassword, SshPort, SshUser};

use crate::text::is_hidden;

/// Longest notes, in characters.
const MAX_NOTES_CHARS: usize = 4000;

/// How the customer logs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SshLogin {
    /// With the customer's own key, which is preferred.
    PublicKey(PublicKey),
    /// With a password.
    Password(SshPassword),
}

/// Everything that is handed over. Only checked values are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// SSH host.
    pub host: SshHost,
    /// SSH port.
    pub port: SshPort,
    /// SSH user.
    pub user: SshUser,
    /// Fingerprint of the host's key, to compare at the first login.
    pub host_key: HostKeyFingerprint,
    /// How to log in.
    pub login: SshLogin,
    /// The notebook, if there is one.
    pub notebook: Option<Notebook>,
    /// Free notes.
    pub notes: Notes,
}

/// Access as it was typed. An empty text means that nothing was entered.
#[derive(Clone, Default)]
pub struct AccessInput {
    /// SSH host.
    pub host: String,
    /// SSH port.
    pub port: u32,
    /// SSH user.
    pub user: String,
    /// Fingerprint of the host's key.
    pub host_key: String,
    /// The customer's public key; or a password.
    pub public_key: String,
    /// A password; or the customer's public key.
    pub password: String,
    /// The notebook's URL; empty without a notebook.
    pub notebook_url: String,
    /// The notebook's token; empty without a notebook.
    pub notebook_token: String,
    /// Free notes.
    pub notes: String,
}

impl AccessInput {
    /// Checks every field and names all that are unfit, not only the first.
    ///
    /// # Errors
    /// One [`AccessRefused`] for each unfit field.
    pub fn check(&self) -> Result<Access, Vec<AccessRefused>> {
        let mut refused = Vec::new();
        let host = keep(SshHost::parse(&self.host), AccessField::Host, &mut refused);
        let port = keep(SshPort::new(self.port), AccessField::Port, &mut refused);
        let user = keep(SshUser::parse(&self.user), AccessField::User, &mut refused);
        let host_key = keep(HostKeyFingerprint::parse(&self.host_key), AccessField::HostKey, &mut refused);
        let login = self.login(&mut refused);
        let notebook = self.notebook(&mut refused);
        let notes = keep(Notes::parse(&self.notes), AccessField::Notes, &mut refused);
        match (host, port, user, host_key, login, notebook, notes) {
            (Some(host), Some(port), Some(user), Some(host_key), Some(login), Some(notebook), Some(notes))
                if refused.is_empty() =>
            {
                Ok(Access { host, port, user, host_key, login, notebook, notes })
            }
            _ => Err(refused),
        }
    }

    fn login(&self, refused: &mut Vec<AccessRefused>) -> Option<SshLogin> {
        match (self.public_key.is_empty(), self.password.is_empty()) {
            (false, true) => match PublicKey::parse(&self.public_key) {
                Ok(key) => Some(SshLogin::PublicKey(key)),
                Err(reason) => {
                    refused.push(AccessRefused { field: AccessField::PublicKey, reason: Unfit::PublicKey(reason) });
                    None
                }
            },
            (true, false) => {
                keep(SshPassword::parse(&self.password), AccessField::Password, refused).map(SshLogin::Password)
            }
            _ => {
                refused.push(AccessRefused { field: AccessField::PublicKey, reason: Unfit::NotExactlyOneLogin });
                None
            }
        }
    }

    /// The outer option says whether it is fit, the inner whether there is a notebook.
    fn notebook(&self, refused: &mut Vec<AccessRefused>) -> Option<Option<Notebook>> {
        if self.notebook_url.is_empty() && self.notebook_token.is_empty() {
            return Some(None);
        }
        let url = keep(NotebookUrl::parse(&self.notebook_url), AccessField::NotebookUrl, refused);
        let token = keep(NotebookToken::parse(&self.notebook_token), AccessField::NotebookToken, refused);
        Some(Some(Notebook { url: url?, token: token? }))
    }
}

fn keep<T>(checked: Result<T, Unfit>, field: AccessField, refused: &mut Vec<AccessRefused>) -> Option<T> {
    checked.map_err(|reason| refused.push(AccessRefused { field, reason })).ok()
}

/// Free notes: shown as text, never run. They may hold secrets, so they are not printed for debugging.
#[derive(Clone, PartialEq, Eq)]
pub struct Notes(String);

impl Notes {
    /// Notes of at most 4000 characters, in which line breaks are the only control characters.
    ///
    /// # Errors
    /// Refuses longer ones and hidden characters.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        if text.chars().count() > MAX_NOTES_CHARS {
            return Err(Unfit::TooLong { max: MAX_NOTES_CHARS });
        }
        let hidden = |symbol: char| symbol != '\n' && is_hidden(symbol);
        if text.chars().any(hidden) { Err(Unfit::HiddenCharacter) } else { Ok(Self(text.to_owned())) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Notes(…)")
    }
}

#[cfg(test)]
mod tests;
