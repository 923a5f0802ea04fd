//! Money seen at our addresses: transfers, their sightings, their credits. None is ever removed.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// A transfer: one output of one transaction.
    TransferRow {
        /// Random id.
        id: String,
        /// The network's code.
        network: String,
        /// The transaction.
        tx_id: String,
        /// The output.
        out_index: u32,
        /// What arrived: the method's code.
        method: String,
        /// The address.
        address_id: String,
        /// The payment that has the address.
        payment_id: Option<String>,
        /// Base units, decimal text.
        amount: String,
        /// Whether it can't be seen before it is mined.
        only_once_mined: bool,
        /// Height from which it can be spent.
        spendable_at_height: Option<u32>,
        /// Inputs of the transaction: `txid:index`, separated by spaces.
        inputs: String,
        /// Whether all of them were ours.
        inputs_all_ours: bool,
        /// When our node first saw it unmined.
        unmined_at: Option<Timestamp>,
        /// When it was first seen at all.
        first_seen_at: Timestamp,
        /// Whether it left the mempool without being mined.
        vanished: bool,
        /// The transaction that replaced it.
        replaced_by: Option<String>,
    }
}

record! {
    /// A transfer in one block.
    SightingRow {
        /// Text of the domain's key.
        id: String,
        /// The transfer.
        transfer_id: String,
        /// The network's code.
        network: String,
        /// The block.
        block_hash: String,
        /// Its height.
        height: u32,
        /// Time in its header.
        block_time: Timestamp,
        /// The transaction.
        tx_id: String,
        /// The output.
        out_index: u32,
        /// How often this block was lost and came back before.
        round: u32,
        /// When we saw it.
        seen_at: Timestamp,
        /// Whether the block was lost.
        orphaned: bool,
    }
}

record! {
    /// A credited part of a sighting.
    CreditRow {
        /// The sighting.
        sighting_id: String,
        /// `on-time` or `rest`.
        part: String,
        /// The transfer.
        transfer_id: String,
        /// Order among the transfer's credits.
        number: i64,
        /// Base units, decimal text.
        units: String,
        /// Value.
        cents: i64,
        /// `held`, `balance`, `unclaimed` or `own`.
        place: String,
        /// The order or extension, when held.
        held_id: Option<String>,
        /// What went in there.
        held_cents: Option<i64>,
        /// Whether its reversal is posted.
        undone: bool,
    }
}

record! {
    /// A ruling about a transfer in review.
    RulingRow {
        /// Random id.
        id: String,
        /// The transfer.
        transfer_id: String,
        /// `balance` or `purpose`.
        ruling: String,
        /// Who ruled.
        operator_id: String,
        /// When.
        at: Timestamp,
    }
}

