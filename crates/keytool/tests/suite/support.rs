//! Running the program.

use std::io::Write;
use std::process::{Command, Stdio};

use serde::Deserialize;

/// What the program answered.
#[derive(Debug)]
pub struct Answer {
    pub good: bool,
    pub output: String,
    pub error: String,
}

/// Runs the program with arguments and text on its standard input.
pub fn keytool(args: &[&str], input: &str) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kernodeck-keytool"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refused before reading has closed its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Answer { good: output.status.success(), output: text(output.stdout), error: text(output.stderr) }
}

/// One line of `derive --json`.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derived {
    pub index: u32,
    pub path: String,
    pub address: String,
}

/// Runs `derive --json`.
pub fn derive(chain: &str, source: &[&str], from: u32, count: usize, input: &str) -> Vec<Derived> {
    let (from, count) = (from.to_string(), count.to_string());
    let mut args = vec!["derive", "--network", chain, "--from", &from, "--count", &count, "--json"];
    args.extend(source);
    let answer = keytool(&args, input);
    assert!(answer.good, "{answer:?}");
    serde_json::from_str(&answer.output).unwrap()
}

/// BIP-84's test words' account on Litecoin.
pub const LITECOIN_ZPUB: &str =
    "zpub6rPo5mF47z5coVm5rvWv7fv181awb7Vckn5Cf3xQXBVKu18kuBHDhNi1Jrb4br6vVD3ZbrnXemEsWJoR18mZwkUdzwD8TQnHDUCGxqZ6swA";
/// The same words' account on test networks.
pub const TEST_VPUB: &str =
    "vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc";
