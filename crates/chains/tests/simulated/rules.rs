//! The simulated network obeys the real one's rules.

use chains::sim::{SIM_BLOCK_TXS, SIM_DUST_UNITS};
use chains::{ChainReader, OutPoint, SimNetwork, mempool_changes, sim::SimError};
use domain::{BaseUnits, Timestamp};

use crate::support::{Book, address};
use crate::{CHAIN_ID, NOW, coins};

fn watching(numbers: &[u64]) -> (SimNetwork, Book, Vec<String>) {
    let mut book = Book::new(CHAIN_ID, 0);
    let mut addresses = Vec::new();
    for number in numbers {
        let (address, script) = address("tltc", *number);
        book.watch.insert(&script, &address).unwrap();
        addresses.push(address);
    }
    (SimNetwork::new(7, CHAIN_ID, NOW), book, addresses)
}

#[test]
fn a_payment_is_sighted_then_mined_and_keeps_its_name() {
    let (network, mut book, to) = watching(&[1]);
    let tx_id = network.send(NOW, &to[0], coins("1.25")).unwrap();
    let view = network.reader().mempool(&book.watch).unwrap();
    assert_eq!((view.transfers.len(), &view.transfers[0].tx_id, view.transfers[0].amount), (1, &tx_id, coins("1.25")));
    assert_eq!(view.transfers[0].node_time, NOW);
    assert_eq!(network.confirmations(&tx_id), Some(0));
    network.mine(Timestamp::from_seconds(1_800_000_150), 2);
    book.follow(&mut network.reader()).unwrap();
    let transfers = book.transfers();
    assert_eq!((transfers.len(), transfers[0].0.height, &transfers[0].1.tx_id), (1, 1, &tx_id));
    assert_eq!(network.confirmations(&tx_id), Some(2));
    assert!(network.reader().mempool(&book.watch).unwrap().transfers.is_empty());
}

#[test]
fn an_address_of_another_network_or_with_a_typing_error_takes_no_money() {
    let network = SimNetwork::new(7, CHAIN_ID, NOW);
    let mut misspelt = address("tltc", 1).0;
    misspelt.replace_range(10..11, if misspelt.as_bytes()[10] == b'q' { "p" } else { "q" });
    for wrong in ["ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh", &address("rltc", 1).0, &misspelt, "", "tltc1"] {
        assert!(matches!(network.send(NOW, wrong, coins("1")), Err(SimError::NotOurAddress { .. })), "{wrong}");
    }
    let (right, _) = address("tltc", 1);
    let dust = BaseUnits::new(u128::from(SIM_DUST_UNITS) - 1);
    assert_eq!(network.send(NOW, &right, dust), Err(SimError::AmountOutOfRange));
    assert_eq!(network.send(NOW, &right, BaseUnits::new(u128::MAX)), Err(SimError::AmountOutOfRange));
    assert!(network.waiting().is_empty());
    network.send(NOW, &right.to_uppercase(), coins("1")).unwrap();
}

#[test]
fn a_replacement_takes_the_place_of_what_it_replaces() {
    let (network, book, to) = watching(&[1, 2]);
    let mut reader = network.reader();
    let old = network.send(NOW, &to[0], coins("2")).unwrap();
    let before = reader.mempool(&book.watch).unwrap().transfers;
    let new = network.replace(NOW, &old, &to[0], coins("1.5")).unwrap();
    let now = reader.mempool(&book.watch).unwrap().transfers;
    let changes = mempool_changes(&before, &now);
    assert_eq!((changes.new.len(), changes.vanished.len(), changes.replaced.len()), (1, 0, 1));
    let replacement = &changes.replaced[0];
    assert_eq!((&replacement.by_tx_id, replacement.old_paid, replacement.now_pays), (&new, coins("2"), coins("1.5")));
    assert_eq!(network.replace(NOW, &old, &to[0], coins("1")), Err(SimError::NotWaiting));

    network.double_spend(NOW, &new).unwrap();
    let gone = reader.mempool(&book.watch).unwrap().transfers;
    let changes = mempool_changes(&now, &gone);
    assert_eq!((changes.vanished.len(), changes.replaced.len()), (1, 0));
    network.mine(NOW, 1);
    assert_eq!(network.confirmations(&new), None);
}

