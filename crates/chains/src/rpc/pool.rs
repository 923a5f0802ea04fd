//! What is known of the node's mempool, so that each transaction is read once.

use std::collections::{BTreeMap, HashSet};

use domain::Timestamp;
use serde_json::Value;

use super::client::Client;
use super::decode::{PlainOutput, inputs, plain_outputs};
use super::{Family, NOT_FOUND, wire};
use crate::block::OutPoint;
use crate::error::ChainError;
use crate::mempool::MempoolTransfer;
use crate::watch::WatchSet;

/// Transactions read by one question.
const BATCH: usize = 50;
/// Transactions read for one view; the rest waits for the next.
const VIEW_LIMIT: usize = 5_000;

/// Unmined transactions that were read, by id.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    txs: BTreeMap<String, PoolTx>,
}

/// All outputs are kept, not only the watched ones: an address issued after the reading still finds its payment.
#[derive(Debug)]
struct PoolTx {
    outputs: Vec<PlainOutput>,
    inputs: Vec<OutPoint>,
    /// Asked for once a watched address is paid.
    node_time: Option<Timestamp>,
}

impl Pool {
    /// Forgets what left the mempool and reads what came in. Answers whether everything that waits is known now.
    pub(crate) fn refresh(&mut self, client: &mut Client, family: Family) -> Result<bool, ChainError> {
        // Asked first: what the node takes from its file afterwards may be missing from the list.
        let wire::MempoolInfo { loaded } = client.call("getmempoolinfo", &[])?;
        let present: HashSet<String> = client.call("getrawmempool", &[])?;
        self.txs.retain(|tx_id, _| present.contains(tx_id));
        let unknown: Vec<&String> = present.iter().filter(|tx_id| !self.txs.contains_key(*tx_id)).collect();
        let (now, later) = unknown.split_at(unknown.len().min(VIEW_LIMIT));
        for tx_ids in now.chunks(BATCH) {
            self.read(client, family, tx_ids)?;
        }
        Ok(loaded && later.is_empty())
    }

    fn read(&mut self, client: &mut Client, family: Family, tx_ids: &[&String]) -> Result<(), ChainError> {
        const CALL: &str = "getrawtransaction";
        let params: Vec<Vec<Value>> = tx_ids.iter().map(|id| vec![id.as_str().into(), true.into()]).collect();
        let answers = client.ask_many(CALL, &params)?;
        for (tx_id, answer) in tx_ids.iter().zip(answers.results::<wire::Tx<'_>>(params.len())?) {
            let tx = match answer {
                // It left the mempool since.
                Err(ChainError::Refused { code: NOT_FOUND, .. }) => continue,
                other => other?,
            };
            if tx.txid != **tx_id {
                return Err(wire::bad(CALL, "another transaction than the one asked for"));
            }
            let outputs = plain_outputs(CALL, family, &tx)?;
            let read = PoolTx { outputs, inputs: inputs(CALL, &tx)?, node_time: None };
            self.txs.insert((*tx_id).clone(), read);
        }
        Ok(())
    }

    /// Transfers to watched addresses among what was read.
    pub(crate) fn transfers(
        &mut self,
        client: &mut Client,
        family: Family,
        watch: &WatchSet,
    ) -> Result<Vec<MempoolTransfer>, ChainError> {
        let pays = |tx: &PoolTx| tx.outputs.iter().any(|output| watched(watch, output).is_some());
        let paying: Vec<String> = self.txs.iter().filter(|(_, tx)| pays(tx)).map(|(id, _)| id.clone()).collect();
        self.date(client, &paying)?;
        let mut transfers = Vec::new();
        for (tx_id, tx) in paying.iter().filter_map(|id| self.txs.get_key_value(id)) {
            let Some(node_time) = tx.node_time else { continue };
            let to_us = tx.outputs.iter().filter_map(|output| Some((output, watched(watch, output)?)));
            transfers.extend(to_us.map(|(output, address)| MempoolTransfer {
                method: family.method,
                tx_id: tx_id.clone(),
                out_index: output.index,
                address: address.to_owned(),
                amount: output.amount,
                node_time,
                inputs: tx.inputs.clone(),
            }));
        }
        Ok(transfers)
    }

    /// Asks when the node took in those transactions of which that is not known yet.
    fn date(&mut self, client: &mut Client, tx_ids: &[String]) -> Result<(), ChainError> {
        const CALL: &str = "getmempoolentry";
        let undated = |id: &&String| self.txs.get(*id).is_some_and(|tx| tx.node_time.is_none());
        let undated: Vec<String> = tx_ids.iter().filter(undated).cloned().collect();
        for batch in undated.chunks(BATCH) {
            let params: Vec<Vec<Value>> = batch.iter().map(|id| vec![id.as_str().into()]).collect();
            let answers = client.ask_many(CALL, &params)?;
            for (tx_id, answer) in batch.iter().zip(answers.results::<wire::MempoolEntry>(params.len())?) {
                match answer {
                    Err(ChainError::Refused { code: NOT_FOUND, .. }) => {
                        self.txs.remove(tx_id);
                    }
                    other => {
                        let entry = other?;
                        if let Some(tx) = self.txs.get_mut(tx_id) {
                            tx.node_time = Some(Timestamp::from_seconds(entry.time));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn watched<'a>(watch: &'a WatchSet, output: &PlainOutput) -> Option<&'a str> {
    watch.address_of(&output.script).filter(|_| !output.amount.is_zero())
}
