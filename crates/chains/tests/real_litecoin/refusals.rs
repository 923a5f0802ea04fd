//! Nodes that are down, behind, somebody else's, or on another network.

use std::time::Duration;

use chains::{BitcoinFamilyReader, ChainError, ChainReader, NodeConfig};
use testkit::node::{Litecoind, LitecoindOptions};

use crate::scene::{Scene, coins, config, reader_of};
use crate::support::{Book, Outcome};

/// Block 0 of Litecoin's main network.
const MAIN_CHAIN_ID: &str = "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2";

#[test]
fn following_goes_on_where_it_stopped_when_the_node_starts_again() {
    let mut scene = Scene::new();
    let to = scene.issue(1);
    for _ in 0..60 {
        scene.book.step(&mut scene.reader).unwrap();
    }
    scene.node.send(&to, "1").unwrap();
    let sighting = scene.sightings();
    scene.node.stop().unwrap();
    let stopped = scene.book.step(&mut scene.reader);
    assert!(matches!(stopped, Err(ChainError::Unreachable { .. })), "{stopped:?}");
    assert_eq!(scene.book.chain.len(), 60);

    scene.node.restart().unwrap();
    assert_eq!(scene.sightings(), sighting, "the node remembers when it took the payment in");
    scene.node.mine(1).unwrap();
    assert_eq!(scene.follow(), 0);
    assert_eq!(scene.book.transfers().len(), 1);

    // Killed, it may have forgotten its newest blocks; then it lags until they are there again, or it shows others.
    scene.node.kill();
    scene.node.restart().unwrap();
    scene.node.mine(3).unwrap();
    scene.follow();
    assert_eq!(scene.book.height(), Some(scene.node.height().unwrap()));
}

#[test]
fn a_second_node_that_lags_is_no_fork_and_one_with_other_blocks_is() {
    let mut scene = Scene::new();
    scene.follow();
    let other = Litecoind::start_empty(LitecoindOptions::default()).unwrap();
    let mut its_reader = reader_of(&other);
    let behind = scene.book.step(&mut its_reader);
    assert_eq!(behind, Err(ChainError::NodeBehind { node_height: 0, our_height: 101 }));
    assert_eq!(scene.book.height(), Some(101));
    assert_eq!(its_reader.hash_at(1), Ok(None));
    assert_eq!(its_reader.block_at(1, &scene.book.watch), Ok(None));
    other.mine(3).unwrap();
    scene.book.window = 1_000;
    assert_eq!(scene.book.step(&mut its_reader), Ok(Outcome::Undone(101)));
}

/// Money on one network is nothing on another.
#[test]
fn a_node_of_another_network_is_refused() {
    let mut scene = Scene::new();
    let mut book = Book::new(MAIN_CHAIN_ID, 0);
    let got = scene.node.hash_at(0).unwrap();
    let refused = book.follow(&mut scene.reader);
    assert_eq!(refused, Err(ChainError::WrongChain { expected: MAIN_CHAIN_ID.into(), got }));
    assert!(book.chain.is_empty());
    scene.follow();
}

/// Logs and alarms print these errors.
#[test]
fn a_wrong_password_is_named_as_such_and_never_printed() {
    let scene = Scene::new();
    let secret = "correct-horse-battery";
    let wrong = NodeConfig { password: secret.into(), ..config(&scene.node.rpc) };
    let mut reader = BitcoinFamilyReader::litecoin(&wrong).unwrap();
    let refused = reader.tip().unwrap_err();
    assert_eq!(refused, ChainError::Unauthorized);
    for said in [format!("{wrong:?}"), format!("{reader:?}"), format!("{refused} {refused:?}")] {
        assert!(!said.contains(secret), "{said}");
    }
    reader_of(&scene.node).tip().unwrap();

    let in_url = NodeConfig { url: "http://user:correct-horse-battery@127.0.0.1:1".into(), ..wrong.clone() };
    let refused = BitcoinFamilyReader::litecoin(&in_url).unwrap_err();
    assert!(matches!(refused, ChainError::BadConfig { .. }), "{refused}");
    assert!(!format!("{refused:?} {in_url:?}").contains(secret));

    let nobody = NodeConfig { url: "http://127.0.0.1:1".into(), timeout: Duration::from_secs(5), ..wrong };
    let refused = BitcoinFamilyReader::litecoin(&nobody).unwrap().tip().unwrap_err();
    assert!(matches!(&refused, ChainError::Unreachable { detail } if !detail.contains(secret)), "{refused:?}");
}

/// A miner's reward to a customer's address can be undone and can't be spent at once: it says so.
#[test]
fn a_miners_reward_says_when_it_can_be_spent() {
    let mut scene = Scene::new();
    let to = scene.issue(1);
    scene.node.mine_to(1, &to).unwrap();
    scene.follow();
    let transfers = scene.book.transfers();
    let reward = transfers[0].1;
    assert!(reward.coinbase && reward.only_once_mined && reward.inputs.is_empty());
    assert_eq!((reward.amount, reward.spendable_at_height), (coins("50"), Some(202)));
}
