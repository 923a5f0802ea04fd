//! The notebook's URL and token.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use super::Unfit;
use super::ssh::{fit, is_host_name};

/// Longest URL.
const MAX_URL: usize = 2048;
/// Longest token.
const MAX_TOKEN: usize = 256;

/// Where the notebook is and what opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notebook {
    /// Its URL.
    pub url: NotebookUrl,
    /// Its token.
    pub token: NotebookToken,
}

/// A URL that a browser opens and that no shell can take for anything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookUrl(String);

impl NotebookUrl {
    /// Reads `https://host[:port][/path]`; `http` only to this computer, through a tunnel. No user, query or fragment: the
    /// token stands apart.
    ///
    /// # Errors
    /// Refuses other schemes, and every character that has a meaning to a shell.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        fit(text, MAX_URL, |symbol| symbol.is_ascii_alphanumeric() || "-._~:/%[]".contains(symbol))?;
        let (secure, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err(Unfit::Url),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        if path.contains(['[', ']']) {
            return Err(Unfit::Url);
        }
        let host = host_of(authority).ok_or(Unfit::Url)?;
        let here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if secure || here { Ok(Self(text.to_owned())) } else { Err(Unfit::PlainHttp) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The host in `host`, `host:port` or `[v6]:port`, when all of it is well made.
fn host_of(authority: &str) -> Option<&str> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, after) = rest.split_once(']')?;
            host.parse::<Ipv6Addr>().ok()?;
            (host, if after.is_empty() { None } else { Some(after.strip_prefix(':')?) })
        }
        None => {
            let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
            is_host_name(host).then_some((host, port))?
        }
    };
    let good =
        |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    port.is_none_or(good).then_some(host)
}

/// The notebook's token. It is not printed for debugging.
#[derive(Clone, PartialEq, Eq)]
pub struct NotebookToken(String);

impl NotebookToken {
    /// Up to 256 letters, digits and `. _ ~ - =`.
    ///
    /// # Errors
    /// Refuses everything else.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        fit(text, MAX_TOKEN, |symbol| symbol.is_ascii_alphanumeric() || "._~-=".contains(symbol))?;
        Ok(Self(text.to_owned()))
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for NotebookToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NotebookToken(…)")
    }
}
