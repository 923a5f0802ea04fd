//! What a block says: where it stands, what it builds on, and who of ours it pays.

use domain::{BaseUnits, Method, Timestamp};

/// A block by height and hash. The hash alone names it; the height says where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlockRef {
    /// Blocks between this one and the first (height 0).
    pub height: u64,
    /// Hash in lower-case hex, as nodes print it.
    pub hash: String,
}

/// Parent hash of a network's first block.
pub const NO_PARENT: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// An output of a transaction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutPoint {
    /// Transaction id in lower-case hex.
    pub tx_id: String,
    /// Position among that transaction's outputs.
    pub index: u32,
}

/// Whether two transactions spend a common output, so that at most one of them can ever be mined on one chain.
pub fn share_an_input(one: &[OutPoint], other: &[OutPoint]) -> bool {
    one.iter().any(|input| other.contains(input))
}

/// One output of a mined transaction that pays a watched address. A transaction may hold several; each is its own transfer,
/// named on its network by (block hash, `tx_id`, `out_index`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChainTransfer {
    /// Asset and network.
    pub method: Method,
    /// Transaction id in lower-case hex.
    pub tx_id: String,
    /// Position among the transaction's outputs.
    pub out_index: u32,
    /// The watched address, as it was put into the watch set.
    pub address: String,
    /// Base units, above zero: outputs of nothing are not reported.
    pub amount: BaseUnits,
    /// A miner's reward.
    pub coinbase: bool,
    /// The output exists only in its block and was never in a mempool: a miner's reward, or a Litecoin MWEB peg-out, whose
    /// transaction id is another one after a reorganisation (LIP-2).
    pub only_once_mined: bool,
    /// The lowest height of a block that may spend the output, where the network makes it wait; `None` where it doesn't.
    pub spendable_at_height: Option<u64>,
    /// What the whole transaction spends. Empty for a miner's reward.
    pub inputs: Vec<OutPoint>,
}

impl ChainTransfer {
    /// Whether the transaction has inputs and all of them are ours.
    pub fn spends_only(&self, is_ours: impl FnMut(&OutPoint) -> bool) -> bool {
        !self.inputs.is_empty() && self.inputs.iter().all(is_ours)
    }
}

/// A block of the node's best chain with the transfers in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Height and hash.
    pub at: BlockRef,
    /// Hash of the block below. The first block of a network names 64 zeros.
    pub parent_hash: String,
    /// Time in the header. Miners set it: it may lie up to two hours ahead and need not rise.
    pub time: Timestamp,
    /// Transfers to watched addresses, in the block's order.
    pub transfers: Vec<ChainTransfer>,
}
