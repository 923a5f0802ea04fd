//! Reading networks: blocks and transfers in, nothing out; the simulated network.
//!
//! This crate knows no orders and no store. It reports what it saw: a contiguous chain of blocks by hash, the transfers in
//! them to any address ever issued, and what waits in the node's mempool. What that means is decided in `domain`.
//!
//! A watcher goes round like this: bring the [`WatchSet`] up to date, apply [`Follower::next_step`] until it answers
//! [`Step::AtTip`], then compare the [`MempoolView`] of that same tip with the last one by [`mempool_changes`].
//! Everything here blocks: run it on a thread of its own, never inside an async task.

pub mod block;
pub mod error;
pub mod follow;
pub mod mempool;
pub mod reader;
pub mod rpc;
pub mod sim;
pub mod watch;

pub use block::{Block, BlockRef, ChainTransfer, OutPoint};
pub use error::{ChainError, OutOfStep};
pub use follow::{Follower, Step};
pub use mempool::{MempoolChanges, MempoolTransfer, MempoolView, Replacement, is_conflicted, mempool_changes};
pub use reader::{ChainIdentity, ChainReader};
pub use rpc::{BitcoinFamilyReader, NodeConfig};
pub use sim::{SimNetwork, SimReader};
pub use watch::{WatchError, WatchSet};
