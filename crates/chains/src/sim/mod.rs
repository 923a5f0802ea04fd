//! A simulated Litecoin behind the same [`crate::ChainReader`]: blocks, confirmations, forks, fees and a mempool, with
//! addresses of its own prefix. The same seed and the same calls give the same chain.

mod address;
mod ledger;
mod reader;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{BaseUnits, Timestamp};
use thiserror::Error;

use crate::block::{BlockRef, OutPoint};
use ledger::{Ledger, Output};
pub use reader::SimReader;

/// Prefix of the simulated network's addresses.
pub const SIM_HRP: &str = "tltc";
/// Outputs below this are not relayed, as on Litecoin for a native segwit output.
pub const SIM_DUST_UNITS: u64 = 2_940;
/// Transactions per block; what pays more goes first.
pub const SIM_BLOCK_TXS: usize = 250;
/// Fee of a transaction, and what a replacement must add, in base units.
pub const SIM_FEE_UNITS: u64 = 1_000;

/// What the simulated network refuses, as the real one would.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SimError {
    /// No native segwit address of the simulated network.
    #[error("no address of the simulated network: {what}")]
    NotOurAddress {
        /// Why.
        what: &'static str,
    },
    /// Less than nodes relay, or more than there can be.
    #[error("the amount is too small or too large to be sent")]
    AmountOutOfRange,
    /// The transaction does not wait in the mempool.
    #[error("no such transaction waits to be mined")]
    NotWaiting,
    /// An input is unknown, already spent, not yet spendable, or worth less than the amount and the fee.
    #[error("the money can't be spent")]
    CannotSpend,
    /// A fork can't undo the first block.
    #[error("a fork of {depth} blocks on {height}")]
    TooDeep {
        /// Blocks to undo.
        depth: u64,
        /// Height of the tip.
        height: u64,
    },
    /// A saved network that can't be read.
    #[error("the saved network can't be read: {what}")]
    BadSnapshot {
        /// Why.
        what: String,
    },
}

/// A handle of the network; clones share it.
#[derive(Clone, Debug)]
pub struct SimNetwork(Arc<Mutex<Ledger>>);