statements! {
    INSERT = "INSERT INTO transfer (id, network, tx_id, out_index, method, address_id, payment_id, amount, only_once_mined, spendable_at_height, inputs, inputs_all_ours, unmined_at, first_seen_at, vanished, replaced_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";
    BY_OUTPUT = "SELECT * FROM transfer WHERE network = $1 AND tx_id = $2 AND out_index = $3";
    OF_PAYMENT = "SELECT * FROM transfer WHERE payment_id = $1 ORDER BY first_seen_at, id";
    UNMINED = "SELECT t.* FROM transfer t WHERE t.network = $1 AND t.vanished = 0 AND t.replaced_by IS NULL AND NOT EXISTS (SELECT 1 FROM sighting s WHERE s.transfer_id = t.id AND s.orphaned = 0) ORDER BY t.id";
    BACK = "UPDATE transfer SET vanished = 0, replaced_by = NULL WHERE id = $1";
    GONE = "UPDATE transfer SET vanished = $2, replaced_by = $3 WHERE id = $1";
    COMPLETE = "UPDATE transfer SET only_once_mined = $2, spendable_at_height = $3, vanished = 0, replaced_by = NULL WHERE id = $1";
    INSERT_SIGHTING = "INSERT INTO sighting (id, transfer_id, network, block_hash, height, block_time, tx_id, out_index, round, seen_at, orphaned) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    ROUNDS = "SELECT COUNT(*) AS rounds FROM sighting WHERE network = $1 AND block_hash = $2 AND tx_id = $3 AND out_index = $4";
    OF_BLOCK = "SELECT * FROM sighting WHERE network = $1 AND block_hash = $2 AND orphaned = 0 ORDER BY id";
    ORPHAN = "UPDATE sighting SET orphaned = 1 WHERE network = $1 AND block_hash = $2 AND orphaned = 0";
    SIGHTINGS = "SELECT s.* FROM sighting s JOIN transfer t ON t.id = s.transfer_id WHERE t.payment_id = $1 ORDER BY s.seen_at, s.round, s.id";
    CREDITS = "SELECT c.* FROM credit c JOIN transfer t ON t.id = c.transfer_id WHERE t.payment_id = $1 ORDER BY c.number, c.part";
    NEXT_NUMBER = "SELECT COUNT(*) AS number FROM credit WHERE transfer_id = $1";
    INSERT_CREDIT = "INSERT INTO credit (sighting_id, part, transfer_id, number, units, cents, place, held_id, held_cents, undone) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    UNDO_CREDIT = "UPDATE credit SET undone = 1 WHERE sighting_id = $1 AND part = $2 AND undone = 0";
    MOVE_HELD = "UPDATE credit SET place = 'balance', held_id = NULL, held_cents = NULL WHERE held_id = $1 AND undone = 0";
    LIVE_BY_METHOD = "SELECT t.method, CAST(COALESCE(SUM(c.cents), 0) AS BIGINT) AS cents FROM credit c JOIN transfer t ON t.id = c.transfer_id WHERE c.undone = 0 GROUP BY t.method ORDER BY t.method";
    TWICE = "SELECT transfer_id, part FROM credit WHERE undone = 0 GROUP BY transfer_id, part HAVING COUNT(*) > 1 ORDER BY transfer_id, part";
    ON_LOST = "SELECT c.sighting_id FROM credit c JOIN sighting s ON s.id = c.sighting_id WHERE c.undone = 0 AND s.orphaned = 1 ORDER BY c.sighting_id";
    RULINGS = "SELECT r.* FROM ruling r JOIN transfer t ON t.id = r.transfer_id WHERE t.payment_id = $1 ORDER BY r.at, r.id";
    OURS = "SELECT COUNT(*) AS ours FROM transfer WHERE network = $1 AND tx_id = $2 AND out_index = $3";
    COUNT = "SELECT COUNT(*) AS transfers FROM transfer WHERE network = $1";
}

/// Adds a transfer.
pub fn insert(tx: &mut Tx<'_>, transfer: &TransferRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &transfer.values()).map(|_| ())
}

/// The transfer of that output.
pub fn by_output(
    tx: &mut Tx<'_>,
    network: &str,
    tx_id: &str,
    out_index: u32,
) -> Result<Option<TransferRow>, StoreError> {
    tx.query_opt(BY_OUTPUT, params![network, tx_id, out_index])?.as_ref().map(TransferRow::from_row).transpose()
}

/// Transfers at a payment's address, oldest first.
pub fn of_payment(tx: &mut Tx<'_>, payment_id: &str) -> Result<Vec<TransferRow>, StoreError> {
    all(&tx.query(OF_PAYMENT, params![payment_id])?, TransferRow::from_row)
}

/// Transfers in no block that stands and not known to be gone: they wait in the mempool, as far as we know. Those first met in a
/// block that was lost are among them: only a reading of the mempool says what became of them.
pub fn unmined(tx: &mut Tx<'_>, network: &str) -> Result<Vec<TransferRow>, StoreError> {
    all(&tx.query(UNMINED, params![network])?, TransferRow::from_row)
}

/// A transfer that had vanished is in the mempool again.
pub fn back(tx: &mut Tx<'_>, id: &str) -> Result<(), StoreError> {
    tx.execute(BACK, params![id]).map(|_| ())
}

/// A transfer left the mempool without being mined, replaced or not.
pub fn gone(tx: &mut Tx<'_>, id: &str, vanished: bool, replaced_by: Option<&str>) -> Result<(), StoreError> {
    tx.execute(GONE, params![id, vanished, replaced_by]).map(|_| ())
}

/// A transfer is mined: what only its block tells.
pub fn mined(
    tx: &mut Tx<'_>,
    id: &str,
    only_once_mined: bool,
    spendable_at_height: Option<i64>,
) -> Result<(), StoreError> {
    tx.execute(COMPLETE, params![id, only_once_mined, spendable_at_height]).map(|_| ())
}

