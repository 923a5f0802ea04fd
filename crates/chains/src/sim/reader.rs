//! Reading the simulated network.

use std::sync::MutexGuard;

use domain::{BaseUnits, Method, Network, Timestamp};

use super::SimNetwork;
use super::ledger::{Ledger, MinedBlock, Output, REWARD_MATURITY, Tx};
use crate::block::{Block, BlockRef, ChainTransfer};
use crate::error::ChainError;
use crate::mempool::{MempoolTransfer, MempoolView};
use crate::reader::{ChainIdentity, ChainReader};
use crate::watch::WatchSet;

const METHOD: Method = Method::LtcLitecoin;

/// Reads one simulated network.
#[derive(Clone, Debug)]
pub struct SimReader(SimNetwork);

impl SimReader {
    pub(super) fn new(network: SimNetwork) -> Self {
        Self(network)
    }

    fn open(&self) -> Result<MutexGuard<'_, Ledger>, ChainError> {
        let ledger = self.0.lock();
        if ledger.reachable { Ok(ledger) } else { Err(ChainError::Unreachable { detail: "switched off".into() }) }
    }
}

impl ChainReader for SimReader {
    fn network(&self) -> Network {
        METHOD.network()
    }

    fn identity(&mut self) -> Result<ChainIdentity, ChainError> {
        let chain_id = self.hash_at(0)?.unwrap_or_default();
        Ok(ChainIdentity { chain_id })
    }

    fn tip(&mut self) -> Result<BlockRef, ChainError> {
        Ok(self.open()?.tip())
    }

    fn hash_at(&mut self, height: u64) -> Result<Option<String>, ChainError> {
        let ledger = self.open()?;
        Ok(block(&ledger, height).map(|block| block.hash.clone()))
    }

    fn block_at(&mut self, height: u64, watch: &WatchSet) -> Result<Option<Block>, ChainError> {
        let ledger = self.open()?;
        let Some(mined) = block(&ledger, height) else {
            return Ok(None);
        };
        let txs = mined.tx_ids.iter().filter_map(|tx_id| ledger.txs.get_key_value(tx_id));
        Ok(Some(Block {
            at: BlockRef { height, hash: mined.hash.clone() },
            parent_hash: mined.parent_hash.clone(),
            time: Timestamp::from_micros(mined.time_micros),
            transfers: txs.flat_map(|(tx_id, tx)| transfers(tx_id, tx, height, watch)).collect(),
        }))
    }

    fn mempool(&mut self, watch: &WatchSet) -> Result<MempoolView, ChainError> {
        let ledger = self.open()?;
        let waiting = ledger.waiting.iter().filter_map(|tx_id| ledger.txs.get_key_value(tx_id));
        let mut transfers: Vec<MempoolTransfer> = waiting.flat_map(|(tx_id, tx)| sightings(tx_id, tx, watch)).collect();
        transfers.sort_by(|a, b| (&a.tx_id, a.out_index).cmp(&(&b.tx_id, b.out_index)));
        Ok(MempoolView { tip: ledger.tip(), transfers, complete: true })
    }
}

fn block(ledger: &Ledger, height: u64) -> Option<&MinedBlock> {
    ledger.blocks.get(usize::try_from(height).ok()?)
}

/// Outputs to watched addresses: position, address, amount.
fn to_us<'a>(tx: &'a Tx, watch: &'a WatchSet) -> impl Iterator<Item = (u32, &'a str, BaseUnits)> {
    let watched = |(index, output): (u32, &'a Output)| {
        let script = hex::decode(&output.script_hex).ok()?;
        let address = watch.address_of(&script)?;
        (output.units > 0).then_some((index, address, BaseUnits::new(output.units.into())))
    };
    (0u32..).zip(&tx.outputs).filter_map(watched)
}

fn transfers(tx_id: &str, tx: &Tx, height: u64, watch: &WatchSet) -> Vec<ChainTransfer> {
    let transfer = |(out_index, address, amount): (u32, &str, BaseUnits)| ChainTransfer {
        method: METHOD,
        tx_id: tx_id.to_owned(),
        out_index,
        address: address.to_owned(),
        amount,
        coinbase: tx.is_reward(),
        only_once_mined: tx.is_reward(),
        spendable_at_height: tx.is_reward().then_some(height + REWARD_MATURITY),
        inputs: tx.inputs(),
    };
    to_us(tx, watch).map(transfer).collect()
}

fn sightings(tx_id: &str, tx: &Tx, watch: &WatchSet) -> Vec<MempoolTransfer> {
    let sighting = |(out_index, address, amount): (u32, &str, BaseUnits)| MempoolTransfer {
        method: METHOD,
        tx_id: tx_id.to_owned(),
        out_index,
        address: address.to_owned(),
        amount,
        node_time: Timestamp::from_micros(tx.seen_micros),
        inputs: tx.inputs(),
    };
    to_us(tx, watch).map(sighting).collect()
}
