//! The simulated network with its panel: send, mine, undo. Every change is saved, so that a restart finds the same chain.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use api::ErrorCode;
use api::server::{SandboxMineRequest, SandboxSendRequest, SandboxState};
use backend::prices::Prices;
use chains::sim::SimError;
use chains::{SimNetwork, SimReader};
use domain::{BaseUnits, Method, Network, Timestamp};

const METHOD: Method = Method::LtcLitecoin;
const SEED: u64 = 1;
/// Blocks mined or undone at once, at most.
const MOST_BLOCKS: u32 = 200;
const MOST_UNDONE: u32 = 50;

/// The simulated network of a sandbox.
pub struct Sandbox {
    network: SimNetwork,
    /// Where it is saved; nowhere in tests.
    saved_in: Option<PathBuf>,
    saving: Mutex<()>,
    mines_every: Option<Duration>,
}

impl Sandbox {
    /// A network that is not saved.
    pub fn unsaved(network: SimNetwork) -> Self {
        Self { network, saved_in: None, saving: Mutex::default(), mines_every: None }
    }

    /// The network saved in a file, or a new one.
    ///
    /// # Errors
    /// A file that can't be read or written, or that holds something else.
    pub fn open(file: &Path, now: Timestamp, mines_every: Option<Duration>) -> io::Result<Self> {
        let network = match fs::read(file) {
            Ok(bytes) => SimNetwork::restore(&bytes).map_err(io::Error::other)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                SimNetwork::new(SEED, &manifest::chain::sandbox_chain_id(Network::Litecoin), now)
            }
            Err(error) => return Err(error),
        };
        let sandbox = Self { network, saved_in: Some(file.to_owned()), saving: Mutex::default(), mines_every };
        sandbox.save(sandbox.lock())?;
        Ok(sandbox)
    }

    /// A reader of the network.
    pub fn reader(&self) -> SimReader {
        self.network.reader()
    }

    /// How often blocks come by themselves.
    pub fn mines_by_itself(&self) -> Option<Duration> {
        self.mines_every
    }

    /// What the panel shows.
    pub fn state(&self, prices: &Prices, now: Timestamp) -> SandboxState {
        SandboxState {
            height: u32::try_from(self.network.tip().height).unwrap_or(u32::MAX),
            waiting: u32::try_from(self.network.waiting().len()).unwrap_or(u32::MAX),
            rate: prices.quote(METHOD, now).ok().map(|quote| quote.rate.to_string()),
            mining: self.mines_every.is_some(),
        }
    }

    /// Sends test coins.
    ///
    /// # Errors
    /// `FieldRefused`.
    pub fn send(&self, now: Timestamp, request: &SandboxSendRequest) -> Result<(), ErrorCode> {
        let amount = BaseUnits::parse_coins(request.amount.trim(), METHOD.decimals());
        let amount = amount.map_err(|_| refused("amount", "unreadable"))?;
        self.change(|network| network.send(now, request.address.trim(), amount).map(|_| ()))
    }

    /// Undoes the newest blocks, if asked to, and mines.
    ///
    /// # Errors
    /// `FieldRefused`.
    pub fn mine(&self, now: Timestamp, request: &SandboxMineRequest) -> Result<(), ErrorCode> {
        if request.blocks > MOST_BLOCKS {
            return Err(refused("blocks", "out_of_range"));
        }
        if request.undo > MOST_UNDONE {
            return Err(refused("undo", "out_of_range"));
        }
        self.change(|network| {
            if request.undo > 0 {
                network.fork(now, request.undo)?;
            }
            network.mine(now, request.blocks);
            Ok(())
        })
    }

    /// One block, as miners find it.
    ///
    /// # Errors
    /// The file's.
    pub fn mine_one(&self, now: Timestamp) -> io::Result<()> {
        let saving = self.lock();
        self.network.mine(now, 1);
        self.save(saving)
    }

    fn change(&self, change: impl FnOnce(&SimNetwork) -> Result<(), SimError>) -> Result<(), ErrorCode> {
        let saving = self.lock();
        change(&self.network).map_err(|error| match error {
            SimError::NotOurAddress { .. } => refused("address", "not_of_this_network"),
            SimError::AmountOutOfRange => refused("amount", "out_of_range"),
            SimError::TooDeep { .. } => refused("undo", "out_of_range"),
            SimError::NotWaiting | SimError::CannotSpend | SimError::BadSnapshot { .. } => ErrorCode::Internal,
        })?;
        self.save(saving).map_err(|error| {
            tracing::error!(%error, "the simulated network could not be saved");
            ErrorCode::Internal
        })
    }

    /// Saves the network whole: beside the old file first, then in its place.
    fn save(&self, _one_at_a_time: MutexGuard<'_, ()>) -> io::Result<()> {
        let Some(file) = &self.saved_in else { return Ok(()) };
        let beside = file.with_extension("new");
        let mut written = File::create(&beside)?;
        written.write_all(&self.network.snapshot().map_err(io::Error::other)?)?;
        written.sync_all()?;
        fs::rename(beside, file)
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.saving.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(field: &str, reason: &str) -> ErrorCode {
    ErrorCode::FieldRefused { field: field.to_owned(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_money_is_still_there_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("litecoin.json");
        let now = Timestamp::from_seconds(1_800_000_000);
        let sandbox = Sandbox::open(&file, now, None).unwrap();
        sandbox.mine(now, &SandboxMineRequest { blocks: 3, undo: 0 }).unwrap();
        let address = "tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0";
        let send = SandboxSendRequest { address: address.into(), amount: "1.5".into() };
        sandbox.send(now, &send).unwrap();
        let (tip, waiting) = (sandbox.network.tip(), sandbox.network.waiting());
        let again = Sandbox::open(&file, now, None).unwrap();
        assert_eq!((again.network.tip(), again.network.waiting()), (tip, waiting));
        for (address, amount, field) in [
            ("ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh", "1", "address"),
            (address, "1,5", "amount"),
            (address, "0", "amount"),
        ] {
            let request = SandboxSendRequest { address: address.into(), amount: amount.into() };
            let refused = sandbox.send(now, &request).unwrap_err();
            assert!(matches!(&refused, ErrorCode::FieldRefused { field: found, .. } if found == field), "{refused:?}");
        }
        assert!(sandbox.mine(now, &SandboxMineRequest { blocks: 0, undo: 4 }).is_err());
    }
}
