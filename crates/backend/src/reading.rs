//! Rows as the domain reads them.

use domain::ledger::{Part, SightingKey};
use domain::payment::{Credit, Decision, FirstSeen, Place, Purpose, RecordedRate, Ruling, Sighting, Terms, Transfer};
use domain::payment::{WatchPosition, tolerance};
use domain::{BaseUnits, Cents, Method, Network, Rate, Timestamp};
use store::Tx;
use store::repo::chain::WatcherRow;
use store::repo::order::OrderRow;
use store::repo::payment::PaymentRow;
use store::repo::transfer::{CreditRow, RulingRow, SightingRow, TransferRow};
use store::repo::{rate, transfer};

use crate::refusal::{Outcome, Refusal};

/// The method of a stored code.
pub fn method(code: &str) -> Outcome<Method> {
    Method::from_code(code).ok_or_else(|| Refusal::broken(format!("method {code}")))
}

/// The network of a stored code.
pub fn network(code: &str) -> Outcome<Network> {
    Network::from_code(code).ok_or_else(|| Refusal::broken(format!("network {code}")))
}

/// Stored base units.
pub fn units(text: &str) -> Outcome<BaseUnits> {
    BaseUnits::parse_units(text).map_err(|error| Refusal::broken(format!("amount {text}: {error}")))
}

/// A stored rate.
pub fn rate(text: &str) -> Outcome<Rate> {
    Rate::parse(text).map_err(|error| Refusal::broken(format!("rate {text}: {error}")))
}

/// A payment's terms. `order` is the one it pays; its total gives the tolerance.
pub fn terms(row: &PaymentRow, order: Option<&OrderRow>) -> Outcome<Terms> {
    let (purpose, tolerance) = match (row.purpose.as_str(), order) {
        ("order", Some(order)) => {
            (Purpose::Order { order_id: order.id.clone() }, tolerance(Cents::new(order.total_cents)))
        }
        ("top_up", None) => (Purpose::TopUp, Cents::ZERO),
        (purpose, _) => return Err(Refusal::broken(format!("payment {} for {purpose}", row.id))),
    };
    Ok(Terms {
        method: method(&row.method)?,
        purpose,
        asked: Cents::new(row.asked_cents),
        amount: units(&row.amount)?,
        quote: rate(&row.rate)?,
        tolerance,
        issued_at: row.issued_at,
        deadline: row.deadline,
    })
}

/// Where the watcher of a network stands; before its first step it has read nothing.
pub fn position(watcher: Option<&WatcherRow>) -> WatchPosition {
    let start = Timestamp::from_micros(0);
    WatchPosition {
        height: watcher.and_then(|row| row.height).map_or(0, u64::from),
        block_time: watcher.and_then(|row| row.block_time).unwrap_or(start),
        read_at: watcher.and_then(|row| row.at_tip_at).unwrap_or(start),
        finalized_height: None,
    }
}

/// What the record of rates says about one instant.
pub fn recorded_rate(tx: &mut Tx<'_>, method: &str, at: Timestamp) -> Outcome<RecordedRate> {
    let (before, after) = rate::around(tx, method, at)?;
    let read = |row: Option<rate::RateRow>| -> Outcome<Option<(Timestamp, Rate)>> {
        row.map(|row| Ok((row.at, self::rate(&row.rate)?))).transpose()
    };
    Ok(RecordedRate::at(at, read(before)?, read(after)?))
}

/// Every transfer at a payment's address, with its sightings and credits.
pub fn transfers(tx: &mut Tx<'_>, payment: &PaymentRow) -> Outcome<Vec<Transfer>> {
    let rows = transfer::of_payment(tx, &payment.id)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let sightings = transfer::sightings(tx, &payment.id)?;
    let credits = transfer::credits(tx, &payment.id)?;
    rows.iter().map(|row| Ok(Transfer { lagged: payment.blind, ..one(tx, row, &sightings, &credits)? })).collect()
}

fn one(tx: &mut Tx<'_>, row: &TransferRow, sightings: &[SightingRow], credits: &[CreditRow]) -> Outcome<Transfer> {
    let mut mine = Vec::new();
    for sighting in sightings.iter().filter(|sighting| sighting.transfer_id == row.id) {
        mine.push(self::sighting(tx, &row.method, sighting)?);
    }
    let first_seen = match row.unmined_at {
        Some(at) => Some(FirstSeen { at, rate: recorded_rate(tx, &row.method, at)? }),
        None => None,
    };
    let credits = credits.iter().filter(|credit| credit.transfer_id == row.id);
    let credits: Outcome<Vec<Credit>> = credits.map(|credit| self::credit(credit, &mine)).collect();
    Ok(Transfer {
        id: row.id.clone(),
        transaction: row.tx_id.clone(),
        method: method(&row.method)?,
        amount: units(&row.amount)?,
        first_seen,
        vanished: row.vanished,
        replaced_by: row.replaced_by.clone(),
        only_once_mined: row.only_once_mined,
        lagged: false,
        spendable_at_height: row.spendable_at_height.map(u64::from),
        inputs_all_ours: row.inputs_all_ours,
        credits: credits?,
        sightings: mine,
    })
}

/// The domain's key of a stored sighting.
pub fn sighting_key(row: &SightingRow) -> Outcome<SightingKey> {
    Ok(SightingKey {
        network: network(&row.network)?,
        block: row.block_hash.clone(),
        transaction: row.tx_id.clone(),
        index: row.out_index,
        round: row.round,
    })
}

fn sighting(tx: &mut Tx<'_>, method: &str, row: &SightingRow) -> Outcome<Sighting> {
    Ok(Sighting {
        key: sighting_key(row)?,
        height: u64::from(row.height),
        block_time: row.block_time,
        seen_at: row.seen_at,
        rate: recorded_rate(tx, method, row.block_time)?,
        orphaned: row.orphaned,
    })
}

fn credit(row: &CreditRow, sightings: &[Sighting]) -> Outcome<Credit> {
    let sighting = sightings.iter().find(|sighting| sighting.key.to_string() == row.sighting_id);
    let broken = || Refusal::broken(format!("credit of {}", row.sighting_id));
    let place = match (row.place.as_str(), &row.held_id, row.held_cents) {
        ("held", Some(id), Some(cents)) => Place::Held { id: id.clone(), cents: Cents::new(cents) },
        ("balance", ..) => Place::Balance,
        ("unclaimed", ..) => Place::Unclaimed,
        ("own", ..) => Place::Own,
        _ => return Err(broken()),
    };
    Ok(Credit {
        sighting: sighting.map(|sighting| sighting.key.clone()).ok_or_else(broken)?,
        part: Part::from_code(&row.part).ok_or_else(broken)?,
        units: units(&row.units)?,
        cents: Cents::new(row.cents),
        place,
        undone: row.undone,
    })
}

/// Operators' rulings about a payment's transfers.
pub fn decisions(tx: &mut Tx<'_>, payment_id: &str) -> Outcome<Vec<Decision>> {
    transfer::rulings(tx, payment_id)?.iter().map(decision).collect()
}

fn decision(row: &RulingRow) -> Outcome<Decision> {
    let ruling = match row.ruling.as_str() {
        "balance" => Ruling::Balance,
        "purpose" => Ruling::Purpose,
        other => return Err(Refusal::broken(format!("ruling {other}"))),
    };
    Ok(Decision { transfer_id: row.transfer_id.clone(), ruling })
}
