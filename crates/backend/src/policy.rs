//! What the business has decided: limits and periods. All of it is configuration; these are the defaults.

use std::sync::Arc;

use domain::confirmations::ConfirmationPolicy;
use domain::order::HoldLimits;
use domain::time::{MINUTE_MICROS, SECOND_MICROS};
use domain::{BaseUnits, Environment, Method, Timestamp};

use crate::accounts::SignIns;
use crate::retention::Retention;
use crate::seal::Sealer;

/// Limits of payment instructions (P2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open payments of one account.
    pub open_payments_per_account: u32,
    /// Open payments asked for from one network prefix.
    pub open_payments_per_prefix: u32,
    /// The last share of an address pool that only accounts with a settled payment get, in per cent.
    pub pool_reserve_percent: u32,
    /// Holds of stock (C9).
    pub holds: HoldLimits,
    /// Without an answer of the node for this long, its methods are out of the offer.
    pub node_silent_micros: i64,
    /// Without having reached the tip for this long, its methods are out of the offer.
    pub node_lag_micros: i64,
    /// How sign-ins are renewed.
    pub sign_ins: SignIns,
    /// How long things are kept.
    pub retention: Retention,
}

impl Limits {
    /// Whether an address pool is down to the share kept for accounts that have paid before.
    pub fn is_low(&self, free: u32, all: u32) -> bool {
        u64::from(free) * 100 <= u64::from(all) * u64::from(self.pool_reserve_percent)
    }

    /// Whether a watcher that last read tip and mempool to the end at that time is behind. A reading from the future is as bad as
    /// an old one: the clock was set back, and new instructions would end at once.
    pub fn lags(&self, read_at: Option<Timestamp>, now: Timestamp) -> bool {
        read_at.is_none_or(|at| now.micros_since(at).saturating_abs() > self.node_lag_micros)
    }

    /// Whether a node that was last tried at that time is silent.
    pub fn is_silent(&self, tried_at: Option<Timestamp>, now: Timestamp) -> bool {
        tried_at.is_none_or(|at| now.micros_since(at) > self.node_silent_micros)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            open_payments_per_account: 3,
            open_payments_per_prefix: 30,
            pool_reserve_percent: 20,
            holds: HoldLimits::default(),
            node_silent_micros: 60 * SECOND_MICROS,
            node_lag_micros: 5 * MINUTE_MICROS,
            sign_ins: SignIns::default(),
            retention: Retention::default(),
        }
    }
}

/// What use cases need to know beside the database.
#[derive(Clone)]
pub struct Policy {
    /// Where this server belongs.
    pub environment: Environment,
    /// Methods that are built and switched on.
    pub methods: Vec<Method>,
    /// Confirmations asked for (P11).
    pub confirmations: ConfirmationPolicy,
    /// Limits.
    pub limits: Limits,
    /// Seals access and authenticator secrets; its key lies outside the database and its backups.
    pub sealer: Arc<Sealer>,
}

/// Methods whose reader is built. The others are shown as coming.
pub const BUILT: [Method; 1] = [Method::LtcLitecoin];

/// The least amount that a network carries to a new address. Litecoin Core's dust limit of a native segwit output is
/// 2 940 litoshi at its default relay fee (294 bytes × 10 litoshi/byte).
pub const fn least_amount(method: Method) -> BaseUnits {
    match method {
        Method::LtcLitecoin => BaseUnits::new(2_940),
        // Not built yet: see `BUILT`.
        _ => BaseUnits::ZERO,
    }
}
