//! The only place that says whose address records are shown. It is fixed when the program is built; nothing at run time
//! adds a key.

use domain::{Environment, Network};
use manifest::{KeyError, PublicKey, TrustedKeys};
use thiserror::Error;

/// The build's own words: production's file, or the published test keys.
#[cfg(not(feature = "sandbox"))]
const TEXT: &str = include_str!("../trusted-keys/production.txt");
#[cfg(feature = "sandbox")]
const TEXT: &str = include_str!("../trusted-keys/sandbox.txt");

/// Environments whose records this build takes. The sandbox takes no production record and production no other.
#[cfg(not(feature = "sandbox"))]
pub const ENVIRONMENTS: &[Environment] = &[Environment::Production];
/// Environments whose records this build takes. The sandbox takes no production record and production no other.
#[cfg(feature = "sandbox")]
pub const ENVIRONMENTS: &[Environment] = &[Environment::Sandbox, Environment::Regtest];

/// A line of the key file that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrustError {
    /// Neither a comment nor one of the three forms.
    #[error("line {line} of the trusted keys is not «current», «next» or «floor»")]
    Line {
        /// Which one, from 1.
        line: usize,
    },
    /// No public key.
    #[error("line {line} of the trusted keys: {error}")]
    Key {
        /// Which one, from 1.
        line: usize,
        /// Why.
        error: KeyError,
    },
    /// A next key without a current one, or the same key twice.
    #[error("the trusted keys need a current one, and a next one that differs")]
    Pair,
}

/// Whose records this build shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The key in use.
    pub current: Option<PublicKey>,
    /// The key that may replace it.
    pub next: Option<PublicKey>,
    /// The lowest epoch of a network that this release accepts.
    pub floors: Vec<(Network, u32)>,
}

impl Trust {
    /// What was built in. `None` in [`Trust::keys`] until the owners have put their keys into the file.
    ///
    /// # Errors
    /// [`TrustError`], which a test of every build rules out.
    pub fn built_in() -> Result<Self, TrustError> {
        Self::parse(TEXT)
    }

    /// The keys for the check; `None` when this build trusts none.
    pub fn keys(&self) -> Option<TrustedKeys> {
        self.current.map(|current| TrustedKeys::new(current, self.next))
    }

    /// The release's floor for a network.
    pub fn floor(&self, network: Network) -> u32 {
        self.floors.iter().filter(|(of, _)| *of == network).map(|(_, epoch)| *epoch).max().unwrap_or(0)
    }

    /// Fingerprints for the screen, current first.
    pub fn fingerprints(&self) -> Vec<String> {
        [self.current, self.next].into_iter().flatten().map(|key| key.fingerprint().to_string()).collect()
    }

    fn parse(text: &str) -> Result<Self, TrustError> {
        let mut trust = Self::default();
        for (line, content) in (1..).zip(text.lines()) {
            let key = |text: &str| PublicKey::from_hex(text).map_err(|error| TrustError::Key { line, error });
            let words: Vec<&str> = content.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                ["current", text] if trust.current.is_none() => trust.current = Some(key(text)?),
                ["next", text] if trust.next.is_none() => trust.next = Some(key(text)?),
                ["floor", network, epoch] => {
                    let network = Network::from_code(network).ok_or(TrustError::Line { line })?;
                    trust.floors.push((network, epoch.parse().map_err(|_| TrustError::Line { line })?));
                }
                _ => return Err(TrustError::Line { line }),
            }
        }
        let orphan = trust.current.is_none() && trust.next.is_some();
        if orphan || (trust.next.is_some() && trust.next == trust.current) { Err(TrustError::Pair) } else { Ok(trust) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    const B: &str = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

    #[test]
    fn what_is_built_in_can_be_read() {
        Trust::built_in().unwrap();
        Trust::parse(include_str!("../trusted-keys/production.txt")).unwrap();
    }

    #[test]
    fn keys_and_floors_are_read_and_anything_doubtful_is_refused() {
        let good = format!("# ours\n\ncurrent {A}\nnext {B}\nfloor litecoin 3\n");
        let trust = Trust::parse(&good).unwrap();
        assert_eq!(trust.fingerprints().len(), 2);
        assert_eq!((trust.floor(Network::Litecoin), trust.floor(Network::Bitcoin)), (3, 0));
        assert!(trust.keys().is_some());
        for bad in [
            format!("current {A}\ncurrent {B}"),
            format!("current {A}\nnext {A}"),
            format!("next {B}"),
            format!("current {}", A.to_uppercase()),
            "current 00".into(),
            format!("trust {A}"),
            format!("current {A} {B}"),
            format!("current {A}\nfloor dogecoin 1"),
            format!("current {A}\nfloor litecoin -1"),
        ] {
            assert!(Trust::parse(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_file_without_keys_trusts_nobody() {
        assert!(Trust::parse("# none yet\n").unwrap().keys().is_none());
    }
}
