//! Sightings: they come, are replaced, vanish, and are mined.

use std::time::{SystemTime, UNIX_EPOCH};

use chains::{OutPoint, SimNetwork, mempool_changes, sim::SIM_DUST_UNITS};
use domain::{BaseUnits, Timestamp};

use crate::scene::{Scene, coins};
use crate::support::address;

#[test]
fn a_payment_is_sighted_then_mined_under_the_same_name() {
    let mut scene = Scene::new();
    let to = scene.issue(1);
    scene.follow();
    let tx_id = scene.node.send(&to, "1.23456789").unwrap();
    let before = scene.sightings();
    assert_eq!(before.len(), 1);
    assert_eq!((&before[0].tx_id, &before[0].address, before[0].amount), (&tx_id, &to, coins("1.23456789")));
    let clock = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros()).unwrap();
    let age = Timestamp::from_micros(clock).micros_since(before[0].node_time);
    assert!((-2_000_000..60_000_000).contains(&age), "seen {age} microseconds ago");

    scene.node.mine(1).unwrap();
    scene.follow();
    let transfers = scene.book.transfers();
    assert_eq!((transfers.len(), transfers[0].0.height), (1, 102));
    let (at, mined) = (transfers[0].0.clone(), transfers[0].1.clone());
    assert_eq!((&mined.tx_id, mined.out_index, &mined.address), (&tx_id, before[0].out_index, &to));
    assert_eq!((mined.amount, mined.inputs.clone()), (coins("1.23456789"), before[0].inputs.clone()));
    assert!(!mined.coinbase && !mined.only_once_mined && mined.spendable_at_height.is_none());
    assert_eq!(at.hash, scene.node.hash_at(102).unwrap());
    assert!(scene.sightings().is_empty());
}

/// An address may be shown to a customer between two looks at the mempool.
#[test]
fn a_payment_read_before_its_address_was_watched_is_still_sighted() {
    let mut scene = Scene::new();
    let (to, _) = address("rltc", 1);
    scene.node.send(&to, "2").unwrap();
    assert!(scene.sightings().is_empty());
    scene.issue(1);
    assert_eq!(scene.sightings().len(), 1);
}

/// A raised fee must not cost the customer the date of the first sighting, even after a block that held nothing of ours.
#[test]
fn a_raised_fee_replaces_the_sighting_and_pays_the_same() {
    let mut scene = Scene::new();
    let to = scene.issue(1);
    let old = scene.node.send(&to, "3").unwrap();
    let before = scene.sightings();
    scene.node.mine_only(&[]).unwrap();
    scene.follow();
    assert_eq!(scene.sightings(), before);
    let new = scene.node.bump_fee(&old).unwrap();
    let now = scene.sightings();
    let changes = mempool_changes(&before, &now);
    assert_eq!((changes.new.len(), changes.vanished.len(), changes.replaced.len()), (1, 0, 1));
    assert_eq!((&changes.replaced[0].old.tx_id, &changes.replaced[0].by_tx_id), (&old, &new));
    assert_eq!((changes.replaced[0].old_paid, changes.replaced[0].now_pays), (coins("3"), coins("3")));
    scene.node.mine(1).unwrap();
    scene.follow();
    let mined: Vec<String> = scene.book.transfers().iter().map(|(_, transfer)| transfer.tx_id.clone()).collect();
    assert_eq!(mined, [new]);
}

