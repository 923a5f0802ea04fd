//! Why a record is not shown. Each is its own message for the person who waits for an address.

use domain::{Environment, Network};
use thiserror::Error;

use crate::day::Day;
use crate::keys::Fingerprint;
use crate::segwit::AddressError;

/// Why a record is refused. A refused record gives no address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The text is not exactly the format's fields, or its fields contradict each other.
    #[error("the record can't be read: {detail}")]
    BadFormat {
        /// What doesn't fit.
        detail: String,
    },
    /// Written in a version that this build doesn't read.
    #[error("the record is written in format {found}, which this build doesn't read")]
    UnknownFormat {
        /// The version found.
        found: u32,
    },
    /// Signed, if at all, by a key that is not trusted here.
    #[error("the record names a signing key that is not trusted here: {found}")]
    UnknownKey {
        /// The key that the record names.
        found: Fingerprint,
    },
    /// The record or its header was altered after signing, or another key signed it.
    #[error("the signature does not belong to this record")]
    BadSignature,
    /// A production build meets a record of the sandbox or of regtest.
    #[error("this build does not know the environment {}", environment.code())]
    UnknownEnvironment {
        /// The environment found.
        environment: Environment,
    },
    /// Another environment's record.
    #[error("the record is for the environment {}, not {}", found.code(), expected.code())]
    WrongEnvironment {
        /// What was asked for.
        expected: Environment,
        /// What was found.
        found: Environment,
    },
    /// Another network's record.
    #[error("the record is for the network {}, not {}", found.code(), expected.code())]
    WrongNetwork {
        /// What was asked for.
        expected: Network,
        /// What was found.
        found: Network,
    },
    /// Another chain of the same name.
    #[error("the record is for the chain {found}, not {expected}")]
    WrongChain {
        /// What was asked for.
        expected: String,
        /// What was found.
        found: String,
    },
    /// A last day that no signer may grant: more than 90 days after signing.
    #[error("the record was signed on {signed_on} and would last until {last_day}, longer than 90 days")]
    ValidTooLong {
        /// The day of signing.
        signed_on: Day,
        /// The last day.
        last_day: Day,
    },
    /// Its time is over.
    #[error("the record's last day was {last_day}; today is {today}")]
    PastLastDay {
        /// The last day.
        last_day: Day,
        /// Today, as the one who checks knows it.
        today: Day,
    },
    /// Withdrawn: a record of a higher epoch was seen, or the release demands one.
    #[error("the record's epoch {found} was withdrawn: the lowest in force is {floor}")]
    EpochBelowFloor {
        /// The record's epoch.
        found: u32,
        /// The lowest epoch in force.
        floor: u32,
    },
    /// Signed, yet no address that can be paid on that network.
    #[error("the address is not one of that network: {0}")]
    BadAddress(#[from] AddressError),
}
