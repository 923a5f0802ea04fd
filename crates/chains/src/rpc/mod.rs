//! The Bitcoin family over JSON-RPC, shown on Litecoin: no wallet, no transaction index and no push is asked of the node.

mod client;
mod decode;
mod in_step;
mod pool;
#[cfg(test)]
mod tests;
mod wire;

use std::fmt;
use std::time::Duration;

use domain::{Environment, Method, Network};

use crate::block::{Block, BlockRef};
use crate::error::ChainError;
use crate::mempool::MempoolView;
use crate::reader::{ChainIdentity, ChainReader};
use crate::watch::WatchSet;
use client::Client;
use pool::Pool;

/// Answer of the Bitcoin family to a height above the tip (`RPC_INVALID_PARAMETER`).
const HEIGHT_OUT_OF_RANGE: i64 = -8;
/// Answer of the Bitcoin family to an unknown hash or transaction (`RPC_INVALID_ADDRESS_OR_KEY`).
const NOT_FOUND: i64 = -5;
/// A view of the mempool is begun again this often when a block comes in meanwhile.
const VIEW_ATTEMPTS: u32 = 3;

/// How to reach a node.
#[derive(Clone)]
pub struct NodeConfig {
    /// `http://127.0.0.1:9332`, without user and password.
    pub url: String,
    /// `rpcuser`.
    pub user: String,
    /// `rpcpassword`.
    pub password: String,
    /// How long one whole answer may take.
    pub timeout: Duration,
    /// Where it runs. A node of the real network must be in step with it; on a private chain it has no peers, blocks come when
    /// somebody mines them, and litecoind itself says that it is downloading until the first one does.
    pub environment: Environment,
}

/// Leaves the password out, in the URL too, where it should not stand.
impl fmt::Debug for NodeConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("NodeConfig");
        let url = self.url.rsplit('@').next();
        shown.field("url", &url).field("user", &self.user).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// Which chain of the family, and what is peculiar to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    method: Method,
    /// Blocks that a peg-out from MWEB waits (Litecoin's `PEGOUT_MATURITY`); `None` where there is no MWEB.
    pegout_maturity: Option<u64>,
}

/// Reads one node of the Bitcoin family.
#[derive(Debug)]
pub struct BitcoinFamilyReader {
    client: Client,
    family: Family,
    environment: Environment,
    pool: Pool,
}

impl BitcoinFamilyReader {
    /// A reader of a Litecoin node. Nothing is asked of it yet.
    ///
    /// # Errors
    /// [`ChainError::BadConfig`].
    pub fn litecoin(config: &NodeConfig) -> Result<Self, ChainError> {
        Self::new(config, Family { method: Method::LtcLitecoin, pegout_maturity: Some(6) })
    }

    fn new(config: &NodeConfig, family: Family) -> Result<Self, ChainError> {
        let (client, environment) = (Client::new(config)?, config.environment);
        Ok(Self { client, family, environment, pool: Pool::default() })
    }

    /// The mempool's transfers, if the tip stands still meanwhile.
    fn view_once(&mut self, watch: &WatchSet) -> Result<Option<MempoolView>, ChainError> {
        let tip = self.tip()?;
        let complete = self.pool.refresh(&mut self.client, self.family)?;
        let transfers = self.pool.transfers(&mut self.client, self.family, watch)?;
        Ok((self.tip()? == tip).then_some(MempoolView { tip, transfers, complete }))
    }
}

impl ChainReader for BitcoinFamilyReader {
    fn network(&self) -> Network {
        self.family.method.network()
    }

    fn identity(&mut self) -> Result<ChainIdentity, ChainError> {
        let chain_id = self.hash_at(0)?.ok_or_else(|| wire::bad("getblockhash", "no block 0"))?;
        Ok(ChainIdentity { chain_id })
    }

    fn tip(&mut self) -> Result<BlockRef, ChainError> {
        let info: wire::ChainInfo = self.client.call("getblockchaininfo", &[])?;
        wire::check_hash("getblockchaininfo", &info.bestblockhash)?;
        match self.environment {
            Environment::Production => in_step::check(&mut self.client, &info)?,
            Environment::Regtest | Environment::Sandbox => {}
        }
        Ok(BlockRef { height: info.blocks, hash: info.bestblockhash })
    }

    fn hash_at(&mut self, height: u64) -> Result<Option<String>, ChainError> {
        match self.client.call::<String>("getblockhash", &[height.into()]) {
            Ok(hash) => wire::check_hash("getblockhash", &hash).map(|()| Some(hash)),
            Err(ChainError::Refused { code: HEIGHT_OUT_OF_RANGE, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn block_at(&mut self, height: u64, watch: &WatchSet) -> Result<Option<Block>, ChainError> {
        let Some(hash) = self.hash_at(height)? else {
            return Ok(None);
        };
        let answer = self.client.ask("getblock", &[hash.as_str().into(), 2.into()])?;
        let block: wire::Block<'_> = answer.result()?;
        decode::block(self.family, &BlockRef { height, hash }, &block, watch).map(Some)
    }

    fn mempool(&mut self, watch: &WatchSet) -> Result<MempoolView, ChainError> {
        for _ in 0..VIEW_ATTEMPTS {
            if let Some(view) = self.view_once(watch)? {
                return Ok(view);
            }
        }
        Err(ChainError::Moved)
    }
}
