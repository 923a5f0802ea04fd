//! Why a node could not be read. None of these moves a cursor; no text of theirs holds a password.

use thiserror::Error;

/// Why nothing was read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChainError {
    /// No connection, a connection that broke, or an answer cut short.
    #[error("the node can't be reached: {detail}")]
    Unreachable {
        /// What the connection said.
        detail: String,
    },
    /// No whole answer in time.
    #[error("the node did not answer {call} in time")]
    Timeout {
        /// The call.
        call: &'static str,
    },
    /// User or password refused, or this machine is not allowed to ask.
    #[error("the node refuses our user or password")]
    Unauthorized,
    /// The node is starting (Bitcoin family: code −28) or too busy to take the call.
    #[error("the node is not ready: {detail}")]
    NotReady {
        /// What the node says that it is doing.
        detail: String,
    },
    /// The node follows another network. Nothing of it was read.
    #[error("the node is on another network: expected chain {expected}, got {got}")]
    WrongChain {
        /// The chain id that was asked for.
        expected: String,
        /// The node's.
        got: String,
    },
    /// The node has not come as far as we have, and contradicts none of our blocks.
    #[error("the node is at height {node_height}, behind our {our_height}")]
    NodeBehind {
        /// The node's tip.
        node_height: u64,
        /// Ours, or the height that reading starts at.
        our_height: u64,
    },
    /// The node answers, and does not see what its network does: what it has not seen proves nothing.
    #[error("the node is out of step with its network: {0}")]
    OutOfStep(#[from] OutOfStep),
    /// The node's chain changed while it was read. Asking again is all it takes.
    #[error("the node's chain changed while it was read")]
    Moved,
    /// The node answered a call with an error.
    #[error("the node refused {call} with code {code}: {message}")]
    Refused {
        /// The call.
        call: &'static str,
        /// The node's code.
        code: i64,
        /// The node's words.
        message: String,
    },
    /// The answer is not what the call's documentation promises.
    #[error("the answer to {call} makes no sense: {what}")]
    BadAnswer {
        /// The call.
        call: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// The answer is larger than any honest one.
    #[error("the answer to {call} is larger than {limit_bytes} bytes")]
    TooLarge {
        /// The call.
        call: &'static str,
        /// The limit.
        limit_bytes: u64,
    },
    /// The node's address in the configuration can't be used.
    #[error("the node's address can't be used: {what}")]
    BadConfig {
        /// Why.
        what: &'static str,
    },
}

/// Why a node that answers can't be believed to have seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OutOfStep {
    /// It is fetching the chain (`initialblockdownload`).
    #[error("it is still downloading blocks, at height {height}")]
    Downloading {
        /// How far it has come.
        height: u64,
    },
    /// No other node is connected to it.
    #[error("it has no peers")]
    NoPeers,
    /// Its newest block is too old to be the network's.
    #[error("its newest block is {minutes} minutes old")]
    OldTip {
        /// Age by this machine's clock.
        minutes: i64,
    },
}
