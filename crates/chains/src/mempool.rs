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
    /// Whether everything that waits was read. It was not when the node is still loading what it kept over a restart, nor when
    /// more came in than one view decodes: later views bring the rest. Only a complete view says that a transfer is gone, or
    /// that none was there.
    pub complete: bool,
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn sighting(tx: u8, out_index: u32, address: u8, amount: u32, inputs: &[u8]) -> MempoolTransfer {
        MempoolTransfer {
            method: Method::LtcLitecoin,
            tx_id: format!("tx{tx}"),
            out_index,
            address: format!("address{address}"),
            amount: BaseUnits::new(amount.into()),
            node_time: Timestamp::from_seconds(0),
            inputs: inputs.iter().map(|coin| OutPoint { tx_id: format!("coin{coin}"), index: 0 }).collect(),
        }
    }

    /// «At least as much» is said of transactions: one output of three replaces one of one and one of two.
    #[test]
    fn a_replacement_is_weighed_by_all_that_it_pays_the_address() {
        let before = [sighting(1, 0, 1, 100, &[1]), sighting(1, 1, 1, 200, &[1]), sighting(1, 2, 2, 50, &[1])];
        let now = [sighting(2, 0, 1, 300, &[1, 2])];
        let changes = mempool_changes(&before, &now);
        let weighed: Vec<(u128, u128)> =
            changes.replaced.iter().map(|one| (one.old_paid.get(), one.now_pays.get())).collect();
        assert_eq!(weighed, [(300, 300), (300, 300), (50, 0)]);
        assert!(changes.vanished.is_empty());
    }

    #[test]
    fn of_two_transactions_in_the_place_of_one_the_one_that_pays_the_address_counts() {
        let before = [sighting(1, 0, 1, 100, &[1, 2])];
        let now = [sighting(2, 0, 2, 900, &[1]), sighting(3, 0, 1, 70, &[2])];
        let changes = mempool_changes(&before, &now);
        assert_eq!((changes.replaced[0].by_tx_id.as_str(), changes.replaced[0].now_pays.get()), ("tx3", 70));
    }

    #[test]
    fn only_another_transaction_with_the_same_money_conflicts() {
        let seen = sighting(1, 0, 1, 100, &[1]);
        assert!(!is_conflicted(&seen, "tx1", &seen.inputs));
        assert!(is_conflicted(&seen, "tx2", &seen.inputs));
        assert!(!is_conflicted(&seen, "tx2", &sighting(2, 0, 1, 100, &[2]).inputs));
    }

    /// Payments as (address, amount), and the coins spent.
    type Drawn = (Vec<(u8, u32)>, BTreeSet<u8>);

    fn outputs((tx, (pays, coins)): (u8, Drawn)) -> Vec<MempoolTransfer> {
        let coins: Vec<u8> = coins.into_iter().collect();
        (0u32..).zip(pays).map(|(index, (to, amount))| sighting(tx, index, to, amount, &coins)).collect()
    }

    fn view() -> impl Strategy<Value = Vec<MempoolTransfer>> {
        let pays = prop::collection::vec((0u8..4, 1u32..1000), 1..3);
        let drawn = (pays, prop::collection::btree_set(0u8..6, 1..3));
        prop::collection::btree_map(0u8..8, drawn, 0..6).prop_map(|txs| txs.into_iter().flat_map(outputs).collect())
    }

    proptest! {
        /// No sighting is forgotten and none is invented: what was there is still there, vanished or replaced.
        #[test]
        fn every_sighting_of_two_views_is_accounted_for_once(before in view(), now in view()) {
            let key = |t: &MempoolTransfer| (t.tx_id.clone(), t.out_index);
            let changes = mempool_changes(&before, &now);
            let gone: Vec<_> = changes.vanished.iter().chain(changes.replaced.iter().map(|one| &one.old)).map(key).collect();
            let was: HashSet<_> = before.iter().map(key).collect();
            let is: HashSet<_> = now.iter().map(key).collect();
            prop_assert_eq!(gone.iter().cloned().collect::<HashSet<_>>(), was.difference(&is).cloned().collect::<HashSet<_>>());
            prop_assert_eq!(gone.len(), was.difference(&is).count());
            prop_assert_eq!(changes.new.iter().map(key).collect::<HashSet<_>>(), is.difference(&was).cloned().collect::<HashSet<_>>());
            for one in &changes.replaced {
                let rival = now.iter().find(|t| t.tx_id == one.by_tx_id).unwrap();
                prop_assert!(is_conflicted(&one.old, &rival.tx_id, &rival.inputs));
            }
            prop_assert_eq!(mempool_changes(&now, &now), MempoolChanges::default());
        }
    }
}
