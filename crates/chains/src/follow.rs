//! Following a chain: one step at a time, linked by parent hashes, never past a block that failed.

use crate::block::{Block, BlockRef};
use crate::error::ChainError;
use crate::reader::ChainReader;
use crate::watch::WatchSet;

/// What to do next to the chain that we know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Put this block on top: its parent is the newest known block (or there is none, and it is the first to be read).
    Extend(Block),
    /// The node's best chain holds other blocks in place of these: undo their transfers, then ask again.
    Undo {
        /// The newest block of `recent` that still stands; `None` when all of `recent` is lost. Then ask again with older blocks, or with
        /// none when there are none.
        back_to: Option<BlockRef>,
        /// The lost blocks, newest first: the order to undo them in.
        lost: Vec<BlockRef>,
    },
    /// Nothing to do: the newest known block is the node's tip.
    AtTip(BlockRef),
}

/// Where following starts, and on which chain only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Follower {
    /// The chain id that the node must have.
    pub chain_id: String,
    /// Height of the first block to read: at or below the one in which the first address could have been paid.
    pub start_height: u64,
}

impl Follower {
    /// The next step from a known chain: `recent` holds its newest blocks, contiguous, oldest first; empty at the start.
    /// The more of them, the deeper a fork is undone in one step. Nothing is remembered here: the same step is
    /// answered until the caller has applied it.
    ///
    /// # Errors
    /// [`ChainError`]; nothing is to be applied then. [`ChainError::NodeBehind`] when the node lags: it is on our chain as far as
    /// it has come. A node of another chain is refused before anything else is read.
    pub fn next_step(
        &self,
        reader: &mut dyn ChainReader,
        watch: &WatchSet,
        recent: &[BlockRef],
    ) -> Result<Step, ChainError> {
        self.check_identity(reader)?;
        let tip = reader.tip()?;
        let Some(newest) = recent.last() else {
            return self.first_block(reader, watch, &tip);
        };
        if *newest == tip {
            return Ok(Step::AtTip(tip));
        }
        if tip.height <= newest.height {
            return behind_or_forked(reader, &tip, newest, recent);
        }
        let next = block_above(reader, watch, newest)?;
        if next.parent_hash == newest.hash { Ok(Step::Extend(next)) } else { undo(reader, recent) }
    }

    /// Refuses a node of another chain.
    ///
    /// # Errors
    /// [`ChainError::WrongChain`], or why the node can't be asked.
    pub fn check_identity(&self, reader: &mut dyn ChainReader) -> Result<(), ChainError> {
        let got = reader.identity()?.chain_id;
        if got == self.chain_id {
            return Ok(());
        }
        Err(ChainError::WrongChain { expected: self.chain_id.clone(), got })
    }

    fn first_block(&self, reader: &mut dyn ChainReader, watch: &WatchSet, tip: &BlockRef) -> Result<Step, ChainError> {
        if tip.height < self.start_height {
            return Err(ChainError::NodeBehind { node_height: tip.height, our_height: self.start_height });
        }
        read_block(reader, watch, self.start_height).map(Step::Extend)
    }
}

fn block_above(reader: &mut dyn ChainReader, watch: &WatchSet, below: &BlockRef) -> Result<Block, ChainError> {
    read_block(reader, watch, below.height + 1)
}

/// The block at a height that the tip has reached.
fn read_block(reader: &mut dyn ChainReader, watch: &WatchSet, height: u64) -> Result<Block, ChainError> {
    let mut block = reader.block_at(height, watch)?.ok_or(ChainError::Moved)?;
    if block.at.height != height {
        let what = format!("asked for height {height}, got {}", block.at.height);
        return Err(ChainError::BadAnswer { call: "block_at", what });
    }
    if faults::planted(faults::WATCHER_SKIPS_BLOCK) {
        block.transfers.clear();
    }
    Ok(block)
}

/// A node that stands no higher than we do lags, unless it shows another block at one of our heights.
fn behind_or_forked(
    reader: &mut dyn ChainReader,
    tip: &BlockRef,
    newest: &BlockRef,
    recent: &[BlockRef],
) -> Result<Step, ChainError> {
    match recent.iter().find(|known| known.height == tip.height) {
        Some(known) if known.hash != tip.hash => undo(reader, recent),
        _ => Err(ChainError::NodeBehind { node_height: tip.height, our_height: newest.height }),
    }
}

/// Walks down from our newest block to the first one that the node's best chain holds too.
fn undo(reader: &mut dyn ChainReader, recent: &[BlockRef]) -> Result<Step, ChainError> {
    let mut lost = Vec::new();
    let mut shows_another = false;
    let mut back_to = None;
    for known in recent.iter().rev() {
        let hash = reader.hash_at(known.height)?;
        if hash.as_deref() == Some(known.hash.as_str()) {
            back_to = Some(known.clone());
            break;
        }
        shows_another = hash.is_some();
        lost.push(known.clone());
    }
    // In the middle of a reorganisation a node shows a shorter chain for a moment. Only another block at the lowest lost height
    // proves a fork.
    if shows_another { Ok(Step::Undo { back_to, lost }) } else { Err(ChainError::Moved) }
}
