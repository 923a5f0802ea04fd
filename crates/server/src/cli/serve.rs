//! Serving, from a configuration or as a sandbox, until the system asks for an end.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use backend::Policy;
use backend::seal::Sealer;
use chains::{BitcoinFamilyReader, Follower};
use domain::Network;
use manifest::TrustedKeys;
use rates::MadeUpSources;
use store::{Settings, Store};

use super::Outcome;
use crate::app::Serving;
use crate::clock::Clock;
use crate::config::Config;
use crate::control::{Door, Installation};
use crate::jobs::{PriceFeed, Watcher};
use crate::run::Parts;
use crate::signals::Signals;
use crate::{key_file, logs, run, sandbox};

pub(super) fn serve(config: &Path) -> Outcome {
    let signals = Signals::listen()?;
    let config = Config::read(config)?;
    logs::start(config.log_json, &config.log_filter)?;
    let (database, trusted_keys) = (config.database.clone(), config.trusted_keys);
    until_signalled(parts(config)?, signals, &database, trusted_keys)
}

pub(super) fn sandbox(data: &Path, listen: SocketAddr, block_seconds: u64) -> Outcome {
    let signals = Signals::listen()?;
    logs::start(false, "info")?;
    let every = (block_seconds > 0).then(|| Duration::from_secs(block_seconds));
    let prepared = sandbox::prepare(data, listen, every)?;
    println!("{}", prepared.operator);
    until_signalled(prepared.parts, signals, &sandbox::database(data), Some(sandbox::trusted_keys()?))
}

fn until_signalled(parts: Parts, signals: Signals, database: &Settings, trusted_keys: Option<TrustedKeys>) -> Outcome {
    let (store, policy, clock) = (parts.store.clone(), parts.policy.clone(), parts.clock.clone());
    let running = run::start(parts)?;
    let door = door(database, Installation { store, policy, trusted_keys, clock });
    println!("listening on http://{}", running.address());
    signals.wait();
    if let Some(door) = door {
        door.close();
    }
    running.stop();
    Ok(())
}

/// The door for the command line. PostgreSQL needs none: the command line opens it beside its servers. A server that can't have one
/// serves without: the command line then says that it has to be stopped first.
fn door(database: &Settings, installation: Installation) -> Option<Door> {
    let Settings::Sqlite { path } = database else { return None };
    let opened = Door::open(path, installation);
    opened.inspect_err(|error| tracing::warn!(%error, "no door for the command line")).ok()
}

/// What the configuration says, opened.
fn parts(config: Config) -> Result<Parts, Box<dyn std::error::Error>> {
    let policy = policy(&config)?;
    let feed = if config.prices.is_empty() {
        PriceFeed::MadeUp(MadeUpSources::new(config.environment)?)
    } else {
        PriceFeed::Sources(config.prices)
    };
    Ok(Parts {
        listen: config.listen,
        store: Store::open(&config.database)?,
        policy,
        clock: Clock::default(),
        serving: Serving { forwarded_hops: config.forwarded_hops },
        watchers: vec![Watcher {
            network: Network::Litecoin,
            follower: follower(config.environment, config.litecoin.start_height)?,
            reader: Box::new(BitcoinFamilyReader::litecoin(&config.litecoin.rpc)?),
            poll: config.litecoin.poll,
        }],
        feed,
        alarms: config.alarms,
        sandbox: None,
    })
}

/// The policy of a configuration, with its sealing key.
pub(super) fn policy(config: &Config) -> Result<Policy, Box<dyn std::error::Error>> {
    Ok(Policy {
        environment: config.environment,
        methods: config.methods.clone(),
        confirmations: config.confirmations.clone(),
        limits: config.limits.clone(),
        sealer: Arc::new(Sealer::new(&key_file::read(&config.sealing_key_file)?)),
    })
}

pub(super) fn follower(environment: domain::Environment, start_height: u64) -> Result<Follower, String> {
    let chain_id = manifest::chain_id(environment, Network::Litecoin);
    let chain_id = chain_id.ok_or_else(|| format!("no Litecoin chain is known for {}", environment.code()))?;
    Ok(Follower { chain_id, start_height })
}
