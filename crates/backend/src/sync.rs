//! Per-account sync: every transaction that touches an account moves its head first and marks what changed.

use api::server::{SyncAnswer, SyncRequest, SyncRow};
use domain::Timestamp;
use store::Tx;
use store::repo::account::{self, ChangeRow};

use crate::caller::Caller;
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::views;

/// Rows of one page; a transaction that touches more is sent whole all the same.
const PAGE_ROWS: i64 = 200;

/// The account's head as this transaction moved it.
pub struct Head<'a> {
    account_id: &'a str,
    seq: i64,
}

impl<'a> Head<'a> {
    /// Moves the head.
    pub fn bump(tx: &mut Tx<'_>, account_id: &'a str) -> Outcome<Self> {
        Ok(Self { account_id, seq: account::bump(tx, account_id)? })
    }

    /// Marks something of the account as changed: `account`, `order`, `payment` or `balance_entry`.
    pub fn touch(&self, tx: &mut Tx<'_>, kind: &str, id: &str) -> Outcome<()> {
        Ok(account::touch(tx, self.account_id, kind, id, self.seq)?)
    }
}

/// A page of everything that changed since a cursor. The same query serves the first sync and the thousandth.
pub fn pull(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &SyncRequest,
) -> Outcome<SyncAnswer> {
    let head = account::head(tx, &caller.account_id)?;
    let known = request.cursor.as_deref().and_then(|cursor| cursor.split_once('.'));
    let after = known.filter(|(generation, _)| *generation == head.generation);
    let after = after.and_then(|(_, seq)| seq.parse::<i64>().ok()).filter(|seq| (0..=head.seq).contains(seq));
    let (changes, end) = account::changes(tx, &caller.account_id, after.unwrap_or(0), PAGE_ROWS)?;
    let rows = changes.iter().map(|change| row(tx, policy, now, caller, change)).collect::<Outcome<Vec<_>>>()?;
    Ok(SyncAnswer { reset: after.is_none(), rows, cursor: format!("{}.{end}", head.generation), more: end < head.seq })
}

fn row(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, caller: &Caller, change: &ChangeRow) -> Outcome<SyncRow> {
    let id = &change.entity_id;
    let body = match change.kind.as_str() {
        "account" => json(&views::account(tx, &caller.account_id)?),
        "order" => json(&views::order(tx, policy, now, id, views::Access::Shown)?),
        "payment" => json(&views::payment(tx, policy, now, id)?),
        "balance_entry" => json(&views::balance_entry(tx, &caller.account_id, id)?),
        other => return Err(Refusal::broken(format!("change of kind {other}"))),
    }?;
    Ok(SyncRow { kind: change.kind.clone(), id: id.clone(), body })
}

fn json(value: &impl serde::Serialize) -> Outcome<serde_json::Value> {
    serde_json::to_value(value).map_err(|error| Refusal::broken(error.to_string()))
}
