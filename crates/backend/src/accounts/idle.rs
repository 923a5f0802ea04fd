//! Accounts that never ordered nor topped up end after a while without use (A4). Emails are not verified: whoever typed a
//! stranger's by mistake does not keep it for ever.

use api::server::Role;
use domain::Timestamp;
use serde_json::json;
use store::Tx;
use store::repo::account::{self, IdleRow};
use store::repo::session;

use super::session::Why;
use super::stored_role;
use crate::audit;
use crate::policy::Policy;
use crate::refusal::Outcome;

/// Who the audit log names.
pub const IDLE_JOB: &str = "idle-accounts";
/// Accounts looked at in one go, and removed in one transaction.
const ROWS: i64 = 50;

/// Some of the accounts that were not used for the period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdlePage {
    /// Those of them that may be removed, as far as this look says.
    pub removable: Vec<String>,
    /// Where to look on; `None` when that was all.
    pub next: Option<IdleRow>,
}

/// Looks for accounts to remove, from a place in the order of their last use. Reads only: customers whose orders are old stay
/// in that order for ever, and looking at them must hold up nobody.
pub fn find_idle(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, from: Option<&IdleRow>) -> Outcome<IdlePage> {
    let start = IdleRow { id: String::new(), last_used_at: Timestamp::from_micros(i64::MIN) };
    let rows = account::idle(tx, policy.limits.retention.idle_by(now), from.unwrap_or(&start), ROWS)?;
    let next = rows.last().filter(|_| i64::try_from(rows.len()) == Ok(ROWS)).cloned();
    let mut removable = Vec::new();
    for row in rows {
        if never_a_customer(tx, &row.id)? {
            removable.push(row.id);
        }
    }
    Ok(IdlePage { removable, next })
}

/// Whether an account has had nothing to do with money, so that nothing is lost with it.
fn never_a_customer(tx: &mut Tx<'_>, id: &str) -> Outcome<bool> {
    Ok(faults::planted(faults::IDLE_REMOVAL_TAKES_CUSTOMERS) || !account::has_business(tx, id)?)
}

/// Removes accounts if they may still be removed: contact data, sign-ins and what was answered to them go, the random id
/// stays. Running it again changes nothing: only an account that is there is removed. Returns how many were.
pub fn remove_idle(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp, ids: &[String]) -> Outcome<u32> {
    let retention = &policy.limits.retention;
    let mut removed = 0;
    for id in ids {
        let Some(row) = account::by_id(tx, id)? else { continue };
        let customer = stored_role(&row.role)? == Role::Customer;
        if !customer || !never_a_customer(tx, id)? || !account::erase(tx, id, retention.idle_by(now))? {
            continue;
        }
        session::end_others(tx, id, "", now, Why::Removed.code())?;
        let data = json!({"idle_days": retention.idle_account_days});
        audit::record(tx, now, IDLE_JOB, "account_removed", id, &data)?;
        removed += 1;
    }
    Ok(removed)
}