/// A fork gives payments back to the mempool; only a conflict takes them away.
#[test]
fn after_a_fork_a_payment_is_mined_again_or_lost_to_a_conflict() {
    let (network, mut book, to) = watching(&[1, 2]);
    let kept = network.send(NOW, &to[0], coins("1")).unwrap();
    let lost = network.send(NOW, &to[1], coins("2")).unwrap();
    network.mine(NOW, 3);
    book.follow(&mut network.reader()).unwrap();
    assert_eq!(book.transfers().len(), 2);
    let first_block = book.transfers()[0].0.clone();
    network.fork(NOW, 3).unwrap();
    assert_eq!(network.tip().height, 4);
    network.double_spend(NOW, &lost).unwrap();
    network.mine(NOW, 1);
    assert_eq!(book.follow(&mut network.reader()), Ok(3));
    let transfers = book.transfers();
    assert_eq!((transfers.len(), &transfers[0].1.tx_id), (1, &kept));
    assert_ne!(*transfers[0].0, first_block);
}

#[test]
fn our_own_coins_move_only_once_and_a_reward_waits_a_hundred_blocks() {
    let (network, mut book, to) = watching(&[1, 2]);
    network.mine_to(NOW, &to[0]).unwrap();
    let paid = network.send(NOW, &to[0], coins("3")).unwrap();
    network.mine(NOW, 1);
    book.follow(&mut network.reader()).unwrap();
    let reward = book.transfers()[0].1.clone();
    assert!(reward.coinbase && reward.only_once_mined && !reward.spends_only(|_| true));
    assert_eq!(reward.spendable_at_height, Some(101));

    let ours = [OutPoint { tx_id: paid, index: 0 }];
    let moved = network.spend(NOW, &ours, &to[1], coins("2.9")).unwrap();
    assert_eq!(network.spend(NOW, &ours, &to[1], coins("2.9")), Err(SimError::CannotSpend));
    network.mine(NOW, 1);
    book.follow(&mut network.reader()).unwrap();
    let transfers = book.transfers();
    let sweep = transfers.iter().find(|(_, transfer)| transfer.tx_id == moved).unwrap().1;
    assert!(sweep.spends_only(|input| ours.contains(input)));

    let reward = [OutPoint { tx_id: reward.tx_id, index: 0 }];
    network.mine(NOW, 96);
    assert_eq!(network.spend(NOW, &reward, &to[1], coins("6")), Err(SimError::CannotSpend));
    network.mine(NOW, 1);
    network.spend(NOW, &reward, &to[1], coins("6")).unwrap();
}

#[test]
fn a_full_block_takes_the_best_fees_and_leaves_the_rest_waiting() {
    let (network, _, to) = watching(&[1]);
    let mut sent = Vec::new();
    for _ in 0..=SIM_BLOCK_TXS {
        sent.push(network.send(NOW, &to[0], coins("0.001")).unwrap());
    }
    let last = sent.last().unwrap();
    let urgent = network.replace(NOW, last, &to[0], coins("0.001")).unwrap();
    network.mine(NOW, 1);
    assert_eq!(network.confirmations(&urgent), Some(1));
    assert_eq!(network.waiting().len(), 1);
}

#[test]
fn the_same_seed_and_the_same_calls_give_the_same_chain() {
    let chain = |seed| {
        let network = SimNetwork::new(seed, CHAIN_ID, NOW);
        network.send(NOW, &address("tltc", 1).0, coins("1")).unwrap();
        network.mine(NOW, 3);
        network.fork(NOW, 2).unwrap();
        network.snapshot().unwrap()
    };
    assert_eq!(chain(5), chain(5));
    assert_ne!(chain(5), chain(6));
    assert!(matches!(SimNetwork::restore(b"{}"), Err(SimError::BadSnapshot { .. })));
}
