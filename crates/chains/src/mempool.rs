//! What waits to be mined. A sighting proves nothing; it only dates a payment and shows the customer that it is on its way.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{BaseUnits, Method, Timestamp};

use crate::block::{BlockRef, OutPoint, share_an_input};

/// One output of an unmined transaction that pays a watched address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MempoolTransfer {
    /// Asset and network.
    pub method: Method,
    /// Transaction id in lower-case hex.
    pub tx_id: String,
    /// Position among the transaction's outputs.
    pub out_index: u32,
    /// The watched address, as it was put into the watch set.
    pub address: String,
    /// Base units, above zero.
    pub amount: BaseUnits,
    /// When the node took the transaction in, by the node's clock, in whole seconds. It survives a node's restart, but a
    /// transaction that a reorganisation returned to the mempool gets a new time: keep the earliest that was seen.
    pub node_time: Timestamp,
    /// What the whole transaction spends.
    pub inputs: Vec<OutPoint>,
}

/// The mempool's transfers at one moment, read while the tip stood still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MempoolView {
    /// The tip at that moment. Compare views only when it is the last block that was applied; else what was just mined would
    /// look vanished.
    pub tip: BlockRef,
    /// Transfers to watched addresses, ordered by transaction and output.
    pub transfers: Vec<MempoolTransfer>,
    /// Transactions that the next view will read: one view decodes a bounded number of them. Nothing is wrongly missing from
    /// `transfers` that stood in an earlier view.
    pub unread: usize,
}

/// A sighting gone because a transaction that spends the same money took its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The sighting that is gone.
    pub old: MempoolTransfer,
    /// All that the old transaction paid to the old sighting's address.
    pub old_paid: BaseUnits,
    /// Id of the transaction in its place.
    pub by_tx_id: String,
    /// All that the new transaction pays to the same address; zero when it pays others of ours only.
    pub now_pays: BaseUnits,
}

/// What changed from one view to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MempoolChanges {
    /// Sightings that were not there before, those of replacing transactions included.
    pub new: Vec<MempoolTransfer>,
    /// Sightings gone without a replacement that pays any watched address: double spent to somebody else, evicted, or mined.
    pub vanished: Vec<MempoolTransfer>,
    /// Sightings gone for a transaction that is in sight.
    pub replaced: Vec<Replacement>,
}

/// Compares two views of the same node. Leave out of `before` what has been applied from a block since.
pub fn mempool_changes(before: &[MempoolTransfer], now: &[MempoolTransfer]) -> MempoolChanges {
    let keys = |transfers: &[MempoolTransfer]| -> HashSet<(String, u32)> {
        transfers.iter().map(|transfer| (transfer.tx_id.clone(), transfer.out_index)).collect()
    };
    let (known, present) = (keys(before), keys(now));
    let spenders = spenders(now);
    let mut changes = MempoolChanges::default();
    changes.new.extend(now.iter().filter(|t| !known.contains(&(t.tx_id.clone(), t.out_index))).cloned());
    for old in before.iter().filter(|t| !present.contains(&(t.tx_id.clone(), t.out_index))) {
        match replacing(old, &spenders, now) {
            Some(by_tx_id) => changes.replaced.push(Replacement {
                old: old.clone(),
                old_paid: paid_by(before, &old.tx_id, &old.address),
                now_pays: paid_by(now, &by_tx_id, &old.address),
                by_tx_id,
            }),
            None => changes.vanished.push(old.clone()),
        }
    }
    changes
}

/// Which transaction spends each output.
fn spenders(transfers: &[MempoolTransfer]) -> HashMap<&OutPoint, &str> {
    transfers.iter().flat_map(|t| t.inputs.iter().map(|input| (input, t.tx_id.as_str()))).collect()
}

/// The transaction in the place of `old`'s: of several that share an input with it, the one that pays the address most.
fn replacing(old: &MempoolTransfer, spenders: &HashMap<&OutPoint, &str>, now: &[MempoolTransfer]) -> Option<String> {
    let rivals = old.inputs.iter().filter_map(|input| spenders.get(input)).filter(|tx_id| **tx_id != old.tx_id);
    let by_sum: BTreeMap<(BaseUnits, &str), ()> =
        rivals.map(|tx_id| ((paid_by(now, tx_id, &old.address), *tx_id), ())).collect();
    by_sum.last_key_value().map(|((_, tx_id), ())| (*tx_id).to_owned())
}

/// The sum that one transaction pays to one address.
fn paid_by(transfers: &[MempoolTransfer], tx_id: &str, address: &str) -> BaseUnits {
    let paying = transfers.iter().filter(|t| t.tx_id == tx_id && t.address == address);
    paying.fold(BaseUnits::ZERO, |sum, t| sum.checked_add(t.amount).unwrap_or(sum))
}

/// Whether a mined transaction makes a sighting impossible: another transaction spends its money.
pub fn is_conflicted(sighting: &MempoolTransfer, mined_tx_id: &str, mined_inputs: &[OutPoint]) -> bool {
    sighting.tx_id != mined_tx_id && share_an_input(&sighting.inputs, mined_inputs)
}
