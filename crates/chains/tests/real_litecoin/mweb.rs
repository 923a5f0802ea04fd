//! Payments out of Litecoin's MWEB, which exist only once they are mined.

use serde_json::json;
use testkit::node::LitecoindOptions;

use crate::scene::{Scene, coins};

/// On the private test chain MWEB begins with the next block, which can't be mined without a peg-in.
const LAST_BLOCK_BEFORE_MWEB: u32 = 431;

/// A node with MWEB, and a wallet `private` that owns nothing but coins inside MWEB.
fn with_private_coins() -> Scene {
    let scene = Scene::with_options(LitecoindOptions { mweb: true, ..LitecoindOptions::default() });
    scene.node.mine(LAST_BLOCK_BEFORE_MWEB - 101).unwrap();
    scene.node.rpc.call("createwallet", json!(["private"])).unwrap();
    let inside = scene.node.rpc.call_wallet("private", "getnewaddress", json!(["", "mweb"])).unwrap();
    scene.node.send(inside.as_str().unwrap(), "20").unwrap();
    scene.node.mine(8).unwrap();
    scene
}

fn pay_from_inside(scene: &Scene, to: &str, amount: &str) -> String {
    let sent = scene.node.rpc.call_wallet("private", "sendtoaddress", json!([to, amount])).unwrap();
    sent.as_str().unwrap().to_owned()
}

/// The customer paid: that the transaction's id is in no block must not lose the money, nor take it twice after a fork.
#[test]
fn a_payment_from_mweb_is_found_in_its_block_under_the_blocks_own_name() {
    let mut scene = with_private_coins();
    let to = scene.issue(1);
    scene.follow();
    let sent = pay_from_inside(&scene, &to, "1.25");
    assert!(scene.sightings().is_empty(), "it has no output yet that could be named");
    let mined = scene.node.mine(1).unwrap();
    scene.follow();
    let (at, transfer) = scene.book.transfers().first().map(|(at, t)| ((*at).clone(), (*t).clone())).unwrap();
    assert_eq!((at.hash.as_str(), transfer.amount, &transfer.address), (mined[0].as_str(), coins("1.25"), &to));
    assert!(transfer.only_once_mined && !transfer.coinbase);
    assert_eq!(transfer.spendable_at_height, Some(at.height + 6));
    assert_ne!(transfer.tx_id, sent);
    assert!(transfer.out_index > 0, "the first output of a HogEx is MWEB's own");

    scene.node.invalidate(&mined[0]).unwrap();
    scene.node.mine(3).unwrap();
    assert_eq!(scene.follow(), 1);
    let transfers = scene.book.transfers();
    assert_eq!((transfers.len(), transfers[0].1.amount), (1, coins("1.25")));
    assert_ne!(transfers[0].0.hash, at.hash);
}

/// A transaction that goes into MWEB and pays an ordinary address too keeps its name.
#[test]
fn ordinary_payments_beside_mweb_are_ordinary() {
    let mut scene = with_private_coins();
    let to = scene.issue(1);
    let tx_id = scene.node.send(&to, "2").unwrap();
    let inside = scene.node.rpc.call_wallet("private", "getnewaddress", json!(["", "mweb"])).unwrap();
    scene.node.send(inside.as_str().unwrap(), "1").unwrap();
    let sighted = scene.sightings();
    assert_eq!((sighted.len(), &sighted[0].tx_id), (1, &tx_id));
    scene.node.mine(2).unwrap();
    scene.follow();
    let transfers = scene.book.transfers();
    assert_eq!((transfers.len(), &transfers[0].1.tx_id, transfers[0].1.only_once_mined), (1, &tx_id, false));
}
