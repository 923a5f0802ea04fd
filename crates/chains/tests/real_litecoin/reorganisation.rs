//! Forks of a real node.

use chains::{ChainError, Step};
use serde_json::json;
use testkit::node::LitecoindOptions;

use crate::scene::{Scene, coins};

/// The customer's money comes back in another block: taken back once, counted once.
#[test]
fn a_reorganisation_deeper_than_the_confirmations_moves_the_payment_to_another_block() {
    let mut scene = Scene::new();
    let to = scene.issue(1);
    let tx_id = scene.node.send(&to, "5").unwrap();
    let first = scene.node.mine(3).unwrap();
    scene.follow();
    assert_eq!(scene.book.transfers()[0].0.hash, first[0]);

    scene.node.invalidate(&first[0]).unwrap();
    // For now the node only lags: nothing contradicts us yet.
    let behind = scene.book.step(&mut scene.reader);
    assert_eq!(behind, Err(ChainError::NodeBehind { node_height: 101, our_height: 104 }));
    scene.node.mine_only(&[]).unwrap();
    let second = scene.node.mine(4).unwrap();
    assert_eq!(scene.follow(), 3);
    let transfers = scene.book.transfers();
    assert_eq!(transfers.len(), 1);
    assert_eq!((&transfers[0].1.tx_id, transfers[0].1.amount), (&tx_id, coins("5")));
    assert_eq!((&transfers[0].0.hash, transfers[0].0.height), (&second[0], 103));

    // And back: the branch that was first wins after all.
    let tip = scene.node.height().unwrap();
    scene.node.invalidate(&scene.node.hash_at(102).unwrap()).unwrap();
    scene.node.reconsider(&first[0]).unwrap();
    scene.node.mine(3).unwrap();
    assert!(scene.node.height().unwrap() >= tip);
    assert_eq!(scene.follow(), 5);
    assert_eq!(scene.book.transfers()[0].0.hash, first[0]);
}

/// The node itself still names a block for the lost payment. Whoever believes that credits money that is gone.
#[test]
fn no_hash_of_a_lost_block_is_believed() {
    let options = LitecoindOptions { extra: vec!["-txindex=1".into()], ..LitecoindOptions::default() };
    let mut scene = Scene::with_options(options);
    let to = scene.issue(1);
    let tx_id = scene.node.send(&to, "5").unwrap();
    let theirs = scene.node.new_address().unwrap();
    let conflict = scene.node.conflicting(&tx_id, &[(&theirs, "49.99")]).unwrap();
    let lost = scene.node.mine(2).unwrap();
    scene.follow();
    assert_eq!(scene.book.transfers().len(), 1);

    scene.node.invalidate(&lost[0]).unwrap();
    scene.node.mine_only(&[&conflict]).unwrap();
    scene.node.mine(2).unwrap();
    assert_eq!(scene.follow(), 2);
    let said = scene.node.rpc.call("getrawtransaction", json!([tx_id, true])).unwrap();
    assert_eq!(said["blockhash"].as_str(), Some(lost[0].as_str()), "the node names the lost block: {said}");
    assert!(scene.book.transfers().is_empty());
    assert!(scene.sightings().is_empty());
}

#[test]
fn a_fork_below_all_that_the_follower_was_told_of_is_walked_back() {
    let mut scene = Scene::new();
    scene.follow();
    scene.book.window = 4;
    scene.node.invalidate(&scene.node.hash_at(81).unwrap()).unwrap();
    scene.node.mine(30).unwrap();
    let recent: Vec<_> = scene.book.chain[98..].iter().map(|(at, _)| at.clone()).collect();
    let step = scene.book.follower.next_step(&mut scene.reader, &scene.book.watch, &recent).unwrap();
    let Step::Undo { back_to: None, lost } = step else { panic!("{step:?}") };
    assert_eq!(lost.len(), 4);
    assert_eq!(scene.follow(), 21);
    assert_eq!(scene.book.height(), Some(110));
}
