//! Whatever the network does, what is followed in the end is its best chain, transfer by transfer.

use std::collections::{BTreeMap, BTreeSet};

use chains::{ChainError, ChainReader, SimNetwork};
use domain::BaseUnits;

use crate::support::{Book, address};
use crate::{CHAIN_ID, NOW};

const SEEDS: u64 = 500;
const ACTIONS: u64 = 60;
const ADDRESSES: u64 = 6;

/// SplitMix64: small, and the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

/// (transaction, output, address, base units).
type Payment = (String, u32, String, BaseUnits);

/// The network, what the test itself did to it, and a watcher.
struct Play {
    dice: Dice,
    network: SimNetwork,
    /// Every payment ever tried, by its transaction. Which of them stand is the network's word, asked at the end.
    tried: BTreeMap<String, Vec<(String, BaseUnits)>>,
    book: Book,
}

impl Play {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mut book = Book::new(CHAIN_ID, dice.roll(3));
        book.window = 1 + dice.roll(9) as usize;
        for number in 0..ADDRESSES / 2 {
            let (address, script) = address("tltc", number);
            book.watch.insert(&script, &address).unwrap();
        }
        Self { dice, network: SimNetwork::new(seed, CHAIN_ID, NOW), tried: BTreeMap::new(), book }
    }

    fn payment(&mut self) -> (String, BaseUnits) {
        let (address, _) = address("tltc", self.dice.roll(ADDRESSES));
        (address, BaseUnits::new(u128::from(10_000 + self.dice.roll(1_000_000))))
    }

    fn waiting(&mut self) -> Option<String> {
        let waiting = self.network.waiting();
        let chosen = self.dice.roll(waiting.len().max(1) as u64);
        waiting.get(chosen as usize).cloned()
    }

    fn act(&mut self) {
        match self.dice.roll(12) {
            0..=2 => {
                let (to, amount) = self.payment();
                let tx_id = self.network.send(NOW, &to, amount).unwrap();
                self.tried.insert(tx_id, vec![(to, amount)]);
            }
            3 => {
                let payments = [self.payment(), self.payment(), self.payment()];
                let borrowed: Vec<(&str, BaseUnits)> = payments.iter().map(|(to, sum)| (to.as_str(), *sum)).collect();
                let tx_id = self.network.send_many(NOW, &borrowed).unwrap();
                self.tried.insert(tx_id, payments.to_vec());
            }
            4 => self.replace(),
            5..=7 => drop(self.network.mine(NOW, 1 + self.dice.roll(3) as u32)),
            8 => self.fork(),
            9 => self.restart(),
            10 => self.outage(),
            _ => {
                for _ in 0..self.dice.roll(4) {
                    let _ = self.book.step(&mut self.network.reader());
                }
            }
        }
    }

    fn replace(&mut self) {
        let Some(old) = self.waiting() else { return };
        match self.dice.roll(3) {
            0 => drop(self.network.double_spend(NOW, &old).unwrap()),
            1 => self.network.evict(&old).unwrap(),
            _ => {
                let (to, amount) = self.payment();
                let tx_id = self.network.replace(NOW, &old, &to, amount).unwrap();
                self.tried.insert(tx_id, vec![(to, amount)]);
            }
        }
    }

    fn fork(&mut self) {
        let depth = self.dice.roll(12).min(self.network.tip().height);
        self.network.fork(NOW, depth as u32).unwrap();
    }

    /// The sandbox server stops and starts again.
    fn restart(&mut self) {
        self.network = SimNetwork::restore(&self.network.snapshot().unwrap()).unwrap();
    }

    fn outage(&mut self) {
        self.network.set_reachable(false);
        let before = self.book.chain.clone();
        let refused = self.book.follow(&mut self.network.reader());
        assert!(matches!(refused, Err(ChainError::Unreachable { .. })), "{refused:?}");
        assert_eq!(self.book.chain, before, "an outage moved the cursor");
        self.network.set_reachable(true);
    }

    /// Whether a transaction stands on the best chain, at or above the height that following starts at.
    fn is_mined(&self, tx_id: &str) -> bool {
        let confirmations = self.network.confirmations(tx_id).unwrap_or_default();
        confirmations > 0 && self.network.tip().height + 1 - confirmations >= self.book.follower.start_height
    }

    /// What stands there to watched addresses, by the test's own notes.
    fn expected(&self) -> BTreeSet<Payment> {
        let watched: BTreeSet<String> = (0..ADDRESSES / 2).map(|number| address("tltc", number).0).collect();
        let mined = self.tried.iter().filter(|(tx_id, _)| self.is_mined(tx_id));
        mined
            .flat_map(|(tx_id, payments)| {
                (0u32..).zip(payments).map(|(index, (to, amount))| (tx_id.clone(), index, to.clone(), *amount))
            })
            .filter(|(_, _, to, _)| watched.contains(to))
            .collect()
    }

    fn check(&mut self, seed: u64) -> usize {
        self.network.mine(NOW, 3);
        self.book.follow(&mut self.network.reader()).unwrap();
        let seen: Vec<Payment> = self
            .book
            .transfers()
            .iter()
            .map(|(_, t)| (t.tx_id.clone(), t.out_index, t.address.clone(), t.amount))
            .collect();
        let distinct: BTreeSet<Payment> = seen.iter().cloned().collect();
        assert_eq!(distinct.len(), seen.len(), "seed {seed}: a transfer was taken twice");
        assert_eq!(distinct, self.expected(), "seed {seed}: the transfers are not those of the best chain");
        let sum = |of: &BTreeMap<String, BaseUnits>| of.values().map(|units| units.get()).sum::<u128>();
        assert_eq!(sum(&self.book.received()), seen.iter().map(|(.., units)| units.get()).sum::<u128>());
        let mut reader = self.network.reader();
        for (at, _) in &self.book.chain {
            assert_eq!(
                reader.hash_at(at.height).unwrap().as_ref(),
                Some(&at.hash),
                "seed {seed}: a lost block was kept"
            );
        }
        seen.len()
    }
}

/// Else a customer's payment would be missed, taken twice, or kept after a fork took it away.
#[test]
fn whatever_the_network_does_the_transfers_are_those_of_its_best_chain() {
    let mut transfers = 0;
    for seed in 0..SEEDS {
        let mut play = Play::new(seed);
        for _ in 0..ACTIONS {
            play.act();
        }
        transfers += play.check(seed);
    }
    assert!(transfers > 1_000, "only {transfers} transfers in {SEEDS} plays");
}

/// A fork deeper than the part of the chain that the follower is told of must be undone window by window.
#[test]
fn a_fork_deeper_than_the_known_window_is_undone_step_by_step() {
    let network = SimNetwork::new(1, CHAIN_ID, NOW);
    network.mine(NOW, 40);
    let mut book = Book::new(CHAIN_ID, 0);
    book.window = 7;
    book.follow(&mut network.reader()).unwrap();
    network.fork(NOW, 33).unwrap();
    assert_eq!(book.follow(&mut network.reader()), Ok(33));
    assert_eq!(book.height(), Some(41));
    network.fork(NOW, 41).unwrap();
    assert_eq!(book.follow(&mut network.reader()), Ok(41));
    assert_eq!(book.chain.len(), 43);
}
