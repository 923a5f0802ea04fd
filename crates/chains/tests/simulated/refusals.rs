//! Nodes that must not be followed.

use chains::{Block, BlockRef, ChainError, ChainIdentity, ChainReader, MempoolView, SimNetwork, SimReader, WatchSet};
use domain::Network;

use crate::support::{Book, Outcome};
use crate::{CHAIN_ID, NOW};

/// Counts the questions that read anything of the chain, and fails the block at one height.
struct Spy {
    reader: SimReader,
    questions: usize,
    failing_height: Option<u64>,
    /// Hashes above this height are not shown, as in the middle of a reorganisation.
    shown_height: u64,
}

impl Spy {
    fn on(network: &SimNetwork) -> Self {
        Self { reader: network.reader(), questions: 0, failing_height: None, shown_height: u64::MAX }
    }
}

impl ChainReader for Spy {
    fn network(&self) -> Network {
        self.reader.network()
    }

    fn identity(&mut self) -> Result<ChainIdentity, ChainError> {
        self.reader.identity()
    }

    fn tip(&mut self) -> Result<BlockRef, ChainError> {
        self.questions += 1;
        self.reader.tip()
    }

    fn hash_at(&mut self, height: u64) -> Result<Option<String>, ChainError> {
        self.questions += 1;
        if height > self.shown_height { Ok(None) } else { self.reader.hash_at(height) }
    }

    fn block_at(&mut self, height: u64, watch: &WatchSet) -> Result<Option<Block>, ChainError> {
        self.questions += 1;
        if self.failing_height == Some(height) {
            return Err(ChainError::BadAnswer { call: "getblock", what: "a poisoned block".into() });
        }
        self.reader.block_at(height, watch)
    }

    fn mempool(&mut self, watch: &WatchSet) -> Result<MempoolView, ChainError> {
        self.questions += 1;
        self.reader.mempool(watch)
    }
}

#[test]
fn a_node_of_another_network_is_refused_before_anything_is_read() {
    let network = SimNetwork::new(1, "another-chain", NOW);
    network.mine(NOW, 5);
    let mut spy = Spy::on(&network);
    let refused = Book::new(CHAIN_ID, 0).follow(&mut spy);
    assert_eq!(refused, Err(ChainError::WrongChain { expected: CHAIN_ID.into(), got: "another-chain".into() }));
    assert_eq!(spy.questions, 0);
    Book::new("another-chain", 0).follow(&mut spy).unwrap();
    assert!(spy.questions > 0, "the same spy counts what is read of the right one");
}

/// Passing over it would lose whatever it pays.
#[test]
fn a_block_that_fails_is_never_passed() {
    let network = SimNetwork::new(1, CHAIN_ID, NOW);
    network.mine(NOW, 9);
    let mut spy = Spy::on(&network);
    spy.failing_height = Some(6);
    let mut book = Book::new(CHAIN_ID, 0);
    for _ in 0..5 {
        assert!(matches!(book.follow(&mut spy), Err(ChainError::BadAnswer { .. })));
        assert_eq!(book.height(), Some(5));
    }
    spy.failing_height = None;
    book.follow(&mut spy).unwrap();
    assert_eq!(book.height(), Some(9));
}

/// Taking lag for a fork would undo payments that nobody took back.
#[test]
fn a_node_that_lags_is_no_fork() {
    let network = SimNetwork::new(1, CHAIN_ID, NOW);
    network.mine(NOW, 4);
    let lagging = SimNetwork::restore(&network.snapshot().unwrap()).unwrap();
    network.mine(NOW, 6);
    let mut book = Book::new(CHAIN_ID, 0);
    book.follow(&mut network.reader()).unwrap();
    let behind = ChainError::NodeBehind { node_height: 4, our_height: 10 };
    assert_eq!(book.step(&mut lagging.reader()), Err(behind.clone()));
    // Even when the follower is told of a few blocks only.
    book.window = 2;
    assert_eq!(book.step(&mut lagging.reader()), Err(behind));
    assert_eq!(book.height(), Some(10));
    // One that stands lower on another branch does contradict us.
    book.window = 100;
    lagging.fork(NOW, 2).unwrap();
    assert_eq!(book.step(&mut lagging.reader()), Ok(Outcome::Undone(8)));
}

/// A node in the middle of a reorganisation shows a shorter chain for a moment. Only another block proves that ours is lost.
#[test]
fn a_missing_block_is_no_other_block() {
    let network = SimNetwork::new(1, CHAIN_ID, NOW);
    network.mine(NOW, 10);
    let mut book = Book::new(CHAIN_ID, 0);
    let mut spy = Spy::on(&network);
    book.follow(&mut spy).unwrap();
    network.fork(NOW, 2).unwrap();
    spy.shown_height = 8;
    assert_eq!(book.step(&mut spy), Err(ChainError::Moved));
    assert_eq!(book.height(), Some(10));
    spy.shown_height = 9;
    assert_eq!(book.step(&mut spy), Ok(Outcome::Undone(2)));
}

#[test]
fn following_waits_for_a_node_that_has_not_come_to_the_first_block() {
    let network = SimNetwork::new(1, CHAIN_ID, NOW);
    let mut book = Book::new(CHAIN_ID, 3);
    let early = book.step(&mut network.reader());
    assert_eq!(early, Err(ChainError::NodeBehind { node_height: 0, our_height: 3 }));
    network.mine(NOW, 3);
    book.follow(&mut network.reader()).unwrap();
    assert_eq!(book.chain.len(), 1);
}
