//! The audit log: every action of an operator and of the command line, chained by hash from the first.

use std::collections::HashMap;

use api::server::{AuditAnswer, AuditEntry, ListRequest};
use domain::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::Tx;
use store::repo::account;
use store::repo::audit::{self, AuditRow};

use crate::caller::Caller;
use crate::refusal::{Outcome, Refusal};

/// Key of the lock around whatever writes to the log: its head is one row that everybody reads and moves, and
/// serializable transactions over it would abort one another.
const HEAD_LOCK: i64 = 0x6b64_6175_6469_7401;
const PAGE_ROWS: i64 = 100;
const VERIFY_ROWS: i64 = 1_000;

/// The hash before the first record.
const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Adds a record. `data` holds no secrets and no contact data.
pub fn record(
    tx: &mut Tx<'_>,
    now: Timestamp,
    actor: &str,
    action: &str,
    subject: &str,
    data: &serde_json::Value,
) -> Outcome<()> {
    tx.hold(HEAD_LOCK)?;
    let last = audit::last(tx)?;
    let mut row = AuditRow {
        number: last.as_ref().map_or(1, |row| row.number + 1),
        at: now,
        actor: actor.to_owned(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        data: data.to_string(),
        previous_hash: last.map_or_else(|| START.to_owned(), |row| row.hash),
        hash: String::new(),
    };
    row.hash = hash(&row);
    Ok(audit::insert(tx, &row)?)
}

/// SHA-256 over the fields, each with its length before it, so that no two records share bytes.
fn hash(row: &AuditRow) -> String {
    let mut hasher = Sha256::new();
    let numbers = (row.number.to_string(), row.at.micros().to_string());
    for field in [&numbers.0, &numbers.1, &row.actor, &row.action, &row.subject, &row.data, &row.previous_hash] {
        hasher.update(format!("{}:", field.len()));
        hasher.update(field);
    }
    hex::encode(hasher.finalize())
}

/// The first number at which the chain does not fit: a gap, a hash that is not its record's or not carried on. None when all fits.
pub fn first_wrong(tx: &mut Tx<'_>) -> Outcome<Option<i64>> {
    let (mut next, mut previous) = (1i64, START.to_owned());
    loop {
        let rows = audit::from(tx, next, VERIFY_ROWS)?;
        if rows.is_empty() {
            return Ok(None);
        }
        for row in rows {
            if row.number != next || row.previous_hash != previous || row.hash != hash(&row) {
                return Ok(Some(next));
            }
            next += 1;
            previous = row.hash;
        }
    }
}

/// Whether the whole chain fits.
pub fn verify(tx: &mut Tx<'_>) -> Outcome<bool> {
    Ok(first_wrong(tx)?.is_none())
}

/// A page for operators, newest first.
pub fn list(tx: &mut Tx<'_>, caller: &Caller, request: &ListRequest) -> Outcome<AuditAnswer> {
    caller.administrator()?;
    let before = match &request.cursor {
        Some(cursor) => cursor.parse().map_err(|_| Refusal::field("cursor", "unreadable"))?,
        None => i64::MAX,
    };
    let search = request.search.trim().to_lowercase();
    let (mut entries, mut names, mut before) = (Vec::new(), Names::default(), before);
    // The chain is verified whole for every page, so that looking through it for a search adds little.
    'found: loop {
        let rows = audit::page(tx, before, PAGE_ROWS)?;
        if rows.is_empty() {
            return Ok(AuditAnswer { entries, cursor: None, verified: verify(tx)? });
        }
        for row in rows {
            before = row.number;
            let entry = entry(tx, &mut names, row)?;
            if fits(&entry, &search) {
                entries.push(entry);
            }
            if i64::try_from(entries.len()) == Ok(PAGE_ROWS) {
                break 'found;
            }
        }
    }
    let cursor = (before > 1).then(|| before.to_string());
    Ok(AuditAnswer { entries, cursor, verified: verify(tx)? })
}

/// Names of accounts that were looked up; none for what is no account, or no longer one.
type Names = HashMap<String, Option<String>>;

fn name_of(tx: &mut Tx<'_>, names: &mut Names, id: &str) -> Outcome<Option<String>> {
    if let Some(known) = names.get(id) {
        return Ok(known.clone());
    }
    let name = account::by_id(tx, id)?.map(|row| format!("{} {}", row.first_name, row.last_name));
    names.insert(id.to_owned(), name.clone());
    Ok(name)
}

/// Whether a search finds an entry: by what stands in it, ids included.
fn fits(entry: &AuditEntry, search: &str) -> bool {
    let AuditEntry { actor, actor_name, action, subject, subject_name, .. } = entry;
    let texts = [Some(actor), actor_name.as_ref(), Some(action), Some(subject), subject_name.as_ref()];
    texts.into_iter().flatten().any(|text| text.to_lowercase().contains(search))
}

fn entry(tx: &mut Tx<'_>, names: &mut Names, row: AuditRow) -> Outcome<AuditEntry> {
    let number = u32::try_from(row.number).map_err(|_| Refusal::broken("audit number out of range"))?;
    let AuditRow { at, actor, action, subject, data, hash, .. } = row;
    let data: Value = serde_json::from_str(&data).map_err(|error| Refusal::broken(format!("audit: {error}")))?;
    let actor_name = name_of(tx, names, &actor)?;
    let subject_name = match data.get("reference").and_then(Value::as_str) {
        Some(reference) => Some(reference.to_owned()),
        None => name_of(tx, names, &subject)?,
    };
    Ok(AuditEntry { number, at: at.into(), actor, actor_name, action, subject, subject_name, hash })
}
