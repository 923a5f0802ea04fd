//! Every address ever given out, by its script.

use std::collections::HashMap;

use thiserror::Error;

/// A pair that can't be watched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WatchError {
    /// Not hex, or empty.
    #[error("the script of {address} is not hex")]
    NotHex {
        /// The address that came with it.
        address: String,
    },
    /// One script under two addresses: money to it would belong to two people.
    #[error("{address} and {known} have the same script")]
    TwoAddresses {
        /// The address that was to be added.
        address: String,
        /// The one that stands.
        known: String,
    },
}

/// The scripts of all addresses ever issued on one network. A block is matched against it at a cost that depends neither on
/// the number of addresses nor on the number of open payments.
///
/// An address must be in here before anybody is shown it: a block that was read without it is not read again. Simplest is to put in every
/// imported address, issued or not. Matching is by script: an address has several spellings, a
/// script has one, and nodes differ in how they print addresses.
#[derive(Clone, Debug, Default)]
pub struct WatchSet {
    by_script: HashMap<Box<[u8]>, String>,
}

impl WatchSet {
    /// Watches nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Watches one more address. Adding a pair again changes nothing.
    ///
    /// # Errors
    /// [`WatchError`]; the set is then as it was.
    pub fn insert(&mut self, script_hex: &str, address: &str) -> Result<(), WatchError> {
        let script = hex::decode(script_hex)
            .ok()
            .filter(|script| !script.is_empty())
            .ok_or_else(|| WatchError::NotHex { address: address.to_owned() })?;
        match self.by_script.get(script.as_slice()) {
            Some(known) if known != address => {
                Err(WatchError::TwoAddresses { address: address.to_owned(), known: known.clone() })
            }
            Some(_) => Ok(()),
            None => {
                self.by_script.insert(script.into_boxed_slice(), address.to_owned());
                Ok(())
            }
        }
    }

    /// The address of that script, if it is watched.
    pub fn address_of(&self, script: &[u8]) -> Option<&str> {
        self.by_script.get(script).map(String::as_str)
    }

    /// How many addresses are watched.
    pub fn len(&self) -> usize {
        self.by_script.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.by_script.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_script_never_belongs_to_two_customers() {
        let mut watch = WatchSet::new();
        watch.insert("0014AA", "first").unwrap();
        watch.insert("0014aa", "first").unwrap();
        let refused = watch.insert("0014aa", "second");
        assert_eq!(refused, Err(WatchError::TwoAddresses { address: "second".into(), known: "first".into() }));
        assert_eq!(watch.address_of(&[0x00, 0x14, 0xaa]), Some("first"));
        assert_eq!(watch.len(), 1);
    }

    #[test]
    fn a_script_that_is_no_hex_is_refused_rather_than_never_matched() {
        for script in ["", "0", "zz", "0x00"] {
            assert!(WatchSet::new().insert(script, "a").is_err(), "{script:?}");
        }
    }
}
