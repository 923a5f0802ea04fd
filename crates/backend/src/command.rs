//! A command is carried out once, however often it is sent.

use api::ErrorCode;
use domain::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use store::Tx;
use store::repo::command::{self, CommandRow};

use crate::ids;
use crate::refusal::{Outcome, Refusal};

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
    let answer = effect(tx)?;
    let text = serde_json::to_string(&answer).map_err(|error| Refusal::broken(error.to_string()))?;
    command::insert(tx, account_id, id, &CommandRow { body_hash, answer: text }, now)?;
    Ok(answer)
}
