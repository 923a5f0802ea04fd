//! What time alone brings: deadlines pass, holds end, prices lapse, reviews are decided, rentals end, a watcher lags.

use domain::Timestamp;
use store::Tx;
use store::repo::{order, payment};

use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::{attribute, lag, orders, sync};

/// Rows of one run, so that no transaction grows without bound.
const ROWS: i64 = 100;

/// Applies what is due by now. Returns how many rows were looked at; run again until it is nothing.
pub fn run(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp) -> Outcome<usize> {
    lag::note(tx, policy, now)?;
    let payments = payment::due(tx, now, ROWS)?;
    for id in &payments {
        attribute::payment(tx, policy, now, id)?;
    }
    let due = order::due(tx, now, ROWS)?;
    for id in &due {
        let row = order::by_id(tx, id)?.ok_or_else(|| Refusal::broken(format!("order {id}")))?;
        let head = sync::Head::bump(tx, &row.account_id)?;
        orders::refresh(tx, policy, now, id, &head)?;
        head.touch(tx, "order", id)?;
        head.touch(tx, "account", &row.account_id)?;
    }
    Ok(payments.len() + due.len())
}
