//! Host, port, user, host key and password of an SSH login.
//!
//! `ssh` takes a host or user that begins with a dash as an option (`-oProxyCommand=…` runs a program), and a shell gives
//! meaning to many characters. Each value here allows a short list of characters, so that none has to be forbidden.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::Unfit;
use crate::text::is_hidden;

/// Longest host name (RFC 1035).
const MAX_HOST: usize = 253;
/// Longest label of a host name (RFC 1035).
const MAX_LABEL: usize = 63;
/// Longest user name that Linux takes (useradd).
const MAX_USER: usize = 32;
/// Passwords handed over: at least so many characters,
const MIN_PASSWORD: usize = 12;
/// and at most so many.
const MAX_PASSWORD: usize = 128;
/// Bytes of a SHA-256 sum.
const SHA256_LEN: usize = 32;

/// Refuses what no single-line value may hold, and gives the most telling reason.
pub(super) fn fit(text: &str, max: usize, allowed: impl Fn(char) -> bool) -> Result<(), Unfit> {
    if text.is_empty() {
        return Err(Unfit::Empty);
    }
    if text.len() > max {
        return Err(Unfit::TooLong { max });
    }
    if text.starts_with('-') {
        return Err(Unfit::LeadingDash);
    }
    match text.chars().find(|symbol| !allowed(*symbol)) {
        None => Ok(()),
        Some(symbol) if is_hidden(symbol) => Err(Unfit::HiddenCharacter),
        Some(symbol) if symbol.is_whitespace() => Err(Unfit::Space),
        Some(symbol) => Err(Unfit::Character(symbol)),
    }
}

/// A host name or an IP address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshHost(String);

impl SshHost {
    /// Reads a host name in ASCII, an IPv4 or an IPv6 address without brackets, zone or port.
    ///
    /// # Errors
    /// Refuses everything else, also numbers that some programs take for an address (`0x7f.1`, `127.1`).
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        fit(text, MAX_HOST, |symbol| symbol.is_ascii_alphanumeric() || matches!(symbol, '.' | '-' | ':'))?;
        if text.parse::<IpAddr>().is_ok() || is_host_name(text) { Ok(Self(text.to_owned())) } else { Err(Unfit::Host) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub(super) fn is_host_name(text: &str) -> bool {
    let label = |label: &str| {
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        (1..=MAX_LABEL).contains(&label.len())
            && label.bytes().all(inner)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    // A name whose last label starts with a digit is read as an address by some programs (WHATWG URL).
    let last = text.rsplit('.').next().unwrap_or_default();
    text.split('.').all(label) && !last.starts_with(|symbol: char| symbol.is_ascii_digit())
        || text.parse::<Ipv4Addr>().is_ok()
}

/// A TCP port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SshPort(u16);

impl SshPort {
    /// A port from 1 to 65535.
    ///
    /// # Errors
    /// Refuses every other number.
    pub fn new(port: u32) -> Result<Self, Unfit> {
        match u16::try_from(port) {
            Ok(port) if port > 0 => Ok(Self(port)),
            _ => Err(Unfit::Port),
        }
    }

    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// A user name on the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshUser(String);

impl SshUser {
    /// Letters, digits, `_`, `.` and `-`, beginning with a letter, a digit or `_`; at most 32.
    ///
    /// # Errors
    /// Refuses everything else.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        fit(text, MAX_USER, |symbol| symbol.is_ascii_alphanumeric() || matches!(symbol, '_' | '.' | '-'))?;
        if text.starts_with('.') { Err(Unfit::Character('.')) } else { Ok(Self(text.to_owned())) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The SHA-256 fingerprint of a host key, as `ssh-keygen -l` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostKeyFingerprint(String);

impl HostKeyFingerprint {
    /// Reads `SHA256:` and 43 characters of base64 without padding.
    ///
    /// # Errors
    /// Refuses every other form, MD5 by name.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        fit(text, 100, |symbol| symbol.is_ascii_alphanumeric() || matches!(symbol, ':' | '+' | '/' | '='))?;
        let md5 = text.strip_prefix("MD5:").unwrap_or(text);
        if md5.len() == 47 && md5.split(':').all(|pair| pair.len() == 2) {
            return Err(Unfit::Md5Fingerprint);
        }
        let sum = text.strip_prefix("SHA256:").ok_or(Unfit::Fingerprint)?;
        let bytes = STANDARD_NO_PAD.decode(sum).map_err(|_| Unfit::Fingerprint)?;
        if bytes.len() == SHA256_LEN { Ok(Self(text.to_owned())) } else { Err(Unfit::Fingerprint) }
    }

    /// The text, `SHA256:` included.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A password that is handed over. It is not printed for debugging.
#[derive(Clone, PartialEq, Eq)]
pub struct SshPassword(String);

impl SshPassword {
    /// 12 to 128 characters of which no shell gives any a meaning: letters, digits and `@ % + = : , . / _ -`.
    ///
    /// # Errors
    /// Refuses everything else.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        fit(text, MAX_PASSWORD, |symbol| symbol.is_ascii_alphanumeric() || "@%+=:,./_-".contains(symbol))?;
        if text.len() < MIN_PASSWORD { Err(Unfit::TooShort { min: MIN_PASSWORD }) } else { Ok(Self(text.to_owned())) }
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SshPassword {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SshPassword(…)")
    }
}
