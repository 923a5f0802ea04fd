//! Starting and stopping: everything in order, nothing left running.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use api::ErrorCode;
use backend::{Policy, Refusal};
use store::repo::installation;
use store::{Store, StoreError, Tx};
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use crate::app::{App, COMMANDS_AT_ONCE, Serving};
use crate::clock::Clock;
use crate::http;
use crate::jobs::{self, AlarmTarget, PriceFeed, Watcher};
use crate::password::Passwords;
use crate::sandbox::Sandbox;

/// Time that commands have to finish once the server stops.
const FINISH_PATIENCE: Duration = Duration::from_secs(20);
/// Time that connections have to close once every command is answered.
const CLOSE_PATIENCE: Duration = Duration::from_secs(3);

/// What a server is made of.
pub struct Parts {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The open database.
    pub store: Store,
    /// Limits, methods, sealing.
    pub policy: Policy,
    /// The time.
    pub clock: Clock,
    /// What answers need of the configuration.
    pub serving: Serving,
    /// A watcher per network.
    pub watchers: Vec<Watcher>,
    /// Where prices come from.
    pub feed: PriceFeed,
    /// Where alarms are posted.
    pub alarms: Option<AlarmTarget>,
    /// The simulated network, in a sandbox.
    pub sandbox: Option<Sandbox>,
}

/// Why a server did not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The address is taken, or not this machine's.
    #[error("can't listen on {address}: {source}")]
    Listen {
        /// Which one.
        address: SocketAddr,
        /// The system's words.
        source: io::Error,
    },
    /// No threads, no randomness.
    #[error("the system refuses: {0}")]
    System(String),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database was made with another sealing key, or belongs to another environment.
    #[error("{0}")]
    Foreign(String),
}

impl From<Refusal> for StartError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Store(error) => StartError::Store(error),
            other => StartError::System(other.to_string()),
        }
    }
}

/// A running server. Dropping it does not stop it: call [`Running::stop`].
pub struct Running {
    address: SocketAddr,
    app: Arc<App>,
    runtime: Runtime,
    server: tokio::task::JoinHandle<io::Result<()>>,
    jobs: Vec<JoinHandle<()>>,
}

/// Starts a server. When it returns, requests are answered.
///
/// # Errors
/// [`StartError`].
pub fn start(parts: Parts) -> Result<Running, StartError> {
    let Parts { listen, store, policy, clock, serving, watchers, feed, alarms, sandbox } = parts;
    belongs(&store, &policy)?;
    let system = |error: &dyn std::fmt::Display| StartError::System(error.to_string());
    let passwords = Passwords::new().map_err(|_: ErrorCode| StartError::System("no randomness".into()))?;
    let app = Arc::new(App::new(store, policy, clock, serving, passwords, sandbox));
    let listener = bind(listen)?;
    let address = listener.local_addr().map_err(|error| system(&error))?;
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(COMMANDS_AT_ONCE + 64)
        .thread_name("http")
        .build()
        .map_err(|error| system(&error))?;
    let jobs = jobs::start(&app, watchers, feed, alarms).map_err(|error| system(&error))?;
    let service = http::router(Arc::clone(&app)).into_make_service_with_connect_info::<SocketAddr>();
    let stopping = Arc::clone(&app);
    let server = runtime.spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, service).with_graceful_shutdown(async move { stopping.stop.stopped().await }).await
    });
    tracing::info!(%address, environment = app.policy.environment.code(), "ready");
    Ok(Running { address, app, runtime, server, jobs })
}

fn bind(address: SocketAddr) -> Result<TcpListener, StartError> {
    let listen = |source| StartError::Listen { address, source };
    let listener = TcpListener::bind(address).map_err(listen)?;
    listener.set_nonblocking(true).map_err(listen)?;
    Ok(listener)
}

const ENVIRONMENT: &str = "environment";
const SEALED: &str = "sealing_key_proof";

/// Refuses a database of another environment or sealing key, before anything is written to it; a new one is marked.
pub(crate) fn belongs(store: &Store, policy: &Policy) -> Result<(), StartError> {
    let policy = policy.clone();
    let foreign = store.write(move |tx| match foreign(tx, &policy)? {
        Some(why) => Ok(Some(why)),
        None => mark(tx, &policy).map(|()| None),
    })?;
    foreign.map_or(Ok(()), |why| Err(StartError::Foreign(why)))
}

/// Why a database is another installation's, if it is.
pub(crate) fn foreign(tx: &mut Tx<'_>, policy: &Policy) -> Result<Option<String>, Refusal> {
    let here = policy.environment.code();
    if let Some(there) = installation::get(tx, ENVIRONMENT)?.filter(|there| there != here) {
        return Ok(Some(format!("this database belongs to the environment {there}, not to {here}")));
    }
    let opens = |proof: String| hex::decode(proof).is_ok_and(|proof| policy.sealer.open(SEALED, &proof).is_ok());
    let opened = installation::get(tx, SEALED)?.is_none_or(opens);
    Ok((!opened).then(|| "this database was sealed under another sealing key".to_owned()))
}

fn mark(tx: &mut Tx<'_>, policy: &Policy) -> Result<(), Refusal> {
    let here = policy.environment.code();
    installation::set(tx, ENVIRONMENT, here)?;
    if installation::get(tx, SEALED)?.is_none() {
        let proof = policy.sealer.seal(SEALED, here.as_bytes())?;
        installation::set(tx, SEALED, &hex::encode(proof))?;
    }
    Ok(())
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it shares.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Stops accepting, lets what was begun finish, stops the jobs, closes the database.
    pub fn stop(self) {
        let Running { app, runtime, server, jobs, .. } = self;
        app.stop.stop();
        runtime.block_on(async {
            // Commands go on when their clients are gone: all their places being free says that none is left.
            let all = u32::try_from(COMMANDS_AT_ONCE).unwrap_or(u32::MAX);
            if tokio::time::timeout(FINISH_PATIENCE, app.at_once.acquire_many(all)).await.is_err() {
                tracing::error!("some commands did not finish in time");
            }
            let _ = tokio::time::timeout(CLOSE_PATIENCE, server).await;
        });
        app.hints.wake();
        for job in jobs {
            if job.join().is_err() {
                tracing::error!("a job broke down");
            }
        }
        app.store.close();
        runtime.shutdown_timeout(CLOSE_PATIENCE);
        tracing::info!("stopped");
    }
}
