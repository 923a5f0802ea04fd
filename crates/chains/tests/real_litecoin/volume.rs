//! Many transactions, many addresses, and the node's own sums beside ours.

use std::collections::BTreeMap;

use domain::BaseUnits;
use serde_json::{Value, json};

use crate::scene::{Scene, coins};
use crate::support::address;

const TRANSACTIONS: usize = 300;
const WATCHED: u64 = 100_000;

/// Coins of one size, so that each transaction can spend its own.
fn split(scene: &Scene) -> Vec<Value> {
    let mine = |_| (scene.node.new_address().unwrap(), "0.1".to_owned());
    let tx_id = scene.node.send_many(&(0..TRANSACTIONS).map(mine).collect::<Vec<_>>()).unwrap();
    scene.node.mine(1).unwrap();
    let tx = scene.node.rpc.wallet("gettransaction", json!([tx_id])).unwrap();
    let decoded = scene.node.rpc.call("decoderawtransaction", json!([tx["hex"]])).unwrap();
    let outputs = decoded["vout"].as_array().unwrap();
    let tenth = outputs.iter().filter(|output| output["value"] == json!(0.1));
    tenth.map(|output| json!([{"txid": tx_id, "vout": output["n"]}])).collect()
}

/// What the node counts as unspent at an address. Nobody can spend from the test's addresses, so that is all they received.
fn node_sum(scene: &Scene, address: &str) -> BaseUnits {
    let scan = scene.node.rpc.call("scantxoutset", json!(["start", [format!("addr({address})")]])).unwrap();
    coins(&format!("{:.8}", scan["total_amount"].as_f64().unwrap()))
}

#[test]
fn three_hundred_payments_in_one_block_add_up_to_what_the_node_says() {
    let mut scene = Scene::new();
    // Real addresses among a hundred thousand others.
    for number in 1_000..1_000 + WATCHED {
        let (address, script) = address("rltc", number);
        scene.book.watch.insert(&script, &address).unwrap();
    }
    let to: Vec<String> = (0..10).map(|number| scene.issue(number)).collect();
    let mut expected: BTreeMap<String, BaseUnits> = BTreeMap::new();
    for (number, input) in split(&scene).into_iter().enumerate() {
        let payee = &to[number % to.len()];
        let amount = BaseUnits::new(1_000_000 + number as u128 * 7);
        let raw =
            scene.node.rpc.call("createrawtransaction", json!([input, [{payee: amount.to_coins(8, 8)}]])).unwrap();
        let signed = scene.node.rpc.wallet("signrawtransactionwithwallet", json!([raw])).unwrap();
        scene.node.submit(signed["hex"].as_str().unwrap()).unwrap();
        let sum = expected.entry(payee.clone()).or_default();
        *sum = sum.checked_add(amount).unwrap();
    }
    assert_eq!(scene.sightings().len(), TRANSACTIONS);
    scene.node.mine(1).unwrap();
    scene.follow();
    assert_eq!(scene.book.watch.len() as u64, WATCHED + 10);
    assert_eq!(scene.book.transfers().len(), TRANSACTIONS);
    assert!(scene.book.transfers().iter().all(|(at, _)| at.height == 103));
    assert_eq!(scene.book.received(), expected);
    for (address, sum) in &expected {
        assert_eq!(node_sum(&scene, address), *sum, "{address}");
    }
    assert!(scene.sightings().is_empty());
}
