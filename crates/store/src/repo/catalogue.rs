//! Offers, their dated prices and their stock.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// An offer.
    OfferRow {
        /// The offer's id.
        id: String,
        /// The hardware facts, JSON.
        hardware: String,
        /// Place in the catalogue.
        position: i64,
        /// Lots that the business has.
        lots_total: u32,
        /// Whether customers see it.
        visible: bool,
        /// Whether its prices are samples.
        sample: bool,
    }
}

/// A price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceRow {
    /// The offer.
    pub offer_id: String,
    /// 3, 7 or 30.
    pub days: u32,
    /// Cents for one lot.
    pub per_lot_cents: i64,
}

/// Lots that are out of stock for others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenRow {
    /// The offer.
    pub offer_id: String,
    /// Lots taken.
    pub lots: u32,
    /// Earliest end of a hold among them, if one is an unpaid hold.
    pub held_until: Option<Timestamp>,
}

statements! {
    ALL = "SELECT * FROM offer ORDER BY position, id";
    BY_ID = "SELECT * FROM offer WHERE id = $1";
    LOCK = "SELECT id FROM offer WHERE id = $1 FOR UPDATE";
    INSERT = "INSERT INTO offer (id, hardware, position, lots_total, visible, sample) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING";
    INSERT_PRICE = "INSERT INTO offer_price (offer_id, days, since, per_lot_cents) VALUES ($1, $2, $3, $4) ON CONFLICT (offer_id, days, since) DO NOTHING";
    PRICES = "SELECT offer_id, days, per_lot_cents FROM offer_price p WHERE since = (SELECT MAX(since) FROM offer_price q WHERE q.offer_id = p.offer_id AND q.days = p.days AND q.since <= $1) ORDER BY offer_id, days";
    PRICE = "SELECT offer_id, days, per_lot_cents FROM offer_price WHERE offer_id = $1 AND days = $2 AND since <= $3 ORDER BY since DESC LIMIT 1";
    TAKEN = "SELECT offer_id, CAST(SUM(lots) AS BIGINT) AS lots, MIN(CASE WHEN settled_at IS NULL THEN lots_held_until END) AS held_until FROM rental_order WHERE lots_held = 1 GROUP BY offer_id";
    TAKEN_OF = "SELECT CAST(COALESCE(SUM(lots), 0) AS BIGINT) AS lots FROM rental_order WHERE offer_id = $1 AND lots_held = 1 AND id <> $2";
    UNPAID_OF = "SELECT CAST(COALESCE(SUM(lots), 0) AS BIGINT) AS lots, COUNT(*) AS orders FROM rental_order WHERE offer_id = $1 AND lots_held = 1 AND settled_at IS NULL AND lots_held_until IS NOT NULL AND id <> $2";
    SET_STOCK = "UPDATE offer SET lots_total = $2 WHERE id = $1";
}

/// Every offer in the catalogue's order.
pub fn offers(tx: &mut Tx<'_>) -> Result<Vec<OfferRow>, StoreError> {
    all(&tx.query(ALL, params![])?, OfferRow::from_row)
}

/// The offer of that id.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<OfferRow>, StoreError> {
    tx.query_opt(BY_ID, params![id])?.as_ref().map(OfferRow::from_row).transpose()
}

/// Takes the offer's row so that two orders for the last lot queue.
pub fn lock(tx: &mut Tx<'_>, id: &str) -> Result<(), StoreError> {
    tx.query_opt(LOCK, params![id]).map(|_| ())
}

/// Adds an offer unless it is there.
pub fn insert(tx: &mut Tx<'_>, offer: &OfferRow) -> Result<bool, StoreError> {
    Ok(tx.execute(INSERT, &offer.values())? == 1)
}

/// Adds a dated price.
pub fn insert_price(tx: &mut Tx<'_>, price: &PriceRow, since: Timestamp) -> Result<(), StoreError> {
    tx.execute(INSERT_PRICE, params![&price.offer_id, price.days, since, price.per_lot_cents]).map(|_| ())
}

fn price_row(row: &crate::Row) -> Result<PriceRow, StoreError> {
    Ok(PriceRow { offer_id: row.get("offer_id")?, days: row.get("days")?, per_lot_cents: row.get("per_lot_cents")? })
}

/// The prices that hold now.
pub fn prices(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<PriceRow>, StoreError> {
    all(&tx.query(PRICES, params![now])?, price_row)
}

/// The price that holds now.
pub fn price(tx: &mut Tx<'_>, offer_id: &str, days: u32, now: Timestamp) -> Result<Option<PriceRow>, StoreError> {
    tx.query_opt(PRICE, params![offer_id, days, now])?.as_ref().map(price_row).transpose()
}

/// Lots taken, by offer.
pub fn taken(tx: &mut Tx<'_>) -> Result<Vec<TakenRow>, StoreError> {
    all(&tx.query(TAKEN, params![])?, |row| {
        Ok(TakenRow { offer_id: row.get("offer_id")?, lots: row.get("lots")?, held_until: row.get("held_until")? })
    })
}

/// Lots of an offer that other orders have.
pub fn taken_by_others(tx: &mut Tx<'_>, offer_id: &str, order_id: &str) -> Result<u32, StoreError> {
    tx.query_one(TAKEN_OF, params![offer_id, order_id])?.get("lots")
}

/// Lots of an offer that other orders hold by an open window alone, and how many orders they are. A hold without an end is one
/// whose money is in sight.
pub fn unpaid_by_others(tx: &mut Tx<'_>, offer_id: &str, order_id: &str) -> Result<(u32, u32), StoreError> {
    let row = tx.query_one(UNPAID_OF, params![offer_id, order_id])?;
    Ok((row.get("lots")?, row.get("orders")?))
}

/// Sets how many lots the business has.
pub fn set_stock(tx: &mut Tx<'_>, offer_id: &str, lots_total: u32) -> Result<(), StoreError> {
    tx.execute(SET_STOCK, params![offer_id, lots_total]).map(|_| ())
}
