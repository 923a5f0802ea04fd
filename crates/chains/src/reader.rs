//! What every network can be asked.

use domain::Network;

use crate::block::{Block, BlockRef};
use crate::error::ChainError;
use crate::mempool::MempoolView;
use crate::watch::WatchSet;

/// Which chain a node follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainIdentity {
    /// Bitcoin family and simulation: the hash of block 0, in lower-case hex.
    pub chain_id: String,
}

/// One node of one network. Every answer is bounded in size and time, and each either holds whole or is an error.
pub trait ChainReader: Send {
    /// The network that this reader reads.
    fn network(&self) -> Network;

    /// Which chain the node follows now; asked anew each time, because a node can be swapped behind its address.
    ///
    /// # Errors
    /// [`ChainError`].
    fn identity(&mut self) -> Result<ChainIdentity, ChainError>;

    /// The end of the node's best chain.
    ///
    /// # Errors
    /// [`ChainError`]; [`ChainError::OutOfStep`] when that can't be the end of the network's.
    fn tip(&mut self) -> Result<BlockRef, ChainError>;

    /// Hash of the best chain's block at a height; `None` above the tip.
    ///
    /// # Errors
    /// [`ChainError`].
    fn hash_at(&mut self, height: u64) -> Result<Option<String>, ChainError>;

    /// The best chain's block at a height with all its transfers to watched addresses; `None` above the tip.
    ///
    /// # Errors
    /// [`ChainError`]. A block that can't be read whole is an error, never a block with fewer transfers.
    fn block_at(&mut self, height: u64, watch: &WatchSet) -> Result<Option<Block>, ChainError>;

    /// Unmined transfers to watched addresses.
    ///
    /// # Errors
    /// [`ChainError`]; [`ChainError::Moved`] when blocks came in faster than the mempool could be read.
    fn mempool(&mut self, watch: &WatchSet) -> Result<MempoolView, ChainError>;
}
