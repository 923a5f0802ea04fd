//! The JSON of the Bitcoin family, as far as it is read. Unknown keys are ignored: versions and forks add their own.

use domain::BaseUnits;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::ChainError;

#[derive(Deserialize)]
pub(crate) struct ChainInfo {
    pub(crate) blocks: u64,
    pub(crate) bestblockhash: String,
    pub(crate) initialblockdownload: bool,
    /// Median time of the last eleven blocks, seconds.
    pub(crate) mediantime: i64,
}

/// `getnetworkinfo`.
#[derive(Deserialize)]
pub(crate) struct NetworkInfo {
    /// Nodes connected to this one, whoever began.
    pub(crate) connections: u64,
}

/// `getblockheader`.
#[derive(Deserialize)]
pub(crate) struct Header {
    /// Seconds, as its miner wrote them.
    pub(crate) time: i64,
}

/// `getblock` with verbosity 2. Rust's `bitcoin` can't decode blocks that hold a HogEx, so the node decodes them.
#[derive(Deserialize)]
pub(crate) struct Block<'a> {
    pub(crate) hash: String,
    /// −1 when the block is not on the best chain.
    pub(crate) confirmations: i64,
    pub(crate) height: u64,
    pub(crate) time: i64,
    #[serde(rename = "nTx")]
    pub(crate) tx_count: usize,
    pub(crate) previousblockhash: Option<String>,
    #[serde(borrow)]
    pub(crate) tx: Vec<Tx<'a>>,
    /// Present in Litecoin blocks since MWEB began; then the last transaction is the HogEx (LIP-2).
    #[serde(borrow)]
    pub(crate) mweb: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(crate) struct Tx<'a> {
    pub(crate) txid: String,
    pub(crate) vin: Vec<TxIn>,
    #[serde(borrow)]
    pub(crate) vout: Vec<TxOut<'a>>,
}

/// An input: an output spent, a miner's reward (`coinbase`), or an MWEB input, which names no transaction.
#[derive(Deserialize)]
pub(crate) struct TxIn {
    pub(crate) coinbase: Option<String>,
    pub(crate) txid: Option<String>,
    pub(crate) vout: Option<u32>,
    #[serde(default)]
    pub(crate) ismweb: bool,
}

/// An output. One inside MWEB has neither value nor number nor script.
#[derive(Deserialize)]
pub(crate) struct TxOut<'a> {
    #[serde(default)]
    pub(crate) ismweb: bool,
    #[serde(borrow)]
    pub(crate) value: Option<&'a RawValue>,
    pub(crate) n: Option<u32>,
    #[serde(rename = "scriptPubKey")]
    pub(crate) script: Option<Script>,
}

#[derive(Deserialize)]
pub(crate) struct Script {
    pub(crate) hex: String,
}

/// `getmempoolentry`.
#[derive(Deserialize)]
pub(crate) struct MempoolEntry {
    /// Seconds since the Unix epoch, by the node's clock.
    pub(crate) time: i64,
}

/// `getmempoolinfo`.
#[derive(Deserialize)]
pub(crate) struct MempoolInfo {
    /// False while a node that was just started takes in what it kept in its file.
    pub(crate) loaded: bool,
}

pub(crate) fn bad(call: &'static str, what: impl Into<String>) -> ChainError {
    ChainError::BadAnswer { call, what: what.into() }
}

/// Block hashes and transaction ids are 64 lower-case hex digits; anything else would never compare equal.
pub(crate) fn check_hash(call: &'static str, hash: &str) -> Result<(), ChainError> {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if hash.len() == 64 && hash.bytes().all(is_hex) { Ok(()) } else { Err(bad(call, "no hash of 64 hex digits")) }
}

/// An amount from the very digits of the answer; a JSON number never becomes a float here.
pub(crate) fn amount(call: &'static str, value: &RawValue, decimals: u32) -> Result<BaseUnits, ChainError> {
    BaseUnits::parse_coins(value.get(), decimals).map_err(|error| bad(call, format!("amount: {error}")))
}
