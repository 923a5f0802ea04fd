//! From the node's words to transfers.

use domain::{BaseUnits, Timestamp};

use super::Family;
use super::wire::{self, bad, check_hash};
use crate::block::{Block, BlockRef, ChainTransfer, NO_PARENT, OutPoint};
use crate::error::ChainError;
use crate::watch::WatchSet;

/// Blocks that a miner's reward waits before it can be spent (`COINBASE_MATURITY`, Bitcoin and Litecoin).
const COINBASE_MATURITY: u64 = 100;

/// An output with value and script, of a mined or unmined transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainOutput {
    pub(crate) index: u32,
    pub(crate) amount: BaseUnits,
    pub(crate) script: Box<[u8]>,
}

/// The block that was asked for, with its transfers to watched addresses.
pub(crate) fn block(
    family: Family,
    asked: &BlockRef,
    block: &wire::Block<'_>,
    watch: &WatchSet,
) -> Result<Block, ChainError> {
    if block.hash != asked.hash || block.height != asked.height {
        return Err(bad("getblock", "another block than the one asked for"));
    }
    if block.confirmations < 1 {
        return Err(ChainError::Moved);
    }
    if block.tx.len() != block.tx_count || block.tx.is_empty() {
        return Err(bad("getblock", format!("{} of {} transactions", block.tx.len(), block.tx_count)));
    }
    let parent_hash = match (&block.previousblockhash, asked.height) {
        (Some(hash), height) if height > 0 => hash.clone(),
        (None, 0) => NO_PARENT.to_owned(),
        _ => return Err(bad("getblock", "no parent")),
    };
    check_hash("getblock", &parent_hash)?;
    let mut transfers = Vec::new();
    for (position, tx) in block.tx.iter().enumerate() {
        let kind = TxKind::of(family, block, position);
        collect(family, kind, asked.height, tx, watch, &mut transfers)?;
    }
    Ok(Block { at: asked.clone(), parent_hash, time: Timestamp::from_seconds(block.time), transfers })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TxKind {
    Reward,
    /// Pays out of MWEB. It is made by the miner: no mempool ever held it.
    HogEx,
    Ordinary,
}

impl TxKind {
    /// By consensus the reward comes first, and since MWEB the HogEx comes last.
    fn of(family: Family, block: &wire::Block<'_>, position: usize) -> Self {
        let has_hogex = family.pegout_maturity.is_some() && block.mweb.is_some();
        match position {
            0 => TxKind::Reward,
            last if has_hogex && last + 1 == block.tx.len() => TxKind::HogEx,
            _ => TxKind::Ordinary,
        }
    }

    fn maturity(self, family: Family) -> Option<u64> {
        match self {
            TxKind::Reward => Some(COINBASE_MATURITY),
            TxKind::HogEx => family.pegout_maturity,
            TxKind::Ordinary => None,
        }
    }
}

fn collect(
    family: Family,
    kind: TxKind,
    height: u64,
    tx: &wire::Tx<'_>,
    watch: &WatchSet,
    transfers: &mut Vec<ChainTransfer>,
) -> Result<(), ChainError> {
    check_hash("getblock", &tx.txid)?;
    let inputs = inputs("getblock", tx)?;
    if (kind == TxKind::Reward) != tx.vin.iter().any(|input| input.coinbase.is_some()) {
        return Err(bad("getblock", "the miner's reward is not the first transaction"));
    }
    for output in plain_outputs("getblock", family, tx)? {
        let Some(address) = watch.address_of(&output.script).filter(|_| !output.amount.is_zero()) else {
            continue;
        };
        transfers.push(ChainTransfer {
            method: family.method,
            tx_id: tx.txid.clone(),
            out_index: output.index,
            address: address.to_owned(),
            amount: output.amount,
            coinbase: kind == TxKind::Reward,
            only_once_mined: kind != TxKind::Ordinary,
            spendable_at_height: kind.maturity(family).map(|blocks| height + blocks),
            inputs: inputs.clone(),
        });
    }
    Ok(())
}

/// What a transaction spends outside MWEB.
pub(crate) fn inputs(call: &'static str, tx: &wire::Tx<'_>) -> Result<Vec<OutPoint>, ChainError> {
    let plain = tx.vin.iter().filter(|input| !input.ismweb && input.coinbase.is_none());
    let out_point = |input: &wire::TxIn| match (&input.txid, input.vout) {
        (Some(tx_id), Some(index)) => Ok(OutPoint { tx_id: tx_id.clone(), index }),
        _ => Err(bad(call, "an input that names no output")),
    };
    plain.map(out_point).collect()
}

/// A transaction's outputs outside MWEB.
pub(crate) fn plain_outputs(
    call: &'static str,
    family: Family,
    tx: &wire::Tx<'_>,
) -> Result<Vec<PlainOutput>, ChainError> {
    let read = |output: &wire::TxOut<'_>| {
        let (Some(value), Some(index), Some(script)) = (output.value, output.n, &output.script) else {
            return Err(bad(call, "an output without value, number or script"));
        };
        let script = hex::decode(&script.hex).map_err(|_| bad(call, "a script that is not hex"))?;
        let amount = wire::amount(call, value, family.method.decimals())?;
        Ok(PlainOutput { index, amount, script: script.into_boxed_slice() })
    };
    tx.vout.iter().filter(|output| !output.ismweb).map(read).collect()
}
