//! Signed addresses, made as the operator makes them: with the offline program, from an account key of a real wallet.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;
use testkit::node::Litecoind;

use crate::programs::{self, program};

/// What is signed, and by whom.
#[derive(Clone)]
pub struct Signing {
    /// Seed of the signing key.
    pub seed: [u8; 32],
    /// `litecoin-regtest`, `bitcoin-regtest`, `litecoin-sandbox`.
    pub network: &'static str,
    /// First index.
    pub from: u32,
    /// Number of addresses.
    pub count: u32,
    /// Epoch.
    pub epoch: u32,
    /// Days before now on which the file says it was signed.
    pub signed_days_ago: i64,
    /// Days from now to the last day; negative when it is past.
    pub last_day_in_days: i64,
}

impl Default for Signing {
    fn default() -> Self {
        Self {
            seed: *testkit::sandbox_keys::CURRENT_SEED,
            network: "litecoin-regtest",
            from: 0,
            count: 60,
            epoch: 1,
            signed_days_ago: 0,
            last_day_in_days: 60,
        }
    }
}

/// Words that everybody knows (BIP-39's first test vector): they protect nothing.
pub const WORDS: &str = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

/// Signs a run of addresses and answers the file.
pub fn sign(folder: &Path, name: &str, signing: &Signing) -> PathBuf {
    let (key, out) = (folder.join(format!("{name}.key")), folder.join(format!("{name}.addresses")));
    write_key(&key, &signing.seed);
    let mut command = Command::new(program("kernodeck-keytool"));
    command.arg("sign").arg("--key").arg(&key).args(["--network", signing.network, "--words", "-"]);
    let environment = signing.network.split_once('-').map_or("production", |(_, environment)| environment);
    command.args(["--environment", environment]);
    command.args(["--from", &signing.from.to_string(), "--count", &signing.count.to_string()]);
    command.args(["--epoch", &signing.epoch.to_string(), "--last-day", &day(signing.last_day_in_days)]);
    command.args(["--today", &day(-signing.signed_days_ago)]).arg("--out").arg(&out);
    // The operator compares three addresses with the wallet and says so; nothing is signed before.
    answer(&mut command, &format!("{WORDS}\nyes\n"));
    out
}

/// A key file of the offline program, from a seed that is known.
fn write_key(path: &Path, seed: &[u8; 32]) {
    let public = manifest::SigningKey::from_seed(seed).public_key().unwrap().to_hex();
    let text = format!("kernodeck signing key 1\nsecret {}\npublic {public}\n", hex::encode(seed));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn answer(command: &mut Command, input: &str) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "keytool: {}", String::from_utf8_lossy(&output.stderr));
}

/// The first addresses of an account key, as the offline program derives them.
pub fn derived(account: &str, count: u32) -> Vec<String> {
    let mut command = Command::new(program("kernodeck-keytool"));
    command.args(["derive", "--network", "litecoin-regtest", "--account", account, "--from", "0", "--json"]);
    command.args(["--count", &count.to_string()]);
    let text = programs::run(&mut command);
    let list: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    list.iter().map(|entry| entry["address"].as_str().unwrap().to_owned()).collect()
}

/// A day as so many days from now, YYYY-MM-DD.
pub fn day(from_now: i64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let micros = (i64::try_from(now).unwrap() + from_now * 86_400) * 1_000_000;
    manifest::Day::of(domain::Timestamp::from_micros(micros)).to_string()
}

/// Whether a node knows an address as one of its network's, and by which script.
pub fn known_to(node: &Litecoind, address: &str) -> bool {
    node.rpc.call("validateaddress", json!([address])).unwrap()["isvalid"] == true
}
