//! What was seen on a chain, and what has been done about it.

use super::valuation::RecordedRate;
use crate::asset::Method;
use crate::ledger::{Part, SightingKey};
use crate::money::{BaseUnits, Cents};
use crate::time::Timestamp;

/// A transfer's first appearance in our node's mempool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstSeen {
    /// When our node saw it, by our clock.
    pub at: Timestamp,
    /// The recorded rate of its asset then.
    pub rate: RecordedRate,
}

/// A transfer in one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Network, block, transaction, index and round.
    pub key: SightingKey,
    /// Height of the block.
    pub height: u64,
    /// Time in the block's header.
    pub block_time: Timestamp,
    /// When we saw the block, by our clock.
    pub seen_at: Timestamp,
    /// The recorded rate of the transfer's asset at the block's time.
    pub rate: RecordedRate,
    /// Whether the block was lost to a fork.
    pub orphaned: bool,
}

/// Where a credit went, so that it is taken back from there first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An order's or extension's held money, by its id, and what of the credit went in there.
    Held {
        /// Id of the order or extension.
        id: String,
        /// Cents of this credit that went into it.
        cents: Cents,
    },
    /// The customer's balance (or what the customer owed).
    Balance,
    /// `unclaimed`, and not claimed since.
    Unclaimed,
    /// `own`.
    Own,
}

/// A part of a sighting that was posted. Kept for ever: it fixes the transfer's verdict and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// The sighting that was credited.
    pub sighting: SightingKey,
    /// Which part.
    pub part: Part,
    /// Base units of the part.
    pub units: BaseUnits,
    /// Its value.
    pub cents: Cents,
    /// Where it went.
    pub place: Place,
    /// Whether its reversal has been posted.
    pub undone: bool,
}

/// Money seen at one of our addresses: one output, log or balance change of one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Our id.
    pub id: String,
    /// Id of the transaction.
    pub transaction: String,
    /// What really arrived, whatever was asked for.
    pub method: Method,
    /// How much.
    pub amount: BaseUnits,
    /// When it was first seen unmined; `None` when it was first seen in a block.
    pub first_seen: Option<FirstSeen>,
    /// Whether it left the mempool without being mined and nothing says it will come back.
    pub vanished: bool,
    /// The transaction that replaced this one, if one did.
    pub replaced_by: Option<String>,
    /// Whether it can't be seen before it is mined: a peg-out from MWEB, a mined coin.
    pub only_once_mined: bool,
    /// Whether our node was behind or unreachable while the instructions were open, so that it may have missed the transfer.
    pub lagged: bool,
    /// The chain height from which it can be spent; `None` when it can be at once.
    pub spendable_at_height: Option<u64>,
    /// Whether every input of the transaction was ours.
    pub inputs_all_ours: bool,
    /// Every block it was ever seen in, oldest sighting first. None is ever removed.
    pub sightings: Vec<Sighting>,
    /// Everything ever posted for it, oldest first. None is ever removed.
    pub credits: Vec<Credit>,
}

impl Transfer {
    /// The sighting that counts now: the newest whose block stands.
    pub fn live(&self) -> Option<&Sighting> {
        self.sightings.iter().rev().find(|sighting| !sighting.orphaned)
    }

    /// The first credit of a part, which fixed its units and value.
    pub fn kept(&self, part: Part) -> Option<&Credit> {
        self.credits.iter().find(|credit| credit.part == part)
    }

    /// Whether a part has a credit that has not been taken back.
    pub fn is_credited(&self, part: Part) -> bool {
        self.credits.iter().any(|credit| credit.part == part && !credit.undone)
    }

    /// Credits whose block was lost and whose reversal is not posted yet.
    pub fn to_undo(&self) -> impl Iterator<Item = &Credit> {
        let stands =
            |key: &SightingKey| self.sightings.iter().any(|sighting| sighting.key == *key && !sighting.orphaned);
        self.credits.iter().filter(move |credit| !credit.undone && !stands(&credit.sighting))
    }
}

/// How far the watcher of a network has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchPosition {
    /// Height of the last block applied.
    pub height: u64,
    /// Time in that block's header.
    pub block_time: Timestamp,
    /// When, by our clock, tip and mempool were last read to the end from a node in step with its network.
    pub read_at: Timestamp,
    /// Height up to which the network calls its blocks final, where it does.
    pub finalized_height: Option<u64>,
}

/// What an operator may rule about a transfer in review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Credit it now to the balance.
    Balance,
    /// Credit it now to what the payment was for.
    Purpose,
}

/// An operator's ruling about one transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The transfer.
    pub transfer_id: String,
    /// The ruling.
    pub ruling: Ruling,
}
