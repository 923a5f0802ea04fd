//! On time or late (P10 «On time»).
//!
//! Intervals: instructions are open for `[issued_at, deadline)`. «Seen» is strictly before the deadline; a block's time
//! counts up to its limit inclusive. Block times have whole seconds, so nobody loses a transfer to a rounded microsecond.

use super::terms::Terms;
use super::transfer::{Transfer, WatchPosition};
use crate::asset::Network;
use crate::time::{HOUR_MICROS, MINUTE_MICROS, Timestamp};

/// A Bitcoin or Litecoin transfer seen in time may be mined this long after the deadline, inclusive.
pub const MINED_WITHIN_MICROS: i64 = 6 * HOUR_MICROS;

/// Where we could not have seen it unmined, its block may be this much younger than the deadline, inclusive.
pub const LAG_GRACE_MICROS: i64 = 60 * MINUTE_MICROS;

/// Whether a transfer met its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// It did.
    OnTime,
    /// It did not, or can't any more.
    Late,
    /// In no block yet, and it still can.
    Undecided,
}

/// Whether a network's transfers are seen by our node before they are mined.
pub(super) const fn has_mempool(network: Network) -> bool {
    matches!(network, Network::Bitcoin | Network::Litecoin)
}

/// The last block time that can still be on time on this network.
pub(super) const fn last_block_time(terms: &Terms) -> Timestamp {
    let grace = if has_mempool(terms.method.network()) { MINED_WITHIN_MICROS } else { 0 };
    terms.deadline.plus_micros(grace)
}

/// Judges one transfer by its first block, so that being mined again changes nothing. `seen` is its first sighting of
/// any kind, inherited from what it replaced; `clock` is the latest instant known to have come.
pub(super) fn timing(
    terms: &Terms,
    transfer: &Transfer,
    seen: Option<Timestamp>,
    position: &WatchPosition,
    clock: Timestamp,
) -> Timing {
    let network = terms.method.network();
    let seen_in_time = seen.is_some_and(|at| at < terms.deadline);
    let Some(first) = transfer.sightings.first() else {
        // A header may be dated up to two hours ahead, and the next block before it: the time itself has to have come too.
        let possible = seen_in_time && position.block_time.min(clock) <= last_block_time(terms);
        return if possible { Timing::Undecided } else { Timing::Late };
    };
    let within = |grace: i64| first.block_time <= terms.deadline.plus_micros(grace);
    let unseeable = transfer.lagged || transfer.only_once_mined;
    // A block dated before the deadline that reached us after it proves by itself that we lagged.
    let on_time = if has_mempool(network) {
        within(0) || (seen_in_time && within(MINED_WITHIN_MICROS)) || (unseeable && within(LAG_GRACE_MICROS))
    } else {
        within(0)
    };
    if on_time { Timing::OnTime } else { Timing::Late }
}
