//! What the watcher saw, written down: blocks applied by compare-and-set, forks undone, the mempool compared.

use chains::{Block, BlockRef, ChainTransfer, MempoolTransfer, MempoolView, OutPoint, is_conflicted, mempool_changes};
use domain::ledger::SightingKey;
use domain::time::{HOUR_MICROS, SECOND_MICROS};
use domain::{Network, Timestamp};
use store::Tx;
use store::repo::chain::{self, BlockRow, WatcherRow};
use store::repo::transfer::{SightingRow, TransferRow};
use store::repo::{address, payment, transfer};

use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::{attribute, ids, reading, timeline};

/// Blocks kept to find where a fork began: two days of Litecoin, far beyond any reorganisation seen.
pub const KEPT_BLOCKS: i64 = 1_200;

/// Where the mempool was not read for longer than this within a payment's window, a transfer may have been missed.
const MEMPOOL_GAP_MICROS: i64 = 60 * SECOND_MICROS;

/// A clock that was set back by more than this was wrong before: readings from further ahead are not believed any longer.
const CLOCK_TRUST_MICROS: i64 = 24 * HOUR_MICROS;

/// Somebody else moved the watcher: whoever holds this reading stops and reads again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Written.
    Done,
    /// Not written.
    Stale,
}

/// Where the watcher stands: its generation and the newest blocks, oldest first, as the follower wants them.
pub fn position(tx: &mut Tx<'_>, network: Network) -> Outcome<(i64, Vec<BlockRef>)> {
    let Some(row) = chain::watcher(tx, network.code())? else { return Ok((0, Vec::new())) };
    let mut blocks = chain::recent(tx, network.code(), KEPT_BLOCKS)?;
    blocks.reverse();
    let known = blocks.into_iter().map(|block| {
        let height = u64::try_from(block.height).map_err(|_| Refusal::broken("block below zero"))?;
        Ok(BlockRef { height, hash: block.hash })
    });
    Ok((row.generation, known.collect::<Outcome<Vec<_>>>()?))
}

/// Makes the network's watcher unless it is there.
pub fn start(tx: &mut Tx<'_>, network: Network) -> Outcome<()> {
    Ok(chain::ensure(tx, network.code())?)
}

/// Writes a block on top: its sightings, and what they mean for every payment they touch or bring nearer to final.
pub fn extend(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    network: Network,
    generation: i64,
    block: &Block,
) -> Outcome<Applied> {
    let height = i64::try_from(block.at.height).map_err(|_| Refusal::broken("height out of range"))?;
    let before = chain::watcher(tx, network.code())?;
    let row = BlockRow {
        network: network.code().to_owned(),
        height,
        hash: block.at.hash.clone(),
        parent_hash: block.parent_hash.clone(),
        time: block.time,
    };
    if !chain::advance(tx, network.code(), generation, Some(&row))? {
        return Ok(Applied::Stale);
    }
    unseen_windows(tx, network, before.as_ref(), now)?;
    chain::insert_block(tx, &row)?;
    chain::prune(tx, network.code(), height.saturating_sub(KEPT_BLOCKS))?;
    for seen in &block.transfers {
        sight(tx, now, network, block, seen)?;
    }
    replaced_by_mined(tx, network, block)?;
    let touched = payment::uncredited(tx, network.code(), height.saturating_sub(KEPT_BLOCKS))?;
    for payment_id in touched {
        attribute::payment(tx, policy, now, &payment_id)?;
    }
    Ok(Applied::Done)
}

