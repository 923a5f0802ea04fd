//! Whether a node sees what its network does. One that is still downloading, or that hears nobody, answers every question.

use std::time::{SystemTime, UNIX_EPOCH};

use super::client::Client;
use super::wire;
use crate::error::{ChainError, OutOfStep};

/// A tip older than an hour is not the network's: Litecoin finds 24 blocks in it, and none by chance once in e²⁴ tries. A miner
/// may date a block a quarter of an hour too early, which leaves room enough.
const OLDEST_TIP_SECONDS: i64 = 60 * 60;

/// Refuses a node that can't have seen what its network saw.
///
/// # Errors
/// [`ChainError::OutOfStep`], or why the node can't be asked.
pub(crate) fn check(client: &mut Client, info: &wire::ChainInfo) -> Result<(), ChainError> {
    if info.initialblockdownload {
        return Err(OutOfStep::Downloading { height: info.blocks }.into());
    }
    let wire::NetworkInfo { connections } = client.call("getnetworkinfo", &[])?;
    if connections == 0 && !faults::planted(faults::NODE_WITHOUT_PEERS_HEALTHY) {
        return Err(OutOfStep::NoPeers.into());
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let age_of = |seconds: i64| i64::try_from(now).unwrap_or(i64::MAX).saturating_sub(seconds);
    // By consensus a block is never older than the median of the eleven that end with it, which comes with every answer.
    if age_of(info.mediantime) <= OLDEST_TIP_SECONDS {
        return Ok(());
    }
    let params = [info.bestblockhash.as_str().into(), true.into()];
    let header: wire::Header = client.call("getblockheader", &params)?;
    let age = age_of(header.time);
    if age > OLDEST_TIP_SECONDS { Err(OutOfStep::OldTip { minutes: age / 60 }.into()) } else { Ok(()) }
}