#[test]
fn replacements_with_more_with_less_and_to_somebody_else_are_told_apart() {
    let mut scene = Scene::new();
    let (to, ours) = (scene.issue(1), scene.issue(2));
    let (theirs, somebody) = (scene.node.new_address().unwrap(), scene.node.new_address().unwrap());
    let first = scene.node.send(&to, "3").unwrap();
    let mut before = scene.sightings();
    // Each pays a higher fee than the one before.
    let steps: [(&str, &str, &str, Option<&str>); 4] = [
        (&to, "4", "45.99", Some("4")),
        (&to, "1.5", "48.48", Some("1.5")),
        (&ours, "2", "47.96", Some("0")),
        (&somebody, "2", "47.94", None),
    ];
    let mut waiting = first;
    for (payee, amount, change, now_pays) in steps {
        let raw = scene.node.conflicting(&waiting, &[(payee, amount), (&theirs, change)]).unwrap();
        let new = scene.node.submit(&raw).unwrap();
        let now = scene.sightings();
        let changes = mempool_changes(&before, &now);
        match now_pays {
            Some(now_pays) => {
                let replaced = &changes.replaced[0];
                assert_eq!((&replaced.old.tx_id, &replaced.by_tx_id), (&waiting, &new));
                assert_eq!(replaced.now_pays, coins(now_pays), "{amount} to {payee}");
                assert!(changes.vanished.is_empty());
            }
            None => {
                assert!(now.is_empty() && changes.replaced.is_empty());
                assert_eq!(changes.vanished[0].tx_id, waiting);
            }
        }
        (before, waiting) = (now, new);
    }
    scene.node.mine(1).unwrap();
    scene.follow();
    assert!(scene.book.transfers().is_empty(), "only the last replacement was mined, and it pays nobody of ours");
}

/// The first transaction is never mined: what it showed must go, and nothing may be counted.
#[test]
fn a_double_spend_in_a_block_makes_the_sighting_vanish() {
    let mut scene = Scene::new();
    let to = scene.issue(1);
    let tx_id = scene.node.send(&to, "3").unwrap();
    let before = scene.sightings();
    let theirs = scene.node.new_address().unwrap();
    let conflict = scene.node.conflicting(&tx_id, &[(&theirs, "49.99")]).unwrap();
    scene.node.mine_only(&[&conflict]).unwrap();
    scene.follow();
    let changes = mempool_changes(&before, &scene.sightings());
    assert_eq!((changes.vanished.len(), changes.replaced.len(), changes.new.len()), (1, 0, 0));
    scene.node.mine(3).unwrap();
    scene.follow();
    assert!(scene.book.transfers().is_empty());
}

/// A shop that counts transactions would credit the first output and swallow the second.
#[test]
fn every_output_of_a_transaction_is_its_own_transfer() {
    let mut scene = Scene::new();
    let (one, two) = (scene.issue(1), scene.issue(2));
    let tx_id = scene.node.send(&one, "1").unwrap();
    let raw = scene.node.conflicting(&tx_id, &[(&one, "1"), (&two, "2"), (&scene.node.new_address().unwrap(), "46.9")]);
    let new = scene.node.submit(&raw.unwrap()).unwrap();
    let sighted: Vec<u32> = scene.sightings().iter().map(|sighting| sighting.out_index).collect();
    assert_eq!(sighted, [0, 1]);
    scene.node.mine(1).unwrap();
    scene.follow();
    let transfers = scene.book.transfers();
    assert_eq!(transfers.len(), 2);
    assert!(transfers.iter().all(|(_, transfer)| transfer.tx_id == new));
    let theirs: Vec<OutPoint> = transfers[0].1.inputs.clone();
    assert!(transfers[0].1.spends_only(|input| theirs.contains(input)));
    assert!(!transfers[0].1.spends_only(|_| false));
}

/// The simulation must not take what the real network refuses.
#[test]
fn the_simulated_networks_dust_limit_is_the_nodes() {
    let scene = Scene::new();
    let (to, _) = address("rltc", 1);
    let change = scene.node.new_address().unwrap();
    let waiting = scene.node.send(&change, "1").unwrap();
    let limit = BaseUnits::new(SIM_DUST_UNITS.into());
    let below = BaseUnits::new(u128::from(SIM_DUST_UNITS) - 1);
    let pay = |amount: BaseUnits| {
        let raw = scene.node.conflicting(&waiting, &[(&to, &amount.to_coins(8, 8)), (&change, "49.9")]).unwrap();
        scene.node.submit(&raw)
    };
    assert!(pay(below).unwrap_err().message.contains("dust"));
    pay(limit).unwrap();
    let simulated = SimNetwork::new(1, "chain", Timestamp::from_seconds(0));
    let (to, _) = address("tltc", 1);
    assert!(simulated.send(Timestamp::from_seconds(1), &to, below).is_err());
    simulated.send(Timestamp::from_seconds(1), &to, limit).unwrap();
}
