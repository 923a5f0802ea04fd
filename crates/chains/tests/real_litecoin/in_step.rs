//! Real nodes that answer well and see nothing of their network. The strict rules are asked of a private chain here.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chains::{BitcoinFamilyReader, ChainError, ChainReader, NodeConfig, OutOfStep, WatchSet};
use domain::Environment;
use serde_json::json;

use testkit::node::{Litecoind, LitecoindOptions};
use testkit::port::free_port;

use crate::scene::config;
use crate::support::{Book, Outcome};

fn node(extra: &[String]) -> Litecoind {
    Litecoind::start_empty(LitecoindOptions { extra: extra.to_vec(), ..LitecoindOptions::default() }).unwrap()
}

/// Reads the node as if real money were on its chain.
fn strict_reader(node: &Litecoind) -> BitcoinFamilyReader {
    let config = NodeConfig { environment: Environment::Production, ..config(&node.rpc) };
    BitcoinFamilyReader::litecoin(&config).unwrap()
}

fn out_of_step(why: OutOfStep) -> ChainError {
    ChainError::OutOfStep(why)
}

/// A node that other nodes can reach, and its address.
fn reachable(extra: &[String]) -> (Litecoind, String) {
    let port = free_port().unwrap();
    let listening = ["-listen=1".to_owned(), "-bind=127.0.0.1".to_owned(), format!("-port={port}")];
    (node(&[&listening, extra].concat()), format!("127.0.0.1:{port}"))
}

/// Has `node` connect to the other one, and waits until both know.
fn connect(node: &Litecoind, address: &str) {
    node.rpc.call("addnode", json!([address, "onetry"])).unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while node.rpc.call("getnetworkinfo", json!([])).unwrap()["connections"] == json!(0) {
        assert!(Instant::now() < deadline, "the nodes never met");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Cut off, a node sees no payment: believed, it has every open one expire unpaid.
#[test]
fn a_node_counts_only_while_another_one_is_connected() {
    let (there, address) = reachable(&[]);
    let here = node(&[]);
    here.mine(3).unwrap();
    let mut reader = strict_reader(&here);
    let mut book = Book::new(&here.hash_at(0).unwrap(), 0);
    let alone = out_of_step(OutOfStep::NoPeers);
    assert_eq!(book.step(&mut reader), Err(alone.clone()));
    assert_eq!(reader.mempool(&WatchSet::new()), Err(alone.clone()));
    assert!(book.chain.is_empty());
    connect(&here, &address);
    assert_eq!(book.follow(&mut reader), Ok(0));
    assert_eq!(book.height(), Some(3));
    assert!(reader.mempool(&WatchSet::new()).is_ok());
    here.rpc.call("setnetworkactive", json!([false])).unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while book.step(&mut reader) == Ok(Outcome::AtTip) {
        assert!(Instant::now() < deadline, "the node never lost its peer");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(book.step(&mut reader), Err(alone));
    drop(there);
}

/// The node calls itself in step: by a clock that is as far behind as its blocks.
#[test]
fn a_node_whose_newest_block_is_two_hours_old_does_not_count() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let two_hours_ago = format!("-mocktime={}", now - 7_200);
    let (there, address) = reachable(std::slice::from_ref(&two_hours_ago));
    let here = node(std::slice::from_ref(&two_hours_ago));
    here.mine(1).unwrap();
    connect(&here, &address);
    let mut reader = strict_reader(&here);
    let refused = reader.tip();
    let minutes = 119..=123;
    assert!(
        matches!(&refused, Err(ChainError::OutOfStep(OutOfStep::OldTip { minutes: old })) if minutes.contains(old)),
        "{refused:?}"
    );
    here.rpc.call("setmocktime", json!([0])).unwrap();
    here.mine(1).unwrap();
    assert_eq!(reader.tip().map(|tip| tip.height), Ok(2));
    drop(there);
}

/// litecoind's own word, which it takes back with the first fresh block; on a private chain nothing is wrong with that.
#[test]
fn a_node_that_is_still_downloading_does_not_count() {
    let fresh = node(&[]);
    let downloading = out_of_step(OutOfStep::Downloading { height: 0 });
    assert_eq!(strict_reader(&fresh).tip(), Err(downloading));
    let private = BitcoinFamilyReader::litecoin(&config(&fresh.rpc)).unwrap().tip();
    assert_eq!(private.map(|tip| tip.height), Ok(0));
    fresh.mine(1).unwrap();
    assert_eq!(strict_reader(&fresh).tip(), Err(out_of_step(OutOfStep::NoPeers)));
}
