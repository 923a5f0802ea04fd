//! How long things are kept (A6), and forgetting them afterwards. What is shown at sign-up is what is done here: a period
//! without its job is not shown. The ledger, addresses given out and the audit log are kept for good.

use std::collections::BTreeMap;

use domain::time::DAY_MICROS;
use domain::{Method, Timestamp};
use store::Tx;
use store::repo::{retention, session};

use crate::command;
use crate::policy::Policy;
use crate::refusal::Outcome;

/// Rows of each kind that one run forgets, so that no transaction grows without bound.
const ROWS: i64 = 200;

/// Periods, in days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    /// A sign-in ends when it was not used for so long.
    pub session_days: u32,
    /// What is known of a sign-in after it ended.
    pub ended_session_days: u32,
    /// An account that never ordered nor topped up ends when it was not used for so long (A4).
    pub idle_account_days: u32,
    /// What was answered to a command.
    pub command_days: u32,
    /// From which network a payment was asked for, after its deadline.
    pub network_days: u32,
    /// Recorded rates. They name nobody, so sign-up does not list them.
    pub rate_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            session_days: 30,
            ended_session_days: 30,
            idle_account_days: 30,
            command_days: 30,
            network_days: 30,
            rate_days: 400,
        }
    }
}

fn before(now: Timestamp, days: u32) -> Timestamp {
    now.plus_micros(-i64::from(days) * DAY_MICROS)
}

impl Retention {
    /// A sign-in's life without use, microseconds.
    pub fn session_micros(&self) -> i64 {
        i64::from(self.session_days) * DAY_MICROS
    }

    /// Accounts last used by then are idle.
    pub fn idle_by(&self, now: Timestamp) -> Timestamp {
        before(now, self.idle_account_days)
    }

    /// What sign-up shows, in days by name; 0 is for good.
    pub fn shown(&self) -> BTreeMap<String, u32> {
        let shown = [
            ("idle_account", self.idle_account_days),
            ("session", self.session_days),
            ("ended_session", self.ended_session_days),
            ("command_result", self.command_days),
            ("network", self.network_days),
            ("ledger", 0),
            ("audit", 0),
        ];
        shown.into_iter().map(|(name, days)| (name.to_owned(), days)).collect()
    }
}

/// Forgets some of what is over. Returns how many rows that were; run again until it is nothing.
pub fn forget(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp) -> Outcome<u64> {
    let periods = &policy.limits.retention;
    let over = session::over(tx, before(now, periods.ended_session_days), ROWS)?;
    for id in &over {
        session::delete(tx, id)?;
    }
    let mut rows = over.len() as u64;
    rows += command::forget(tx, before(now, periods.command_days), ROWS)?;
    rows += retention::prefixes(tx, before(now, periods.network_days), ROWS)?;
    for method in Method::ALL {
        rows += retention::rates(tx, method.code(), before(now, periods.rate_days), ROWS)?;
    }
    Ok(rows)
}