fn sight(tx: &mut Tx<'_>, now: Timestamp, network: Network, block: &Block, seen: &ChainTransfer) -> Outcome<()> {
    let transfer_id = match transfer::by_output(tx, network.code(), &seen.tx_id, seen.out_index)? {
        Some(known) => {
            let spendable = seen.spendable_at_height.map(low).transpose()?;
            transfer::mined(tx, &known.id, seen.only_once_mined, spendable.map(i64::from))?;
            if known.payment_id.is_none() {
                unclaimed(tx, now, &known)?;
            }
            known.id
        }
        None => insert_mined(tx, now, network, seen)?,
    };
    let round = transfer::rounds(tx, network.code(), &block.at.hash, &seen.tx_id, seen.out_index)?;
    let key = SightingKey {
        network,
        block: block.at.hash.clone(),
        transaction: seen.tx_id.clone(),
        index: seen.out_index,
        round,
    };
    let row = SightingRow {
        id: key.to_string(),
        transfer_id,
        network: network.code().to_owned(),
        block_hash: block.at.hash.clone(),
        height: low(block.at.height)?,
        block_time: block.time,
        tx_id: seen.tx_id.clone(),
        out_index: seen.out_index,
        round,
        seen_at: now,
        orphaned: false,
    };
    Ok(transfer::insert_sighting(tx, &row)?)
}

/// A height as rows keep it. No chain comes near the end of 32 bits.
fn low(height: u64) -> Outcome<u32> {
    u32::try_from(height).map_err(|_| Refusal::broken("height out of range"))
}

fn insert_mined(tx: &mut Tx<'_>, now: Timestamp, network: Network, seen: &ChainTransfer) -> Outcome<String> {
    let address = address::by_address(tx, network.code(), &seen.address)?;
    let address = address.ok_or_else(|| Refusal::broken(format!("transfer to unknown {}", seen.address)))?;
    let row = TransferRow {
        id: ids::new(),
        network: network.code().to_owned(),
        tx_id: seen.tx_id.clone(),
        out_index: seen.out_index,
        method: seen.method.code().to_owned(),
        address_id: address.id,
        payment_id: address.payment_id,
        amount: seen.amount.get().to_string(),
        only_once_mined: seen.only_once_mined,
        spendable_at_height: seen.spendable_at_height.map(low).transpose()?,
        inputs: write_inputs(&seen.inputs),
        inputs_all_ours: all_ours(tx, network, &seen.inputs)?,
        unmined_at: None,
        first_seen_at: now,
        vanished: false,
        replaced_by: None,
    };
    transfer::insert(tx, &row)?;
    if row.payment_id.is_none() {
        unclaimed(tx, now, &row)?;
    }
    Ok(row.id)
}

/// Money at an address that no payment has: given out before a restore forgot it, or used by the owner's own wallet. It is
/// nobody's until an operator looks, so it stands as an alarm.
fn unclaimed(tx: &mut Tx<'_>, now: Timestamp, row: &TransferRow) -> Outcome<()> {
    use store::repo::installation::{self, AlarmRow};
    let subject = format!("{}:{}:{}", row.network, row.tx_id, row.out_index);
    let detail = "money arrived at an address that no payment has".to_owned();
    Ok(installation::raise(tx, &AlarmRow { kind: "unclaimed_transfer".to_owned(), subject, detail, since: now })?)
}

/// Undoes lost blocks: their sightings are orphaned, and the credits of those are reversed.
pub fn undo(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    network: Network,
    generation: i64,
    back_to: Option<&BlockRef>,
    lost: &[BlockRef],
) -> Outcome<Applied> {
    let kept = match back_to {
        Some(block) => i64::try_from(block.height).map_err(|_| Refusal::broken("height out of range"))?,
        None => -1,
    };
    let known = chain::recent(tx, network.code(), KEPT_BLOCKS)?;
    let top = known.iter().find(|block| block.height == kept);
    if !chain::advance(tx, network.code(), generation, top)? {
        return Ok(Applied::Stale);
    }
    chain::drop_above(tx, network.code(), kept)?;
    let mut touched = Vec::new();
    for block in lost {
        for sighting in transfer::of_block(tx, network.code(), &block.hash)? {
            let known = transfer::by_output(tx, network.code(), &sighting.tx_id, sighting.out_index)?;
            touched.extend(known.and_then(|row| row.payment_id));
        }
        transfer::orphan(tx, network.code(), &block.hash)?;
    }
    touched.sort();
    touched.dedup();
    for payment_id in touched {
        attribute::payment(tx, policy, now, &payment_id)?;
    }
    Ok(Applied::Done)
}

