//! What tells one chain from another: chain ids and address prefixes.

use domain::{Environment, Network};

/// Whether this build knows the environment at all. A production build knows production only.
pub const fn knows(environment: Environment) -> bool {
    matches!(environment, Environment::Production) || cfg!(feature = "test-networks")
}

/// The chain's identity: the genesis block's hash for Bitcoin's family (64 lower-case hex digits, as nodes print it), the decimal
/// EIP-155 number for Ethereum. `None` when this build has no such chain.
///
/// Genesis hashes are the answers of `getblockhash 0`; a sandbox chain has a made-up one, [`sandbox_chain_id`].
pub fn chain_id(environment: Environment, network: Network) -> Option<String> {
    match (environment, network) {
        (Environment::Production, Network::Bitcoin) => {
            Some("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f".into())
        }
        (Environment::Production, Network::Litecoin) => {
            Some("12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2".into())
        }
        (Environment::Production, Network::Ethereum) => Some("1".into()),
        (Environment::Production, Network::Tron | Network::Solana) => None,
        (Environment::Sandbox | Environment::Regtest, _) => test_chain_id(environment, network),
    }
}

/// The prefix of a native segwit address (BIP-173). `None` when the network has none or this build doesn't know it.
pub const fn address_prefix(environment: Environment, network: Network) -> Option<&'static str> {
    match (environment, network) {
        (Environment::Production, Network::Bitcoin) => Some("bc"),
        (Environment::Production, Network::Litecoin) => Some("ltc"),
        (Environment::Production, _) => None,
        (Environment::Sandbox | Environment::Regtest, _) => test_prefix(environment, network),
    }
}

/// A simulated chain's identity: SHA-256 of `kernodeck sandbox <network> genesis`.
#[cfg(feature = "test-networks")]
pub fn sandbox_chain_id(network: Network) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(Sha256::digest(format!("kernodeck sandbox {} genesis", network.code())))
}

#[cfg(feature = "test-networks")]
fn test_chain_id(environment: Environment, network: Network) -> Option<String> {
    match (environment, network) {
        (Environment::Sandbox, network) => Some(sandbox_chain_id(network)),
        (Environment::Regtest, Network::Bitcoin) => {
            Some("0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206".into())
        }
        (Environment::Regtest, Network::Litecoin) => {
            Some("530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9".into())
        }
        _ => None,
    }
}

#[cfg(feature = "test-networks")]
const fn test_prefix(environment: Environment, network: Network) -> Option<&'static str> {
    match (environment, network) {
        (Environment::Sandbox, Network::Bitcoin) => Some("tb"),
        (Environment::Sandbox, Network::Litecoin) => Some("tltc"),
        (Environment::Regtest, Network::Bitcoin) => Some("bcrt"),
        (Environment::Regtest, Network::Litecoin) => Some("rltc"),
        _ => None,
    }
}

#[cfg(not(feature = "test-networks"))]
const fn test_chain_id(_environment: Environment, _network: Network) -> Option<String> {
    None
}

#[cfg(not(feature = "test-networks"))]
const fn test_prefix(_environment: Environment, _network: Network) -> Option<&'static str> {
    None
}
