//! The last states that this version knew, for rows in which a newer server tells others (H3). Nothing is written while every
//! state is known.

use api::server::SyncRow;
use api::views::{FulfilmentState, Headline, LastKnown, OrderState};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;
use serde_json::Value;

/// Before a row is overwritten by one with a state that this version does not know: keeps those it did.
pub(super) fn keep_before(connection: &Connection, row: &SyncRow) -> rusqlite::Result<()> {
    if !tells_unknown(row) {
        return Ok(());
    }
    let mut held = connection.prepare_cached("SELECT body FROM history WHERE kind = ?1 AND id = ?2")?;
    let body: Option<String> = held.query_row([&row.kind, &row.id], |row| row.get(0)).optional()?;
    match body {
        Some(body) => keep(connection, &row.kind, &row.id, &body),
        None => Ok(()),
    }
}

/// Before the history is dropped: keeps what is known of all of it.
pub(super) fn keep_all(connection: &Connection) -> rusqlite::Result<()> {
    let mut held = connection.prepare("SELECT kind, id, body FROM history WHERE kind IN ('order', 'payment')")?;
    let mut rows = held.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, id, body): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        keep(connection, &kind, &id, &body)?;
    }
    Ok(())
}

/// What was last known of a row.
pub(super) fn of(connection: &Connection, kind: &str, id: &str) -> rusqlite::Result<LastKnown> {
    let mut kept = connection.prepare_cached("SELECT states FROM last_known WHERE kind = ?1 AND id = ?2")?;
    let states: Option<String> = kept.query_row([kind, id], |row| row.get(0)).optional()?;
    Ok(states.and_then(|states| serde_json::from_str(&states).ok()).unwrap_or_default())
}

/// A state that was unknown then leaves what was known before it.
fn keep(connection: &Connection, kind: &str, id: &str, body: &str) -> rusqlite::Result<()> {
    let Ok(body) = serde_json::from_str::<Value>(body) else { return Ok(()) };
    let (now, before) = (states(&body), of(connection, kind, id)?);
    let known = LastKnown {
        state: now.state.filter(|state| *state != OrderState::Unknown).or(before.state),
        headline: now.headline.filter(|headline| *headline != Headline::Unknown).or(before.headline),
        fulfilment: now.fulfilment.filter(|state| *state != FulfilmentState::Unknown).or(before.fulfilment),
    };
    let Ok(text) = serde_json::to_string(&known) else { return Ok(()) };
    let sql = "INSERT INTO last_known (kind, id, states) VALUES (?1, ?2, ?3)
        ON CONFLICT (kind, id) DO UPDATE SET states = excluded.states";
    connection.prepare_cached(sql)?.execute(params![kind, id, text]).map(|_| ())
}

fn tells_unknown(row: &SyncRow) -> bool {
    matches!(row.kind.as_str(), "order" | "payment") && {
        let told = states(&row.body);
        told.state == Some(OrderState::Unknown)
            || told.headline == Some(Headline::Unknown)
            || told.fulfilment == Some(FulfilmentState::Unknown)
    }
}

/// The states in a row's body, wherever they can be read.
fn states(body: &Value) -> LastKnown {
    fn read<'b, T: Deserialize<'b>>(value: Option<&'b Value>) -> Option<T> {
        value.and_then(|value| T::deserialize(value).ok())
    }
    LastKnown {
        state: read(body.get("state")),
        headline: read(body.get("headline")),
        fulfilment: read(body.pointer("/fulfilment/state")),
    }
}
