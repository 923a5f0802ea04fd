//! How many confirmations a transfer needs (product P11): by network, and by the account's sum that is not yet final there.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::asset::Network;
use crate::money::Cents;

/// What makes a transfer final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Required {
    /// This many blocks, its own included.
    Blocks(u32),
    /// The network itself calls its block finalized (Ethereum, Solana) or solidified (Tron).
    Finalized,
}

/// One step of a network's policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// Sums below this take this tier; `None` takes every sum.
    pub below: Option<Cents>,
    /// What they need.
    pub required: Required,
}

/// A policy that leaves a sum without an answer, or answers twice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// The last tier must take every sum.
    #[error("the last tier must have no limit")]
    NoLastTier,
    /// Limits must rise and be above zero; only the last tier has none.
    #[error("tier limits must rise")]
    LimitsDoNotRise,
    /// More money never needs less.
    #[error("a higher tier must not need less than a lower one")]
    NeedsLess,
    /// Zero confirmations would credit what is in no block.
    #[error("at least one confirmation is needed")]
    NoConfirmation,
}

/// The policy for all networks. An operator may replace a network's tiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationPolicy {
    tiers: BTreeMap<Network, Vec<Tier>>,
}

impl ConfirmationPolicy {
    /// What a transfer needs on `network` when the account has `not_final` there, this transfer included.
    pub fn required(&self, network: Network, not_final: Cents) -> Required {
        let tiers = self.tiers.get(&network).map(Vec::as_slice).unwrap_or_default();
        let fits = |tier: &&Tier| tier.below.is_none_or(|limit| not_final < limit);
        tiers.iter().find(fits).map_or(Required::Finalized, |tier| tier.required)
    }

    /// This policy with other tiers for one network.
    ///
    /// # Errors
    /// Tiers that do not cover every sum exactly once, or that ask less of more money, or nothing at all.
    pub fn with(mut self, network: Network, tiers: Vec<Tier>) -> Result<Self, PolicyError> {
        let Some((last, limited)) = tiers.split_last() else { return Err(PolicyError::NoLastTier) };
        if last.below.is_some() {
            return Err(PolicyError::NoLastTier);
        }
        let limits: Vec<Option<Cents>> = limited.iter().map(|tier| tier.below).collect();
        let rising = limits.windows(2).all(|pair| pair[0] < pair[1]);
        if !rising || limits.iter().any(|limit| limit.is_none_or(|cents| !cents.is_positive())) {
            return Err(PolicyError::LimitsDoNotRise);
        }
        if tiers.windows(2).any(|pair| pair[1].required < pair[0].required) {
            return Err(PolicyError::NeedsLess);
        }
        if tiers.iter().any(|tier| tier.required == Required::Blocks(0)) {
            return Err(PolicyError::NoConfirmation);
        }
        self.tiers.insert(network, tiers);
        Ok(self)
    }

    /// The tiers in force for a network, lowest sums first.
    pub fn tiers(&self, network: Network) -> &[Tier] {
        self.tiers.get(&network).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The defaults: what other shops ask, for a rental that can be revoked (payment facts, section 1.5).
impl Default for ConfirmationPolicy {
    fn default() -> Self {
        let below = |usd: i64, required| Tier { below: Some(Cents::new(usd * 100)), required };
        let any = |required| Tier { below: None, required };
        let tiers = BTreeMap::from([
            (
                Network::Bitcoin,
                vec![below(500, Required::Blocks(1)), below(3_000, Required::Blocks(2)), any(Required::Blocks(3))],
            ),
            (Network::Litecoin, vec![below(1_000, Required::Blocks(6)), any(Required::Blocks(12))]),
            (Network::Ethereum, vec![below(2_000, Required::Blocks(12)), any(Required::Finalized)]),
            (Network::Tron, vec![any(Required::Finalized)]),
            (Network::Solana, vec![any(Required::Finalized)]),
        ]);
        Self { tiers }
    }
}
