//! The audit log: every action of an operator and of the command line, chained by hash from the first.

use api::server::{AuditAnswer, AuditEntry, ListRequest};
use domain::Timestamp;
use sha2::{Digest, Sha256};
use store::Tx;
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
    let rows = audit::page(tx, before, PAGE_ROWS)?;
    let full = i64::try_from(rows.len()) == Ok(PAGE_ROWS);
    let cursor = rows.last().filter(|row| full && row.number > 1).map(|row| row.number.to_string());
    let entries = rows.into_iter().map(entry).collect::<Outcome<Vec<_>>>()?;
    Ok(AuditAnswer { entries, cursor, verified: verify(tx)? })
}

fn entry(row: AuditRow) -> Outcome<AuditEntry> {
    let number = u32::try_from(row.number).map_err(|_| Refusal::broken("audit number out of range"))?;
    let AuditRow { at, actor, action, subject, hash, .. } = row;
    Ok(AuditEntry { number, at: at.into(), actor, action, subject, hash })
}
