//! Native segwit addresses (BIP-173), version 0, paying to one key's hash: the only kind that is derived, signed and shown.

use bech32::{Hrp, segwit};
use domain::{Environment, Network};
use thiserror::Error;

use crate::chain;

/// A text that is no address we would ever give out on that network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// The network has no segwit addresses, or this build doesn't know the environment.
    #[error("this build knows no addresses of {} in the environment {}", network.code(), environment.code())]
    UnknownNetwork {
        /// The network asked for.
        network: Network,
        /// The environment asked for.
        environment: Environment,
    },
    /// Not a segwit address: a wrong character, length or checksum.
    #[error("not a segwit address, or its checksum is wrong")]
    NotSegwit,
    /// Another network's or another environment's address.
    #[error("the address belongs to another network: it should begin with {expected}1")]
    WrongPrefix {
        /// The prefix that the network has.
        expected: &'static str,
    },
    /// A witness version or a program that we don't issue: only version 0 with a key's hash of 20 bytes is.
    #[error("not an address of witness version 0 that pays to a key's hash")]
    NotKeyHash,
    /// Upper case. Addresses are signed, compared and drawn in lower case only.
    #[error("the address is not written in lower case")]
    NotLowerCase,
}

/// RIPEMD-160 of SHA-256 of a compressed public key: what the address says, and all that the chain knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyHash([u8; 20]);

impl KeyHash {
    /// From its bytes.
    pub const fn new(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The address on that network, in lower case.
    ///
    /// # Errors
    /// [`AddressError::UnknownNetwork`] when this build knows no prefix for it.
    pub fn to_address(self, network: Network, environment: Environment) -> Result<String, AddressError> {
        let prefix = Hrp::parse(prefix(network, environment)?).map_err(|_| AddressError::NotSegwit)?;
        segwit::encode_v0(prefix, &self.0).map_err(|_| AddressError::NotSegwit)
    }

    /// Reads an address of that network.
    ///
    /// # Errors
    /// See [`AddressError`]; every difference of a single character is one of them.
    pub fn from_address(address: &str, network: Network, environment: Environment) -> Result<Self, AddressError> {
        let expected = prefix(network, environment)?;
        let (found, version, program) = segwit::decode(address).map_err(|_| AddressError::NotSegwit)?;
        if found.to_lowercase() != expected {
            return Err(AddressError::WrongPrefix { expected });
        }
        let program = <[u8; 20]>::try_from(program).map_err(|_| AddressError::NotKeyHash)?;
        if version != segwit::VERSION_0 {
            return Err(AddressError::NotKeyHash);
        }
        if address.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(AddressError::NotLowerCase);
        }
        Ok(Self(program))
    }

    /// The output script in lower-case hex: `0014` and the hash (BIP-141), as nodes print `scriptPubKey.hex`.
    pub fn script_pubkey_hex(&self) -> String {
        format!("0014{}", hex::encode(self.0))
    }
}

/// The output script that an address of ours stands for, in lower-case hex as nodes print `scriptPubKey.hex`.
///
/// # Errors
/// Those of [`KeyHash::from_address`].
pub fn script_pubkey_hex(address: &str, network: Network, environment: Environment) -> Result<String, AddressError> {
    KeyHash::from_address(address, network, environment).map(|hash| hash.script_pubkey_hex())
}

fn prefix(network: Network, environment: Environment) -> Result<&'static str, AddressError> {
    chain::address_prefix(environment, network).ok_or(AddressError::UnknownNetwork { network, environment })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MAIN: Environment = Environment::Production;

    #[test]
    fn the_example_of_bip_173_pays_to_its_script() {
        let script = script_pubkey_hex("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", Network::Bitcoin, MAIN);
        assert_eq!(script.as_deref(), Ok("0014751e76e8199196d454941c45d1b3a323f1433bd6"));
    }

    #[test]
    fn what_a_customer_could_not_pay_on_litecoin_is_refused() {
        let check = |address: &str| KeyHash::from_address(address, Network::Litecoin, MAIN).err();
        let bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        assert_eq!(check(bitcoin), Some(AddressError::WrongPrefix { expected: "ltc" }));
        assert_eq!(check("ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh"), None);
        assert_eq!(check("LTC1QJMXNZ78NMC8NQ77WUXH25N2ES7RZM5C2RKK4WH"), Some(AddressError::NotLowerCase));
        assert_eq!(check("ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wj"), Some(AddressError::NotSegwit));
        assert_eq!(check("LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez"), Some(AddressError::NotSegwit));
        let hrp = Hrp::parse("ltc").unwrap();
        let script_hash = segwit::encode_v0(hrp, &[7; 32]).unwrap();
        let taproot = segwit::encode_v1(hrp, &[7; 32]).unwrap();
        assert_eq!(check(&script_hash), Some(AddressError::NotKeyHash));
        assert_eq!(check(&taproot), Some(AddressError::NotKeyHash));
    }

    #[cfg(not(feature = "test-networks"))]
    #[test]
    fn a_production_build_knows_no_test_address() {
        for environment in [Environment::Sandbox, Environment::Regtest] {
            for network in Network::ALL {
                let refused = Err(AddressError::UnknownNetwork { network, environment });
                assert_eq!(KeyHash::new([1; 20]).to_address(network, environment), refused);
                assert_eq!(chain::chain_id(environment, network), None);
            }
        }
    }

    proptest! {
        #[test]
        fn an_address_reads_back_and_no_neighbour_of_it_does(hash: [u8; 20], at in 0usize..43, bit in 0u8..7) {
            let hash = KeyHash::new(hash);
            let address = hash.to_address(Network::Litecoin, MAIN).unwrap();
            prop_assert_eq!(KeyHash::from_address(&address, Network::Litecoin, MAIN), Ok(hash));
            let mut bytes = address.into_bytes();
            bytes[at] ^= 1 << bit;
            let damaged = String::from_utf8(bytes).unwrap();
            prop_assert!(KeyHash::from_address(&damaged, Network::Litecoin, MAIN).is_err());
        }
    }
}
