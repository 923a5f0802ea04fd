//! The sandbox: a server with a simulated network, made-up prices and test money, in one folder and without any network.

mod keys;
mod network;
mod operator;
mod setup;

pub use keys::{SIGNING_SEED, trusted_keys};
pub use network::Sandbox;
pub use operator::code_now;
pub use setup::{Prepared, SandboxError, prepare};
pub(crate) use setup::{database, policy};
#[cfg(feature = "testing")]
pub(crate) use setup::{install, watcher};