impl SimNetwork {
    /// A network with its first block only. `chain_id` is that block's hash.
    pub fn new(seed: u64, chain_id: &str, first_block_time: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(Ledger::new(seed, chain_id, first_block_time))))
    }

    /// The network that [`SimNetwork::snapshot`] saved.
    ///
    /// # Errors
    /// [`SimError::BadSnapshot`].
    pub fn restore(bytes: &[u8]) -> Result<Self, SimError> {
        let ledger =
            serde_json::from_slice(bytes).map_err(|error| SimError::BadSnapshot { what: error.to_string() })?;
        Ok(Self(Arc::new(Mutex::new(ledger))))
    }

    /// Everything, as JSON.
    ///
    /// # Errors
    /// [`SimError::BadSnapshot`].
    pub fn snapshot(&self) -> Result<Vec<u8>, SimError> {
        serde_json::to_vec(&*self.lock()).map_err(|error| SimError::BadSnapshot { what: error.to_string() })
    }

    /// A reader of this network.
    pub fn reader(&self) -> SimReader {
        SimReader::new(self.clone())
    }

    /// Somebody pays an address; answers the transaction's id.
    ///
    /// # Errors
    /// [`SimError::NotOurAddress`], [`SimError::AmountOutOfRange`].
    pub fn send(&self, now: Timestamp, address: &str, amount: BaseUnits) -> Result<String, SimError> {
        let output = output(address, amount)?;
        let mut ledger = self.lock();
        let coin = ledger.outside_coin(amount)?;
        ledger.admit(now, vec![coin], vec![output], SIM_FEE_UNITS)
    }

    /// One transaction that pays several addresses.
    ///
    /// # Errors
    /// As [`SimNetwork::send`].
    pub fn send_many(&self, now: Timestamp, payments: &[(&str, BaseUnits)]) -> Result<String, SimError> {
        let outputs =
            payments.iter().map(|(address, amount)| output(address, *amount)).collect::<Result<Vec<_>, _>>()?;
        let sum = payments.iter().try_fold(BaseUnits::ZERO, |sum, (_, amount)| sum.checked_add(*amount));
        let mut ledger = self.lock();
        let coin = ledger.outside_coin(sum.ok_or(SimError::AmountOutOfRange)?)?;
        ledger.admit(now, vec![coin], outputs, SIM_FEE_UNITS)
    }

    /// The owner of earlier outputs spends all of them; what is left over the amount goes out as fee.
    ///
    /// # Errors
    /// [`SimError::CannotSpend`] and those of [`SimNetwork::send`].
    pub fn spend(
        &self,
        now: Timestamp,
        from: &[OutPoint],
        address: &str,
        amount: BaseUnits,
    ) -> Result<String, SimError> {
        let output = output(address, amount)?;
        let mut ledger = self.lock();
        let fee = ledger.left_over(from, amount)?;
        ledger.admit(now, from.to_vec(), vec![output], fee)
    }

    /// Replaces a waiting transaction and all that spend its outputs by one with the same inputs, a higher fee and this payment only.
    ///
    /// # Errors
    /// [`SimError::NotWaiting`] and those of [`SimNetwork::send`].
    pub fn replace(&self, now: Timestamp, tx_id: &str, address: &str, amount: BaseUnits) -> Result<String, SimError> {
        let output = output(address, amount)?;
        self.lock().replace(now, tx_id, output)
    }

    /// Replaces a waiting transaction by one that pays nobody of ours.
    ///
    /// # Errors
    /// [`SimError::NotWaiting`].
    pub fn double_spend(&self, now: Timestamp, tx_id: &str) -> Result<String, SimError> {
        self.lock().replace(now, tx_id, Output::outside())
    }

    /// Drops a waiting transaction and all that spend its outputs, as a full mempool does.
    ///
    /// # Errors
    /// [`SimError::NotWaiting`].
    pub fn evict(&self, tx_id: &str) -> Result<(), SimError> {
        self.lock().evict(tx_id)
    }

    /// Mines blocks with what waits, best fees first.
    pub fn mine(&self, now: Timestamp, blocks: u32) -> Vec<BlockRef> {
        let mut ledger = self.lock();
        (0..blocks).map(|_| ledger.mine(now, Output::outside())).collect()
    }

    /// Mines one block whose reward goes to an address.
    ///
    /// # Errors
    /// [`SimError::NotOurAddress`].
    pub fn mine_to(&self, now: Timestamp, address: &str) -> Result<BlockRef, SimError> {
        let reward = output(address, BaseUnits::new(ledger::REWARD_UNITS.into()))?;
        Ok(self.lock().mine(now, reward))
    }

    /// Replaces the newest `depth` blocks by `depth + 1` empty ones. Their transactions wait in the mempool again, except those
    /// that spent a lost reward; mine on to have them mined again, or replace them first.
    ///
    /// # Errors
    /// [`SimError::TooDeep`].
    pub fn fork(&self, now: Timestamp, depth: u32) -> Result<Vec<BlockRef>, SimError> {
        self.lock().fork(now, depth)
    }

    /// Takes the node off the network, or puts it back: while it is off, readers get [`crate::ChainError::Unreachable`].
    pub fn set_reachable(&self, reachable: bool) {
        self.lock().reachable = reachable;
    }

    /// The newest block.
    pub fn tip(&self) -> BlockRef {
        self.lock().tip()
    }

    /// Ids of the transactions that wait to be mined, oldest first.
    pub fn waiting(&self) -> Vec<String> {
        self.lock().waiting.clone()
    }

    /// How many blocks of the best chain stand on a transaction, its own included: 0 while it waits, `None` if it is unknown or lost.
    pub fn confirmations(&self, tx_id: &str) -> Option<u64> {
        self.lock().confirmations(tx_id)
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn output(address: &str, amount: BaseUnits) -> Result<Output, SimError> {
    let script_hex = address::script_hex(address)?;
    let units = u64::try_from(amount.get()).map_err(|_| SimError::AmountOutOfRange)?;
    if !(SIM_DUST_UNITS..=ledger::MAX_UNITS).contains(&units) {
        return Err(SimError::AmountOutOfRange);
    }
    Ok(Output { script_hex, units })
}
