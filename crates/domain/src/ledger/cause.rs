//! Why a posting exists. A cause posts once: the text form is unique in the ledger.

use std::fmt;

use crate::asset::Network;

/// One transfer in one block, and how often that very block had been lost before and came back.
///
/// A fork can return to a block that an earlier fork had dropped. Its credit was reversed in between, so it needs a
/// cause of its own the second time; `round` counts those returns and is nearly always 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SightingKey {
    /// The network.
    pub network: Network,
    /// Hash of the block, as the network prints it.
    pub block: String,
    /// Id of the transaction.
    pub transaction: String,
    /// Output, log or instruction index within the transaction.
    pub index: u32,
    /// How often this block was lost and came back before this sighting.
    pub round: u32,
}

/// The part of a transfer that a credit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// On-time money up to the quoted amount, by the quote.
    OnTime,
    /// Everything else, at the lower of the recorded rates.
    Rest,
}

impl Part {
    /// The name used in causes and tables.
    pub const fn code(self) -> &'static str {
        match self {
            Part::OnTime => "on-time",
            Part::Rest => "rest",
        }
    }

    /// The part of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        [Part::OnTime, Part::Rest].into_iter().find(|part| part.code() == code)
    }
}

/// Something that happens at most once and moves money.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A part of a sighting is credited.
    Credit(SightingKey, Part),
    /// That credit is taken back because its block was lost.
    Undo(SightingKey, Part),
    /// That credit, unclaimed until now, is claimed for an account.
    Claim(SightingKey, Part),
    /// That credit made an order whole that can't be had: what it held is released.
    Release(SightingKey, Part),
    /// An order or extension settles, by its id.
    Settlement(String),
    /// An order or extension lapses or is cancelled, by its id.
    Closing(String),
    /// What was paid for a settled order that can't be fulfilled goes back (O11), by its id.
    Return(String),
    /// Balance that the customer chose to put beside new instructions, by the payment's id.
    ChosenBalance(String),
    /// Balance credited for an outage (O11), by the outage's id.
    Outage(String),
}

impl fmt::Display for SightingKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SightingKey { network, block, transaction, index, round } = self;
        write!(formatter, "{}:{block}:{transaction}:{index}:{round}", network.code())
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Credit(sighting, part) => write!(formatter, "credit:{sighting}:{}", part.code()),
            Event::Undo(sighting, part) => write!(formatter, "undo:{sighting}:{}", part.code()),
            Event::Claim(sighting, part) => write!(formatter, "claim:{sighting}:{}", part.code()),
            Event::Release(sighting, part) => write!(formatter, "release:{sighting}:{}", part.code()),
            Event::Settlement(id) => write!(formatter, "settlement:{id}"),
            Event::Closing(id) => write!(formatter, "closing:{id}"),
            Event::Return(id) => write!(formatter, "return:{id}"),
            Event::ChosenBalance(id) => write!(formatter, "chosen-balance:{id}"),
            Event::Outage(id) => write!(formatter, "outage:{id}"),
        }
    }
}

/// One posting of an event. Legs are numbered from 0 without a gap, so that a second posting of the same event always
/// meets the first one's leg 0, however differently it would be split.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cause {
    /// What happened.
    pub event: Event,
    /// The posting within the event.
    pub leg: u32,
}

/// Prints `<event>#<leg>`: the unique key of the posting.
impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}#{}", self.event, self.leg)
    }
}
