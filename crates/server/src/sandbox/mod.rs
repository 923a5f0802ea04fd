//! The sandbox: a server with a simulated network, made-up prices and test money, in one folder and without any network.

mod keys;
mod network;
mod operator;
mod setup;

pub use keys::{SIGNING_SEED, trusted_keys};
pub use network::Sandbox;
pub use operator::code_now;
pub(crate) use setup::policy;
pub use setup::{Prepared, SandboxError, prepare};
#[cfg(feature = "testing")]
pub(crate) use setup::{install, watcher};
