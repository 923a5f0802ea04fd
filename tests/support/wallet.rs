//! An independent wallet: another program reads the payment's text, and a node pays what it read.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use testkit::node::Litecoind;

use crate::programs;

/// What a wallet understood.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Understood {
    /// The address.
    pub address: String,
    /// Coins, decimal, as written in the text.
    pub amount: String,
    /// Names of everything else in the text.
    pub others: Vec<String>,
}

/// Has the wallet library read a payment's text, as a wallet would after scanning it.
pub fn understand(uri: &str) -> Understood {
    let folder = programs::checkout().join("tests/wallet");
    assert!(folder.join("node_modules").exists(), "the wallet library is missing: `./x setup` installs it");
    let text = programs::run(Command::new("node").arg(folder.join("read.mjs")).arg(uri));
    serde_json::from_str(&text).unwrap()
}

/// Pays from a picture alone: the QR in it is all that is known. Answers what was paid and the transaction's id.
pub fn pay_from_picture(node: &Litecoind, picture: &Path) -> (Understood, String) {
    let uri = crate::screen::qr_in(picture).unwrap_or_else(|| panic!("no QR code in {}", picture.display()));
    let understood = understand(&uri);
    let tx_id = node.send(&understood.address, &understood.amount).unwrap();
    (understood, tx_id)
}
