//! Real nodes started and stopped. A missing program fails the test that needs it, and says how to get it.

mod litecoind;
mod rpc;

pub use litecoind::{Litecoind, LitecoindOptions};
pub use rpc::{NodeRpc, RpcFailure};

use std::fmt;

use thiserror::Error;

/// Why a node could not be started or asked.
#[derive(Error)]
pub enum NodeError {
    /// Not installed.
    #[error("{program} is missing: `./x test` installs it (Debian package `{package}`)")]
    Missing {
        /// Where it was looked for.
        program: &'static str,
        /// The package that brings it.
        package: &'static str,
    },
    /// A file, folder, port or process.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The system's words.
        source: std::io::Error,
    },
    /// It ended before it was ready, or was not ready in time.
    #[error("the node did not start: {log}")]
    NotStarted {
        /// The end of what it said.
        log: String,
    },
    /// It did not end when it was asked to, and was killed.
    #[error("the node did not stop in time")]
    NotStopped,
    /// It answered a call with an error, or not at all.
    #[error(transparent)]
    Rpc(#[from] RpcFailure),
}

/// The sentence itself: this is what a failing test's `unwrap` prints.
impl fmt::Debug for NodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
