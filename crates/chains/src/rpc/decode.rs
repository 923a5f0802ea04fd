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

#[cfg(test)]
mod tests {
    use domain::Method;

    use super::*;

    const HOGEX_BLOCK: &str = include_str!("../../tests/fixtures/litecoin_hogex_block.json");
    const PEGOUT_TX: &str = include_str!("../../tests/fixtures/litecoin_pegout_mempool_tx.json");
    const PEGIN_TX: &str = include_str!("../../tests/fixtures/litecoin_pegin_mempool_tx.json");
    const HASH: &str = "31d36db2f39b255fd4499e57e01900a15a3bb61a330c41ffeae0d3ed45518e98";
    const LITECOIN: Family = Family { method: Method::LtcLitecoin, pegout_maturity: Some(6) };

    fn watching(script: &str) -> WatchSet {
        let mut watch = WatchSet::new();
        watch.insert(script, "ours").unwrap();
        watch
    }

    fn decoded(json: &str, watch: &WatchSet) -> Result<Block, ChainError> {
        let recorded: wire::Block<'_> = serde_json::from_str(json).unwrap();
        block(LITECOIN, &BlockRef { height: 436, hash: HASH.into() }, &recorded, watch)
    }

    /// The customer paid from inside MWEB: the money is an output of the block's last transaction.
    #[test]
    fn the_recorded_peg_out_is_found_in_the_hogex() {
        let read = decoded(HOGEX_BLOCK, &watching("00144c0649eaf7512e13043ed95b7a54c72bb2b59136")).unwrap();
        assert_eq!(read.parent_hash, "a63005d566496fc32e7c095fc8b3cbfb154ae1df6cbcfb794841614c4e7cef21");
        assert_eq!(read.time, Timestamp::from_seconds(1_796_102_515));
        assert_eq!(read.transfers.len(), 1);
        let transfer = &read.transfers[0];
        assert_eq!(transfer.tx_id, "5dd131707784400367d1836c5e264ac7be2fc77568e8356f4bc7e4bd76774569");
        assert_eq!((transfer.out_index, transfer.amount.get()), (1, 125_000_000));
        assert!(transfer.only_once_mined && !transfer.coinbase);
        assert_eq!(transfer.spendable_at_height, Some(442));
    }

    #[test]
    fn the_recorded_miners_reward_is_one() {
        let read = decoded(HOGEX_BLOCK, &watching("0014e7492cc4e810a01fd6f06ddb93680e2e68758faf")).unwrap();
        let reward = &read.transfers[0];
        assert_eq!(
            (reward.coinbase, reward.amount.get(), reward.spendable_at_height),
            (true, 1_250_002_820, Some(536))
        );
        // Its second output commits to the witnesses and pays nothing.
        let nothing = watching("6a24aa21a9ed76b28f8a253fdfec714e1b9f9f48da00760a4d342ecab870f493f7c1c5943c74");
        assert!(decoded(HOGEX_BLOCK, &nothing).unwrap().transfers.is_empty());
    }

    /// Their outputs have no value, no number and no script: that must neither stop the watcher nor be taken for money.
    #[test]
    fn the_recorded_transactions_inside_mweb_have_nothing_to_match() {
        for json in [PEGOUT_TX, PEGIN_TX] {
            let tx: wire::Tx<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(plain_outputs("test", LITECOIN, &tx), Ok(Vec::new()));
            assert_eq!(inputs("test", &tx), Ok(Vec::new()));
        }
    }

    /// Each changed answer would move a wrong sum, a wrong block or half a block into the books.
    #[test]
    fn a_block_that_does_not_fit_is_refused_whole() {
        let watch = watching("00144c0649eaf7512e13043ed95b7a54c72bb2b59136");
        let changes = [
            ("\"value\": 1.25000000", "\"value\": 1.25e0"),
            ("\"value\": 1.25000000", "\"value\": 1.250000001"),
            ("\"value\": 1.25000000", "\"value\": -1.25"),
            ("\"value\": 1.25000000", "\"valve\": 1.25"),
            ("\"value\": 1.25000000", "\"value\": \"1.25\""),
            ("\"nTx\": 2", "\"nTx\": 3"),
            ("\"height\": 436", "\"height\": 437"),
            ("\"hash\": \"31d36db2", "\"hash\": \"41d36db2"),
            ("\"previousblockhash\": \"a63005d5", "\"previousblockhash\": \"A63005D5"),
            ("\"previousblockhash\"", "\"previous\""),
            ("\"coinbase\"", "\"base\""),
            ("\"txid\": \"5dd13170", "\"txid\": \""),
            ("\"hex\": \"00144c06", "\"hex\": \"zz144c06"),
        ];
        decoded(HOGEX_BLOCK, &watch).unwrap();
        for (from, to) in changes {
            assert!(HOGEX_BLOCK.contains(from), "{from}");
            let read = decoded(&HOGEX_BLOCK.replacen(from, to, 1), &watch);
            assert!(matches!(read, Err(ChainError::BadAnswer { .. })), "{to}: {read:?}");
        }
        let orphan = HOGEX_BLOCK.replacen("\"confirmations\": 1,", "\"confirmations\": -1,", 1);
        assert_eq!(decoded(&orphan, &watch), Err(ChainError::Moved));
    }

    /// Nodes print addresses in two shapes and several spellings; the script decides.
    #[test]
    fn the_shape_of_the_address_changes_nothing() {
        let watch = watching("00144c0649eaf7512e13043ed95b7a54c72bb2b59136");
        let plain = HOGEX_BLOCK.replace("\"addresses\"", "\"address\"");
        let foreign = HOGEX_BLOCK.replace("rltc1qfsryn6hh2yhpxpp7m9dh54x89wettyfkfs3h6n", "ltc1somebody");
        assert_ne!(plain, HOGEX_BLOCK);
        assert_ne!(foreign, HOGEX_BLOCK);
        for json in [plain, foreign] {
            assert_eq!(decoded(&json, &watch).unwrap().transfers, decoded(HOGEX_BLOCK, &watch).unwrap().transfers);
        }
    }
}
