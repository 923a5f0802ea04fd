//! What the one who checks a record knows beforehand.

use domain::{Environment, Network};

use crate::chain;
use crate::day::Day;
use crate::refusal::Refusal;
use crate::segwit::AddressError;

/// What a record must say to be taken. Nothing here comes from the record or from the one who handed it over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectations {
    /// The environment that the checking program runs in.
    pub environment: Environment,
    /// The network of the method that was chosen.
    pub network: Network,
    /// Which chain of that network.
    pub chain_id: String,
    /// Today in UTC: on the desktop, the later of its clock and its build date.
    pub today: Day,
    /// The lowest epoch in force: the highest ever seen, or the release's floor if that is higher.
    pub epoch_floor: u32,
}

impl Expectations {
    /// Expectations with this build's own chain id for the environment and network.
    ///
    /// # Errors
    /// [`Refusal::UnknownEnvironment`] or [`Refusal::BadAddress`] when this build knows no such chain.
    pub fn new(environment: Environment, network: Network, today: Day, epoch_floor: u32) -> Result<Self, Refusal> {
        if !chain::knows(environment) {
            return Err(Refusal::UnknownEnvironment { environment });
        }
        let chain_id =
            chain::chain_id(environment, network).ok_or(AddressError::UnknownNetwork { network, environment })?;
        Ok(Self { environment, network, chain_id, today, epoch_floor })
    }
}