/// Adds a sighting.
pub fn insert_sighting(tx: &mut Tx<'_>, sighting: &SightingRow) -> Result<(), StoreError> {
    tx.execute(INSERT_SIGHTING, &sighting.values()).map(|_| ())
}

/// How often this output was seen in this very block before.
pub fn rounds(
    tx: &mut Tx<'_>,
    network: &str,
    block_hash: &str,
    tx_id: &str,
    out_index: u32,
) -> Result<u32, StoreError> {
    tx.query_one(ROUNDS, params![network, block_hash, tx_id, out_index])?.get("rounds")
}

/// Sightings in a block that stands.
pub fn of_block(tx: &mut Tx<'_>, network: &str, block_hash: &str) -> Result<Vec<SightingRow>, StoreError> {
    all(&tx.query(OF_BLOCK, params![network, block_hash])?, SightingRow::from_row)
}

/// The block is lost: its sightings are orphaned.
pub fn orphan(tx: &mut Tx<'_>, network: &str, block_hash: &str) -> Result<u64, StoreError> {
    tx.execute(ORPHAN, params![network, block_hash])
}

/// Every sighting of a payment's transfers, oldest first.
pub fn sightings(tx: &mut Tx<'_>, payment_id: &str) -> Result<Vec<SightingRow>, StoreError> {
    all(&tx.query(SIGHTINGS, params![payment_id])?, SightingRow::from_row)
}

/// Every credit of a payment's transfers, oldest first.
pub fn credits(tx: &mut Tx<'_>, payment_id: &str) -> Result<Vec<CreditRow>, StoreError> {
    all(&tx.query(CREDITS, params![payment_id])?, CreditRow::from_row)
}

/// Adds a credit; its number is given here.
pub fn insert_credit(tx: &mut Tx<'_>, credit: &CreditRow) -> Result<(), StoreError> {
    let number: i64 = tx.query_one(NEXT_NUMBER, params![&credit.transfer_id])?.get("number")?;
    let numbered = CreditRow { number, ..credit.clone() };
    tx.execute(INSERT_CREDIT, &numbered.values()).map(|_| ())
}

/// Notes that a credit's reversal is posted; false when it was before.
pub fn undo_credit(tx: &mut Tx<'_>, sighting_id: &str, part: &str) -> Result<bool, StoreError> {
    Ok(tx.execute(UNDO_CREDIT, params![sighting_id, part])? == 1)
}

/// Money held for an order became balance: credits are taken back from there.
pub fn move_held(tx: &mut Tx<'_>, held_id: &str) -> Result<u64, StoreError> {
    tx.execute(MOVE_HELD, params![held_id])
}

/// Sum of the credits that stand, by method.
pub fn live_by_method(tx: &mut Tx<'_>) -> Result<Vec<(String, i64)>, StoreError> {
    all(&tx.query(LIVE_BY_METHOD, params![])?, |row| Ok((row.get("method")?, row.get("cents")?)))
}

/// Transfers of which one part has more than one credit that stands.
pub fn credited_twice(tx: &mut Tx<'_>) -> Result<Vec<String>, StoreError> {
    all(&tx.query(TWICE, params![])?, |row| row.get("transfer_id"))
}

/// Sightings in lost blocks whose credit stands.
pub fn credited_on_lost(tx: &mut Tx<'_>) -> Result<Vec<String>, StoreError> {
    all(&tx.query(ON_LOST, params![])?, |row| row.get("sighting_id"))
}

/// Rulings about a payment's transfers, oldest first.
pub fn rulings(tx: &mut Tx<'_>, payment_id: &str) -> Result<Vec<RulingRow>, StoreError> {
    all(&tx.query(RULINGS, params![payment_id])?, RulingRow::from_row)
}

/// Whether an output was paid to one of our addresses.
pub fn is_ours(tx: &mut Tx<'_>, network: &str, tx_id: &str, out_index: u32) -> Result<bool, StoreError> {
    Ok(tx.query_one(OURS, params![network, tx_id, out_index])?.get::<i64>("ours")? > 0)
}

/// How many transfers were ever seen on a network.
pub fn count(tx: &mut Tx<'_>, network: &str) -> Result<i64, StoreError> {
    tx.query_one(COUNT, params![network])?.get("transfers")
}
