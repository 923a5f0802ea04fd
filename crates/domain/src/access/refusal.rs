//! Why a value of the access form is refused.

use thiserror::Error;

use super::PublicKeyRefused;

/// A field of the access form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessField {
    /// SSH host.
    Host,
    /// SSH port.
    Port,
    /// SSH user.
    User,
    /// Fingerprint of the host's key.
    HostKey,
    /// The customer's public key.
    PublicKey,
    /// SSH password.
    Password,
    /// The notebook's URL.
    NotebookUrl,
    /// The notebook's token.
    NotebookToken,
    /// Notes.
    Notes,
}

impl AccessField {
    /// The field's name on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            AccessField::Host => "host",
            AccessField::Port => "port",
            AccessField::User => "user",
            AccessField::HostKey => "host_key",
            AccessField::PublicKey => "public_key",
            AccessField::Password => "password",
            AccessField::NotebookUrl => "notebook_url",
            AccessField::NotebookToken => "notebook_token",
            AccessField::Notes => "notes",
        }
    }
}

/// An unfit field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}: {reason}", field.code())]
pub struct AccessRefused {
    /// Which field.
    pub field: AccessField,
    /// Why.
    pub reason: Unfit,
}

/// Why a value is unfit. The value itself is not repeated: it may be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// Nothing entered.
    #[error("nothing entered")]
    Empty,
    /// Too few characters.
    #[error("shorter than {min} characters")]
    TooShort {
        /// The fewest.
        min: usize,
    },
    /// Too many characters.
    #[error("longer than {max} characters")]
    TooLong {
        /// The most.
        max: usize,
    },
    /// It starts with a dash: `ssh` and other programs would take it as an option.
    #[error("starts with a dash, which a program takes as an option")]
    LeadingDash,
    /// A space, a line break, or another control or invisible character.
    #[error("holds a control character, a line break or an invisible character")]
    HiddenCharacter,
    /// A space.
    #[error("holds a space")]
    Space,
    /// A character that a shell gives a meaning, or that has no place in such a value.
    #[error("holds {0:?}, which has no place here")]
    Character(char),
    /// Not a number from 1 to 65535.
    #[error("not a port")]
    Port,
    /// Neither a host name nor an address.
    #[error("neither a host name nor an IP address")]
    Host,
    /// Not `SHA256:` and 43 characters of base64.
    #[error("not a SHA256 fingerprint")]
    Fingerprint,
    /// An MD5 fingerprint, which can be forged.
    #[error("an MD5 fingerprint, SHA256 is needed")]
    Md5Fingerprint,
    /// Not an `https` URL with a host and a plain path.
    #[error("not an https URL with a host and a plain path")]
    Url,
    /// `http` to another machine would show the token to everyone between.
    #[error("http is for a tunnel to this computer only")]
    PlainHttp,
    /// Both a public key and a password, or neither.
    #[error("exactly one of public key and password is needed")]
    NotExactlyOneLogin,
    /// An unfit public key.
    #[error(transparent)]
    PublicKey(#[from] PublicKeyRefused),
}

impl Unfit {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(self) -> &'static str {
        match self {
            Unfit::Empty => "empty",
            Unfit::TooShort { .. } => "too_short",
            Unfit::TooLong { .. } => "too_long",
            Unfit::LeadingDash => "leading_dash",
            Unfit::HiddenCharacter => "hidden_character",
            Unfit::Space => "space",
            Unfit::Character(_) => "character",
            Unfit::Port => "port",
            Unfit::Host => "host",
            Unfit::Fingerprint => "fingerprint",
            Unfit::Md5Fingerprint => "md5_fingerprint",
            Unfit::Url => "url",
            Unfit::PlainHttp => "plain_http",
            Unfit::NotExactlyOneLogin => "not_exactly_one_login",
            Unfit::PublicKey(refused) => refused.reason(),
        }
    }
}
