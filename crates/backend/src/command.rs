//! A command is carried out once, however often it is sent.

use api::ErrorCode;
use domain::Timestamp;
use domain::time::DAY_MICROS;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use store::Tx;
use store::repo::command::{self, CommandRow};
use store::repo::{installation, retention};

use crate::ids;
use crate::refusal::{Outcome, Refusal};

/// Answers to ids that were made by then may be forgotten: nobody knows any more whether such a command was carried out.
const FORGOTTEN_BY: &str = "commands_forgotten_by";

/// An id younger than this is taken, whatever was forgotten: a server whose clock ran ahead and was set right again would
/// refuse everything until its time came. A device asks again for a day, and no period is as short as a week.
const NEVER_FORGOTTEN_MICROS: i64 = 2 * DAY_MICROS;

/// Runs `effect` unless this id of this account was carried out before; then answers what it answered. The answer is
/// stored in the effect's own transaction. `name` is part of what must be the same.
pub fn once<T: Serialize + DeserializeOwned>(
    tx: &mut Tx<'_>,
    account_id: &str,
    (name, id): (&str, &str),
    request: &impl Serialize,
    now: Timestamp,
    effect: impl FnOnce(&mut Tx<'_>) -> Outcome<T>,
) -> Outcome<T> {
    if !ids::is_command_id(id) {
        return Err(Refusal::field("command_id", "not_uuid_v7"));
    }
    let body = serde_json::to_string(request).map_err(|error| Refusal::broken(error.to_string()))?;
    let body_hash = Sha256::digest(format!("{name}\n{body}")).to_vec();
    if let Some(first) = command::find(tx, account_id, id)? {
        if first.body_hash != body_hash {
            return Err(ErrorCode::CommandReused.into());
        }
        return serde_json::from_str(&first.answer).map_err(|error| Refusal::broken(error.to_string()));
    }
    if is_forgotten(tx, id, now)? {
        return Err(Refusal::field("command_id", "too_old"));
    }
    let answer = effect(tx)?;
    let text = serde_json::to_string(&answer).map_err(|error| Refusal::broken(error.to_string()))?;
    command::insert(tx, account_id, id, &CommandRow { body_hash, answer: text }, now)?;
    Ok(answer)
}

/// Forgets answers that were given by `by`. An id of before can never be carried out a second time: it is refused from now
/// on. Ids that claim to be younger are kept until their own time comes. Returns how many rows that were.
pub fn forget(tx: &mut Tx<'_>, by: Timestamp, limit: i64) -> Outcome<u64> {
    let forgotten = retention::commands(tx, by, &ids::highest(by), limit)?;
    if forgotten > 0 {
        installation::set(tx, FORGOTTEN_BY, &by.micros().to_string())?;
    }
    Ok(forgotten)
}

fn is_forgotten(tx: &mut Tx<'_>, id: &str, now: Timestamp) -> Outcome<bool> {
    let Some(text) = installation::get(tx, FORGOTTEN_BY)? else { return Ok(false) };
    let by = text.parse().map_err(|_| Refusal::broken(FORGOTTEN_BY))?;
    let by = Timestamp::from_micros(by).min(now.plus_micros(-NEVER_FORGOTTEN_MICROS));
    Ok(ids::made_at(id).is_none_or(|made_at| made_at <= by))
}
