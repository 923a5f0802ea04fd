//! The published test keys and the pool of test addresses.

use domain::{Environment, Network, Timestamp};
use manifest::{Day, KeyHash, MAX_VALIDITY_DAYS, SignError, SigningKey, Terms, TrustedKeys, sign_file};
use sha2::{Digest, Sha256};

/// Seed of the key that signs test addresses. Everybody may know it: it protects nothing, and the production desktop does
/// not trust it. The desktop's sandbox build trusts its public half (`crates/client/trusted-keys/sandbox.txt`).
pub const SIGNING_SEED: &[u8; 32] = b"Kernodeck sandbox signing key #1";
/// Epoch of all test addresses.
const EPOCH: u32 = 1;

/// The keys that a sandbox server takes files of.
///
/// # Errors
/// When the constant is no key, which a test rules out.
pub fn trusted_keys() -> Result<TrustedKeys, SignError> {
    Ok(TrustedKeys::new(SigningKey::from_seed(SIGNING_SEED).public_key()?, None))
}

/// A signed file of test addresses. Nobody has keys to them: the money is simulated.
pub(super) fn signed_pool(now: Timestamp, first_index: u32, count: u32) -> Result<String, SignError> {
    let today = Day::of(now);
    let terms = Terms {
        environment: Environment::Sandbox,
        network: Network::Litecoin,
        epoch: EPOCH,
        signed_on: today,
        last_day: Day::of(now.plus_micros(i64::from(MAX_VALIDITY_DAYS) * domain::time::DAY_MICROS)),
        first_index,
        tokens: Vec::new(),
    };
    let addresses = (first_index..first_index.saturating_add(count)).map(address).collect::<Result<Vec<_>, _>>()?;
    let file = sign_file(&SigningKey::from_seed(SIGNING_SEED), terms, &addresses)?;
    Ok(file.to_text()?)
}

fn address(index: u32) -> Result<String, SignError> {
    let digest = Sha256::digest(format!("kernodeck sandbox address {index}"));
    let mut program = [0u8; 20];
    program.copy_from_slice(&digest[..20]);
    let address = KeyHash::new(program).to_address(Network::Litecoin, Environment::Sandbox);
    Ok(address.map_err(manifest::Refusal::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A demo whose desktop refuses every address would be no demo.
    #[test]
    fn the_desktops_sandbox_build_trusts_the_key_that_signs_here() {
        let key = SigningKey::from_seed(SIGNING_SEED).public_key().unwrap();
        let trusted = include_str!("../../../client/trusted-keys/sandbox.txt");
        assert!(trusted.lines().any(|line| line == format!("current {}", key.to_hex())));
        let production = include_str!("../../../client/trusted-keys/production.txt");
        assert!(!production.contains(&key.to_hex()));
    }
}