/// A reading of the mempool.
#[derive(Clone, Copy, Debug)]
pub struct PoolReading<'a> {
    /// The watcher's generation when it was made.
    pub generation: i64,
    /// When it began, by our clock: what arrives while it is made may not be in it.
    pub began: Timestamp,
    /// What was read.
    pub view: &'a MempoolView,
}

/// Compares the mempool with what was in it before. Only a reading made at the watcher's own tip counts.
pub fn mempool(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    network: Network,
    reading: &PoolReading<'_>,
) -> Outcome<Applied> {
    let PoolReading { generation, began, view } = *reading;
    let row = chain::watcher(tx, network.code())?;
    let standing = row.as_ref().filter(|row| row.generation == generation && row.hash.as_ref() == Some(&view.tip.hash));
    if standing.is_none() {
        return Ok(Applied::Stale);
    }
    let before = unmined(tx, network)?;
    let changes = mempool_changes(&before, &view.transfers);
    let mut touched = unseen_windows(tx, network, row.as_ref(), began)?;
    let read_before = row.and_then(|row| row.at_tip_at);
    for new in &changes.new {
        touched.extend(appear(tx, now, network, new, read_before)?);
    }
    // What was not read may be in what was left unread: only a whole view says that a transfer is gone.
    let whole = view.complete || faults::planted(faults::PART_IS_WHOLE);
    let gone = changes.vanished.iter().filter(|_| whole).map(|old| (old, None));
    let replaced = changes.replaced.iter().map(|one| (&one.old, Some(one.by_tx_id.as_str())));
    for (old, by) in gone.chain(replaced) {
        if let Some(known) = transfer::by_output(tx, network.code(), &old.tx_id, old.out_index)? {
            transfer::gone(tx, &known.id, by.is_none(), by)?;
            touched.extend(known.payment_id);
        }
    }
    // Whatever could not be read may be one of ours: then this reading proves nothing about deadlines.
    if whole {
        chain::at_tip(tx, network.code(), generation, began, began.plus_micros(CLOCK_TRUST_MICROS))?;
        touched.extend(payment::waiting_past(tx, network.code(), began)?);
    }
    touched.sort();
    touched.dedup();
    for payment_id in touched {
        attribute::payment(tx, policy, now, &payment_id)?;
    }
    Ok(Applied::Done)
}

/// Notes every payment in whose window the mempool was not read for too long, and answers which those are: whatever was sent
/// to them then may have been missed, also when it is seen in the mempool or in a block later.
fn unseen_windows(
    tx: &mut Tx<'_>,
    network: Network,
    watcher: Option<&WatcherRow>,
    read_at: Timestamp,
) -> Outcome<Vec<String>> {
    let last = watcher.and_then(|row| row.at_tip_at).unwrap_or(Timestamp::from_micros(i64::MIN));
    let (gap_from, gap_to) = (last.plus_micros(MEMPOOL_GAP_MICROS), read_at.plus_micros(-MEMPOOL_GAP_MICROS));
    if last >= gap_to || faults::planted(faults::GAP_FORGOTTEN) {
        return Ok(Vec::new());
    }
    let missed = payment::seeing(tx, network.code(), gap_from, gap_to)?;
    for id in &missed {
        payment::blind(tx, id)?;
    }
    Ok(missed)
}

/// Unmined transfers whose coins a mined transaction to us spends were replaced by it: who raised a fee while nobody looked
/// keeps the first sighting.
fn replaced_by_mined(tx: &mut Tx<'_>, network: Network, block: &Block) -> Outcome<()> {
    if block.transfers.is_empty() {
        return Ok(());
    }
    for old in unmined(tx, network)? {
        let by = block.transfers.iter().find(|mined| is_conflicted(&old, &mined.tx_id, &mined.inputs));
        if let (Some(by), Some(row)) = (by, transfer::by_output(tx, network.code(), &old.tx_id, old.out_index)?) {
            transfer::gone(tx, &row.id, false, Some(&by.tx_id))?;
        }
    }
    Ok(())
}

