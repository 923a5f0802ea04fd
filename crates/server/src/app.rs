//! What every part of the running server shares.

use std::sync::{Arc, PoisonError, RwLock};

use api::ApiError;
use backend::prices::Prices;
use backend::{Policy, Refusal};
use store::Store;
use tokio::sync::Semaphore;

use crate::clock::Clock;
use crate::hints::Hints;
use crate::metrics::Metrics;
use crate::password::Passwords;
use crate::sandbox::Sandbox;
use crate::stop::Stop;

/// Commands carried out at the same time; more wait a little and are then told that the server is busy. It bounds the
/// threads and the memory that a flood can take.
pub const COMMANDS_AT_ONCE: usize = 256;

/// What of the configuration answers need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Serving {
    /// Proxies in front of this server whose `X-Forwarded-For` entries are believed.
    pub forwarded_hops: usize,
}

/// The running server.
pub struct App {
    /// The database.
    pub store: Store,
    /// Limits, methods, sealing.
    pub policy: Policy,
    /// The time.
    pub clock: Clock,
    /// What answers need of the configuration.
    pub serving: Serving,
    /// Hashing, within its permits.
    pub passwords: Passwords,
    /// The simulated network, in a sandbox.
    pub sandbox: Option<Sandbox>,
    pub(crate) hints: Hints,
    pub(crate) metrics: Metrics,
    pub(crate) stop: Stop,
    pub(crate) at_once: Arc<Semaphore>,
    prices: RwLock<Prices>,
}

impl App {
    pub(crate) fn new(
        store: Store,
        policy: Policy,
        clock: Clock,
        serving: Serving,
        passwords: Passwords,
        sandbox: Option<Sandbox>,
    ) -> Self {
        Self {
            store,
            policy,
            clock,
            serving,
            passwords,
            sandbox,
            hints: Hints::default(),
            metrics: Metrics::default(),
            stop: Stop::default(),
            at_once: Arc::new(Semaphore::new(COMMANDS_AT_ONCE)),
            prices: RwLock::new(Prices::new(Vec::new())),
        }
    }

    /// The latest readings.
    pub fn prices(&self) -> Prices {
        self.prices.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the readings.
    pub fn set_prices(&self, prices: Prices) {
        *self.prices.write().unwrap_or_else(PoisonError::into_inner) = prices;
    }
}

/// What the caller is told; what failed inside goes to the log and not to the caller.
pub(crate) fn told(refusal: Refusal) -> ApiError {
    match &refusal {
        Refusal::Told(_) => {}
        Refusal::Store(error) => tracing::error!(%error, "the store failed"),
        Refusal::Broken { what } => tracing::error!(%what, "stored data makes no sense"),
    }
    refusal.to_wire()
}
