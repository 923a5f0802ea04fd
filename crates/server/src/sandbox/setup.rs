//! Preparing a sandbox's folder: key, database, catalogue, addresses, operator. Doing it again changes nothing.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use backend::policy::{BUILT, Limits};
use backend::seal::Sealer;
use backend::{Policy, Refusal, accounts, addresses, catalogue};
use chains::Follower;
use domain::confirmations::ConfirmationPolicy;
use domain::time::DAY_MICROS;
use domain::{Environment, Network, Timestamp};
use manifest::{Day, SignError};
use rates::{MadeUpSources, SetupError};
use store::repo::{address, installation};
use store::{Settings, Store, StoreError};
use thiserror::Error;

use super::network::Sandbox;
use super::{keys, operator};
use crate::app::Serving;
use crate::clock::Clock;
use crate::jobs::{PriceFeed, Watcher};
use crate::key_file::{self, KeyFileError};
use crate::run::Parts;

/// Addresses signed at a time.
const POOL: u32 = 500;
/// With fewer free ones, another pool is signed.
const FEWEST_FREE: u32 = 250;
/// Free addresses must be good for so long.
const GOOD_FOR_MICROS: i64 = 14 * DAY_MICROS;
/// The simulated network answers at once, so it is looked at often.
const POLL: Duration = Duration::from_millis(200);
const STARTER_INSTALLED: &str = "sandbox_starter_installed";
const NEXT_INDEX: &str = "sandbox_next_address_index";

/// Why a sandbox could not be prepared.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The folder or a file in it.
    #[error("the sandbox's folder: {0}")]
    Io(#[from] io::Error),
    /// The sealing key.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A use case refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The test addresses could not be signed.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// The made-up prices.
    #[error(transparent)]
    Prices(#[from] SetupError),
    /// The operator's account.
    #[error("the operator: {0}")]
    Operator(String),
}

/// A sandbox that is ready to start.
pub struct Prepared {
    /// What to start.
    pub parts: Parts,
    /// How its operator signs in.
    pub operator: String,
}

/// Prepares a sandbox in a folder, made if absent.
///
/// # Errors
/// [`SandboxError`].
pub fn prepare(folder: &Path, listen: SocketAddr, mines_every: Option<Duration>) -> Result<Prepared, SandboxError> {
    make_folder(folder)?;
    let key = folder.join("sealing.key");
    if !key.exists() {
        key_file::create(&key)?;
    }
    let policy = policy(Arc::new(Sealer::new(&key_file::read(&key)?)));
    let store = Store::open(&database(folder))?;
    let clock = Clock::default();
    let sandbox = Sandbox::open(&folder.join("litecoin.json"), clock.now(), mines_every)?;
    install(&store, &policy, clock.now())?;
    let operator = operator::ensure(folder, &store, &policy, clock.now())?;
    let parts = Parts {
        listen,
        store,
        policy,
        clock,
        serving: Serving::default(),
        watchers: vec![watcher(&sandbox)],
        feed: PriceFeed::MadeUp(MadeUpSources::new(Environment::Sandbox)?),
        alarms: None,
        sandbox: Some(sandbox),
    };
    Ok(Prepared { parts, operator })
}

/// The database of a sandbox's folder.
pub(crate) fn database(folder: &Path) -> Settings {
    Settings::Sqlite { path: folder.join("server.db") }
}

/// The policy of a sandbox: every built method, and the limits of production.
pub(crate) fn policy(sealer: Arc<Sealer>) -> Policy {
    Policy {
        environment: Environment::Sandbox,
        methods: BUILT.to_vec(),
        confirmations: ConfirmationPolicy::default(),
        limits: Limits::default(),
        sealer,
    }
}

/// The watcher of the simulated network.
pub(crate) fn watcher(sandbox: &Sandbox) -> Watcher {
    let chain_id = manifest::chain::sandbox_chain_id(Network::Litecoin);
    Watcher {
        network: Network::Litecoin,
        follower: Follower { chain_id, start_height: 0 },
        reader: Box::new(sandbox.reader()),
        poll: POLL,
    }
}

/// The starter catalogue, once, and test addresses, as long as there are too few.
pub(crate) fn install(store: &Store, policy: &Policy, now: Timestamp) -> Result<(), SandboxError> {
    store.write(move |tx| {
        if installation::get(tx, STARTER_INSTALLED)?.is_none() {
            catalogue::install_starter(tx, now)?;
            installation::set(tx, STARTER_INSTALLED, "1")?;
        }
        Ok::<_, Refusal>(())
    })?;
    let network = Network::Litecoin.code();
    let good_until = Day::of(now.plus_micros(GOOD_FOR_MICROS)).to_string();
    let (free, next_index) = store.read(|tx| {
        let next = installation::get(tx, NEXT_INDEX)?.and_then(|text| text.parse::<u32>().ok());
        Ok::<_, StoreError>((address::pool(tx, network, &good_until)?.0, next.unwrap_or(0)))
    })?;
    if free >= FEWEST_FREE {
        return Ok(());
    }
    let text = keys::signed_pool(now, next_index, POOL)?;
    let (trusted, policy) = (keys::trusted_keys()?, policy.clone());
    store.write(move |tx| {
        addresses::import(tx, &policy, now, accounts::COMMAND_LINE, &text, &trusted)?;
        installation::set(tx, NEXT_INDEX, &next_index.saturating_add(POOL).to_string()).map_err(Refusal::from)
    })?;
    Ok(())
}

fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}