/// A transfer in the mempool that was not there before: new, or back after it had vanished or its block was lost.
fn appear(
    tx: &mut Tx<'_>,
    now: Timestamp,
    network: Network,
    new: &MempoolTransfer,
    read_before: Option<Timestamp>,
) -> Outcome<Option<String>> {
    if let Some(known) = transfer::by_output(tx, network.code(), &new.tx_id, new.out_index)? {
        transfer::back(tx, &known.id)?;
        return Ok(known.payment_id);
    }
    let address = address::by_address(tx, network.code(), &new.address)?;
    let address = address.ok_or_else(|| Refusal::broken(format!("transfer to unknown {}", new.address)))?;
    let row = TransferRow {
        id: ids::new(),
        network: network.code().to_owned(),
        tx_id: new.tx_id.clone(),
        out_index: new.out_index,
        method: new.method.code().to_owned(),
        address_id: address.id,
        payment_id: address.payment_id.clone(),
        amount: new.amount.get().to_string(),
        only_once_mined: false,
        spendable_at_height: None,
        inputs: write_inputs(&new.inputs),
        inputs_all_ours: all_ours(tx, network, &new.inputs)?,
        // The node saw it perhaps before this reading did: that is what «seen by our node» means.
        unmined_at: Some(new.node_time.min(now)),
        first_seen_at: timeline::seen_at(new.node_time, read_before, now),
        vanished: false,
        replaced_by: None,
    };
    transfer::insert(tx, &row)?;
    Ok(address.payment_id)
}

fn unmined(tx: &mut Tx<'_>, network: Network) -> Outcome<Vec<MempoolTransfer>> {
    let mut known = Vec::new();
    for row in transfer::unmined(tx, network.code())? {
        if row.unmined_at.is_none() && faults::planted(faults::LOST_BLOCK_FORGOTTEN) {
            continue;
        }
        known.push(MempoolTransfer {
            method: reading::method(&row.method)?,
            tx_id: row.tx_id,
            out_index: row.out_index,
            address: address::by_id(tx, &row.address_id)?.address,
            amount: reading::units(&row.amount)?,
            node_time: row.first_seen_at,
            inputs: read_inputs(&row.inputs)?,
        });
    }
    Ok(known)
}

/// Notes that the node answered, and how high it stands.
pub fn checked(tx: &mut Tx<'_>, network: Network, now: Timestamp, tip_height: u64) -> Outcome<()> {
    let height = i64::try_from(tip_height).map_err(|_| Refusal::broken("height out of range"))?;
    Ok(chain::checked(tx, network.code(), now, height)?)
}

/// Notes that the node failed, and raises the alarm.
pub fn failed(tx: &mut Tx<'_>, network: Network, now: Timestamp, error: &str) -> Outcome<()> {
    use store::repo::installation::{self, AlarmRow};
    chain::failed(tx, network.code(), now, error)?;
    let (kind, subject) = ("watcher".to_owned(), network.code().to_owned());
    Ok(installation::raise(tx, &AlarmRow { kind, subject, detail: error.to_owned(), since: now })?)
}

/// Clears the network's alarm.
pub fn recovered(tx: &mut Tx<'_>, network: Network) -> Outcome<()> {
    store::repo::installation::clear(tx, "watcher", network.code())?;
    Ok(())
}

fn write_inputs(inputs: &[OutPoint]) -> String {
    let texts: Vec<String> = inputs.iter().map(|input| format!("{}:{}", input.tx_id, input.index)).collect();
    texts.join(" ")
}

fn read_inputs(text: &str) -> Outcome<Vec<OutPoint>> {
    let one = |part: &str| {
        let (tx_id, index) = part.split_once(':')?;
        Some(OutPoint { tx_id: tx_id.to_owned(), index: index.parse().ok()? })
    };
    let read: Option<Vec<OutPoint>> = text.split_whitespace().map(one).collect();
    read.ok_or_else(|| Refusal::broken("inputs of a transfer"))
}

fn all_ours(tx: &mut Tx<'_>, network: Network, inputs: &[OutPoint]) -> Outcome<bool> {
    for input in inputs {
        if !transfer::is_ours(tx, network.code(), &input.tx_id, input.index)? {
            return Ok(false);
        }
    }
    Ok(!inputs.is_empty())
}
