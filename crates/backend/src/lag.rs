//! A watcher that does not reach the tip although its node answers: it catches up for long, the chain moves under each reading, or
//! the mempool is never read to its end.

use domain::Timestamp;
use store::Tx;
use store::repo::chain;
use store::repo::installation::{self, AlarmRow};

use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};

const ALARM: &str = "watcher_lag";

/// Raises the alarm of each network whose tip and mempool were not read to the end within the limit, and clears the others'.
pub(crate) fn note(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp) -> Outcome<()> {
    for row in chain::watchers(tx)? {
        let read_at = match row.at_tip_at {
            Some(at) => at,
            None => first_looked(tx, &row.network, now)?,
        };
        if !policy.limits.lags(Some(read_at), now) || faults::planted(faults::LAG_UNSAID) {
            installation::clear(tx, ALARM, &row.network)?;
            continue;
        }
        let height = |height: Option<u32>| height.map_or_else(|| "none".to_owned(), |height| height.to_string());
        let (ours, theirs) = (height(row.height), height(row.tip_height));
        let detail = format!("tip and mempool are not read to the end; last block read: {ours}, the node's: {theirs}");
        installation::raise(tx, &AlarmRow { kind: ALARM.to_owned(), subject: row.network, detail, since: now })?;
    }
    Ok(())
}

/// When a watcher that never came to the tip was first looked at.
fn first_looked(tx: &mut Tx<'_>, network: &str, now: Timestamp) -> Outcome<Timestamp> {
    let name = format!("{ALARM}_from:{network}");
    if let Some(text) = installation::get(tx, &name)? {
        let micros = text.parse().map_err(|_| Refusal::broken(format!("setting {name}")))?;
        return Ok(Timestamp::from_micros(micros));
    }
    installation::set(tx, &name, &now.micros().to_string())?;
    Ok(now)
}
