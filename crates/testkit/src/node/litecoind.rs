//! `litecoind` on a private test chain.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{NodeError, NodeRpc, RpcFailure};
use crate::port::free_port;
use crate::temp::fast_temp_dir;

/// The program itself: `/usr/bin/litecoind` is a wrapper that writes into the home folder.
const PROGRAM: &str = "/usr/lib/litecoin/litecoind";
const USER: &str = "kernodeck";
const START_TIMEOUT: Duration = Duration::from_secs(60);
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(20);
/// A port can be taken by somebody else between being found free and being used.
const START_ATTEMPTS: u32 = 5;

/// What a test may choose.
#[derive(Clone, Debug, Default)]
pub struct LitecoindOptions {
    /// Let MWEB begin at height 432, as on the real network. Off, it never begins.
    pub mweb: bool,
    /// Options of the node, added as they are.
    pub extra: Vec<String>,
}

/// A running node with a wallet `test`, on a folder of its own. Dropping it kills the process and removes the folder.
#[derive(Debug)]
pub struct Litecoind {
    child: Option<Child>,
    folder: TempDir,
    options: LitecoindOptions,
    password: String,
    port: u16,
    /// Asks this node.
    pub rpc: NodeRpc,
}

impl Litecoind {
    /// A node without MWEB, with 101 blocks and so 50 coins to spend.
    ///
    /// # Errors
    /// [`NodeError`].
    pub fn start() -> Result<Self, NodeError> {
        let node = Self::start_empty(LitecoindOptions::default())?;
        node.mine(101)?;
        Ok(node)
    }

    /// A node with nothing but its first block.
    ///
    /// # Errors
    /// [`NodeError`].
    pub fn start_empty(options: LitecoindOptions) -> Result<Self, NodeError> {
        if !Path::new(PROGRAM).exists() {
            return Err(NodeError::Missing { program: PROGRAM, package: "litecoind" });
        }
        let folder = fast_temp_dir().map_err(|source| NodeError::Io { what: "no temporary folder", source })?;
        // Not a secret: it only keeps another test's node from answering in this one's place.
        let password = folder.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (child, port) = launch(folder.path(), &options, &password, None)?;
        let rpc = rpc_at(port, &password)?;
        let node = Self { child: Some(child), folder, options, password, port, rpc };
        node.rpc.call("createwallet", json!(["test"]))?;
        Ok(node)
    }

    /// Stops the node as an operator would and starts it again on the same folder, at the same port.
    ///
    /// # Errors
    /// [`NodeError`].
    pub fn restart(&mut self) -> Result<(), NodeError> {
        self.stop()?;
        let (child, _) = launch(self.folder.path(), &self.options, &self.password, Some(self.port))?;
        self.child = Some(child);
        match self.rpc.call("loadwallet", json!(["test"])) {
            Ok(_) => Ok(()),
            // Litecoin loads again what was loaded before.
            Err(RpcFailure { message, .. }) if message.contains("already") => Ok(()),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Stops the node and keeps its folder; [`Litecoind::restart`] starts it again.
    ///
    /// # Errors
    /// [`NodeError`] when it doesn't end in time; then it is killed.
    pub fn stop(&mut self) -> Result<(), NodeError> {
        let Some(mut child) = self.child.take() else {
            return Ok(());
        };
        let asked = self.rpc.call("stop", json!([]));
        let deadline = Instant::now() + STOP_TIMEOUT;
        while Instant::now() < deadline && asked.is_ok() {
            match child.try_wait() {
                Ok(Some(_)) => return Ok(()),
                Ok(None) => std::thread::sleep(POLL),
                Err(source) => return Err(NodeError::Io { what: "can't wait for the node", source }),
            }
        }
        end(&mut child);
        Err(NodeError::NotStopped)
    }

    /// Kills the node in the middle of whatever it does, and keeps its folder; [`Litecoind::restart`] starts it again.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            end(&mut child);
        }
    }

