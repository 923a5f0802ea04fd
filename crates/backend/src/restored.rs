//! What a database has to learn from having been restored, before anybody opens it.

use domain::Timestamp;
use store::Tx;
use store::repo::account;

use crate::refusal::Outcome;
use crate::{addresses, ids};

/// Adapts a restored database. Numbers of changes begin again where the backup stood, so devices that have seen higher ones must
/// start over: every head gets another generation. Addresses may have been given out since: the free ones are set aside, unless
/// `nothing_given_out_since`. Answers how many those were.
pub fn adapt(tx: &mut Tx<'_>, now: Timestamp, actor: &str, nothing_given_out_since: bool) -> Outcome<Option<u64>> {
    if !faults::planted(faults::RESTORE_KEEPS_GENERATIONS) {
        account::new_generation(tx, &ids::new())?;
    }
    if nothing_given_out_since {
        return Ok(None);
    }
    addresses::set_free_aside(tx, now, actor).map(Some)
}
