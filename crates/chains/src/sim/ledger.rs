//! The simulated network's books and rules.

use std::collections::{BTreeMap, BTreeSet};

use domain::{BaseUnits, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{SIM_BLOCK_TXS, SIM_FEE_UNITS, SimError};
use crate::block::{BlockRef, OutPoint};

/// All litoshi that can ever be.
pub(super) const MAX_UNITS: u64 = 84_000_000 * 100_000_000;
/// What a block pays its miner.
pub(super) const REWARD_UNITS: u64 = 625_000_000;
/// Blocks that a reward waits.
pub(super) const REWARD_MATURITY: u64 = 100;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Output {
    pub(super) script_hex: String,
    pub(super) units: u64,
}

impl Output {
    /// Pays nobody that could be watched: OP_RETURN.
    pub(super) fn outside() -> Self {
        Self { script_hex: "6a".into(), units: 0 }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tx {
    /// (transaction, output). Empty for a reward.
    inputs: Vec<(String, u32)>,
    pub(super) outputs: Vec<Output>,
    fee_units: u64,
    /// Microseconds since the Unix epoch.
    pub(super) seen_micros: i64,
}

impl Tx {
    pub(super) fn is_reward(&self) -> bool {
        self.inputs.is_empty()
    }

    pub(super) fn inputs(&self) -> Vec<OutPoint> {
        self.inputs.iter().map(|(tx_id, index)| OutPoint { tx_id: tx_id.clone(), index: *index }).collect()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MinedBlock {
    pub(super) hash: String,
    pub(super) parent_hash: String,
    pub(super) time_micros: i64,
    pub(super) tx_ids: Vec<String>,
}

/// The best chain, what waits, and every transaction that either holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ledger {
    seed: u64,
    /// Ids drawn so far.
    drawn: u64,
    pub(super) blocks: Vec<MinedBlock>,
    pub(super) waiting: Vec<String>,
    pub(super) txs: BTreeMap<String, Tx>,
    #[serde(default = "yes")]
    pub(super) reachable: bool,
}

fn yes() -> bool {
    true
}

impl Ledger {
    pub(super) fn new(seed: u64, chain_id: &str, time: Timestamp) -> Self {
        let parent_hash = crate::block::NO_PARENT.to_owned();
        let first =
            MinedBlock { hash: chain_id.to_owned(), parent_hash, time_micros: time.micros(), tx_ids: Vec::new() };
        Self { seed, drawn: 0, blocks: vec![first], waiting: Vec::new(), txs: BTreeMap::new(), reachable: true }
    }

    pub(super) fn tip(&self) -> BlockRef {
        let hash = self.blocks.last().map(|block| block.hash.clone()).unwrap_or_default();
        BlockRef { height: self.blocks.len().saturating_sub(1) as u64, hash }
    }

    /// A new id that nothing else has; the same for the same seed and history.
    fn draw(&mut self) -> String {
        self.drawn += 1;
        let mut hash = Sha256::new();
        hash.update(self.seed.to_be_bytes());
        hash.update(self.drawn.to_be_bytes());
        hash.update(self.tip().hash.as_bytes());
        hex::encode(hash.finalize())
    }

    /// Money from outside the simulation.
    pub(super) fn outside_coin(&mut self, amount: BaseUnits) -> Result<OutPoint, SimError> {
        if amount.get() > u128::from(MAX_UNITS) {
            return Err(SimError::AmountOutOfRange);
        }
        Ok(OutPoint { tx_id: self.draw(), index: 0 })
    }

    /// What inputs of this simulation are worth above `amount`.
    pub(super) fn left_over(&self, inputs: &[OutPoint], amount: BaseUnits) -> Result<u64, SimError> {
        let distinct: BTreeSet<&OutPoint> = inputs.iter().collect();
        if distinct.len() != inputs.len() || inputs.iter().any(|input| !self.is_spendable(input)) {
            return Err(SimError::CannotSpend);
        }
        let worth =
            inputs.iter().filter_map(|input| self.output(input)).map(|output| u128::from(output.units)).sum::<u128>();
        let rest = worth.checked_sub(amount.get()).and_then(|rest| u64::try_from(rest).ok());
        rest.filter(|rest| *rest >= SIM_FEE_UNITS).ok_or(SimError::CannotSpend)
    }

    fn output(&self, point: &OutPoint) -> Option<&Output> {
        self.txs.get(&point.tx_id)?.outputs.get(point.index as usize)
    }

    /// Whether an output exists, is spent by nothing mined or waiting, and, being a reward, is ripe.
    fn is_spendable(&self, point: &OutPoint) -> bool {
        let unripe = || {
            let reward = self.txs.get(&point.tx_id).is_some_and(Tx::is_reward);
            reward && self.confirmations(&point.tx_id).is_none_or(|count| count < REWARD_MATURITY)
        };
        let spent =
            || self.txs.values().any(|tx| tx.inputs.iter().any(|(id, n)| *id == point.tx_id && *n == point.index));
        self.output(point).is_some() && !unripe() && !spent()
    }

    /// Takes a transaction into the mempool.
    pub(super) fn admit(
        &mut self,
        now: Timestamp,
        inputs: Vec<OutPoint>,
        outputs: Vec<Output>,
        fee_units: u64,
    ) -> Result<String, SimError> {
        let tx_id = self.draw();
        let inputs = inputs.into_iter().map(|input| (input.tx_id, input.index)).collect();
        self.txs.insert(tx_id.clone(), Tx { inputs, outputs, fee_units, seen_micros: now.micros() });
        self.waiting.push(tx_id.clone());
        Ok(tx_id)
    }

    pub(super) fn replace(&mut self, now: Timestamp, tx_id: &str, output: Output) -> Result<String, SimError> {
        let old = self.txs.get(tx_id).cloned().ok_or(SimError::NotWaiting)?;
        self.evict(tx_id)?;
        self.admit(now, old.inputs(), vec![output], old.fee_units.saturating_add(SIM_FEE_UNITS))
    }

    /// Drops a waiting transaction and its descendants.
    pub(super) fn evict(&mut self, tx_id: &str) -> Result<(), SimError> {
        if !self.waiting.iter().any(|waiting| waiting == tx_id) {
            return Err(SimError::NotWaiting);
        }
        let mut gone = vec![tx_id.to_owned()];
        while let Some(next) = gone.pop() {
            self.txs.remove(&next);
            self.waiting.retain(|waiting| *waiting != next);
            let spends_it = |tx: &&Tx| tx.inputs.iter().any(|(id, _)| *id == next);
            gone.extend(self.txs.iter().filter(|(_, tx)| spends_it(tx)).map(|(id, _)| id.clone()));
        }
        Ok(())
    }

    pub(super) fn mine(&mut self, now: Timestamp, reward: Output) -> BlockRef {
        let reward_id = self.draw();
        let reward = Tx { inputs: Vec::new(), outputs: vec![reward], fee_units: 0, seen_micros: now.micros() };
        self.txs.insert(reward_id.clone(), reward);
        let chosen = self.choose();
        self.waiting.retain(|tx_id| !chosen.contains(tx_id));
        let tx_ids = std::iter::once(reward_id).chain(chosen).collect();
        self.push(now, tx_ids)
    }

    fn push(&mut self, now: Timestamp, tx_ids: Vec<String>) -> BlockRef {
        let (hash, parent_hash) = (self.draw(), self.tip().hash);
        self.blocks.push(MinedBlock { hash, parent_hash, time_micros: now.micros(), tx_ids });
        self.tip()
    }

    /// Best fees first, parents before children, as many as a block takes.
    fn choose(&self) -> Vec<String> {
        let mut left: Vec<(&String, &Tx)> =
            self.waiting.iter().filter_map(|id| Some((id, self.txs.get(id)?))).collect();
        left.sort_by_key(|(_, tx)| std::cmp::Reverse(tx.fee_units));
        let mut chosen: Vec<String> = Vec::new();
        while chosen.len() < SIM_BLOCK_TXS {
            let open: BTreeSet<&String> = left.iter().map(|(id, _)| *id).collect();
            let ready = left.iter().position(|(_, tx)| tx.inputs.iter().all(|(parent, _)| !open.contains(parent)));
            let Some(ready) = ready else { break };
            chosen.push(left.remove(ready).0.clone());
        }
        chosen
    }

    pub(super) fn fork(&mut self, now: Timestamp, depth: u32) -> Result<Vec<BlockRef>, SimError> {
        let height = self.tip().height;
        if u64::from(depth) > height {
            return Err(SimError::TooDeep { depth: depth.into(), height });
        }
        let lost = self.blocks.split_off(self.blocks.len() - depth as usize);
        let returned: Vec<String> = lost.into_iter().flat_map(|block| block.tx_ids).collect();
        // Oldest first, before what waits already: a child never stands before its parent.
        self.waiting.splice(0..0, returned.iter().cloned());
        for tx_id in returned {
            if self.txs.get(&tx_id).is_some_and(Tx::is_reward) {
                self.evict(&tx_id)?;
            } else if let Some(tx) = self.txs.get_mut(&tx_id) {
                tx.seen_micros = now.micros();
            }
        }
        Ok((0..=depth).map(|_| self.push(now, Vec::new())).collect())
    }

    pub(super) fn confirmations(&self, tx_id: &str) -> Option<u64> {
        if self.waiting.iter().any(|waiting| waiting == tx_id) {
            return Some(0);
        }
        let above = self.blocks.iter().rev().position(|block| block.tx_ids.iter().any(|id| id == tx_id))?;
        Some(above as u64 + 1)
    }
}