    /// Mines blocks to a new address of the wallet.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn mine(&self, blocks: u32) -> Result<Vec<String>, RpcFailure> {
        self.mine_to(blocks, &self.new_address()?)
    }

    /// Mines blocks to an address; answers their hashes. After [`Litecoind::invalidate`] it must be a new one, or the
    /// very blocks that were thrown out come again.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn mine_to(&self, blocks: u32, address: &str) -> Result<Vec<String>, RpcFailure> {
        Ok(texts(&self.rpc.call("generatetoaddress", json!([blocks, address]))?))
    }

    /// Mines one block that holds exactly these transactions (ids or raw hex), whatever waits.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn mine_only(&self, transactions: &[&str]) -> Result<String, RpcFailure> {
        let mined = self.rpc.call("generateblock", json!([self.new_address()?, transactions]))?;
        Ok(text(&mined["hash"]))
    }

    /// A new native segwit address of the wallet.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn new_address(&self) -> Result<String, RpcFailure> {
        Ok(text(&self.rpc.wallet("getnewaddress", json!(["", "bech32"]))?))
    }

    /// The script of an address, in hex, as the node says.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn script_of(&self, address: &str) -> Result<String, RpcFailure> {
        Ok(text(&self.rpc.call("validateaddress", json!([address]))?["scriptPubKey"]))
    }

    /// Pays from the wallet, replaceably; answers the transaction's id. `amount` in coins, as text.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn send(&self, address: &str, amount: &str) -> Result<String, RpcFailure> {
        Ok(text(&self.rpc.wallet("sendtoaddress", json!([address, amount, "", "", false, true]))?))
    }

    /// Pays many addresses by one transaction.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn send_many(&self, payments: &[(String, String)]) -> Result<String, RpcFailure> {
        let amounts: serde_json::Map<String, Value> =
            payments.iter().map(|(address, amount)| (address.clone(), json!(amount))).collect();
        Ok(text(&self.rpc.wallet("sendmany", json!(["", amounts]))?))
    }

    /// Raises the fee of a waiting transaction; answers the new one's id.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn bump_fee(&self, tx_id: &str) -> Result<String, RpcFailure> {
        Ok(text(&self.rpc.wallet("bumpfee", json!([tx_id]))?["txid"]))
    }

    /// A signed transaction that spends the first input of another one, all of it, to these payments (amounts in coins, as text); what is
    /// left over is the fee. It is not sent.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn conflicting(&self, tx_id: &str, payments: &[(&str, &str)]) -> Result<String, RpcFailure> {
        let old = self.rpc.call("getrawtransaction", json!([tx_id, true]))?;
        let input =
            json!([{"txid": old["vin"][0]["txid"], "vout": old["vin"][0]["vout"], "sequence": 0xffff_fffd_u32}]);
        let outputs: Vec<Value> = payments.iter().map(|(address, amount)| json!({*address: amount})).collect();
        let raw = self.rpc.call("createrawtransaction", json!([input, outputs]))?;
        Ok(text(&self.rpc.wallet("signrawtransactionwithwallet", json!([raw]))?["hex"]))
    }

    /// Hands a raw transaction to the node, whatever its fee; answers its id.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn submit(&self, raw: &str) -> Result<String, RpcFailure> {
        Ok(text(&self.rpc.call("sendrawtransaction", json!([raw, 0]))?))
    }

    /// Throws out a block and all above it.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn invalidate(&self, hash: &str) -> Result<(), RpcFailure> {
        self.rpc.call("invalidateblock", json!([hash])).map(drop)
    }

    /// Takes [`Litecoind::invalidate`] back.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn reconsider(&self, hash: &str) -> Result<(), RpcFailure> {
        self.rpc.call("reconsiderblock", json!([hash])).map(drop)
    }

    /// Hash of the best chain's block at a height.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn hash_at(&self, height: u64) -> Result<String, RpcFailure> {
        Ok(text(&self.rpc.call("getblockhash", json!([height]))?))
    }

    /// Height of the best chain.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn height(&self) -> Result<u64, RpcFailure> {
        Ok(self.rpc.call("getblockcount", json!([]))?.as_u64().unwrap_or_default())
    }

    /// The process, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }
}

impl Drop for Litecoind {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts the node at that port, or at a free one.
fn launch(
    folder: &Path,
    options: &LitecoindOptions,
    password: &str,
    port: Option<u16>,
) -> Result<(Child, u16), NodeError> {
    let mut log = String::new();
    for _ in 0..START_ATTEMPTS {
        let free = || free_port().map_err(|source| NodeError::Io { what: "no free port", source });
        let port = port.map_or_else(free, Ok)?;
        match launch_once(folder, options, password, port) {
            Err(NodeError::NotStarted { log: said }) => log = said,
            other => return other.map(|child| (child, port)),
        }
    }
    Err(NodeError::NotStarted { log })
}

fn launch_once(folder: &Path, options: &LitecoindOptions, password: &str, port: u16) -> Result<Child, NodeError> {
    let no_file = |source| NodeError::Io { what: "no output file", source };
    let output = File::create(folder.join("output")).map_err(no_file)?;
    let errors = output.try_clone().map_err(no_file)?;
    let mut command = Command::new(PROGRAM);
    command.args(["-regtest", "-server=1", "-listen=0", "-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1", "-dnsseed=0"]);
    command.args(["-upnp=0", "-mempoolreplacement=1", "-fallbackfee=0.0002", "-keypool=20", "-dbcache=16"]);
    command.arg(format!("-datadir={}", folder.display())).arg(format!("-rpcport={port}"));
    command.arg(format!("-rpcuser={USER}")).arg(format!("-rpcpassword={password}"));
    if !options.mweb {
        command.arg("-vbparams=mweb:-2:0");
    }
    command.args(&options.extra).stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child = command.spawn().map_err(|source| NodeError::Io { what: "can't run litecoind", source })?;
    if is_ready(&mut child, &rpc_at(port, password)?) {
        return Ok(child);
    }
    end(&mut child);
    Err(NodeError::NotStarted { log: fs::read_to_string(folder.join("output")).unwrap_or_default() })
}

fn rpc_at(port: u16, password: &str) -> Result<NodeRpc, RpcFailure> {
    NodeRpc::new(format!("http://127.0.0.1:{port}"), USER.into(), password.into())
}

fn is_ready(child: &mut Child, rpc: &NodeRpc) -> bool {
    let deadline = Instant::now() + START_TIMEOUT;
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return false;
        }
        if rpc.call("getblockcount", json!([])).is_ok() {
            return true;
        }
        std::thread::sleep(POLL);
    }
    false
}

/// Kills this process and no other, and waits until it is gone.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().map(|list| list.iter().map(text).collect()).unwrap_or_default()
}
