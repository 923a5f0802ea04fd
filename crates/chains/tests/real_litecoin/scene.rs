//! A node, a reader of it, and a watcher.

use std::time::{Duration, Instant};

use chains::{BitcoinFamilyReader, ChainReader, MempoolTransfer, NodeConfig};
use domain::{BaseUnits, Environment};
use testkit::node::{Litecoind, LitecoindOptions, NodeRpc};

use crate::support::{Book, address};

pub struct Scene {
    pub node: Litecoind,
    pub reader: BitcoinFamilyReader,
    pub book: Book,
}

impl Scene {
    /// A node with coins to spend, followed from its first block.
    pub fn new() -> Self {
        Self::with_options(LitecoindOptions::default())
    }

    pub fn with_options(options: LitecoindOptions) -> Self {
        let node = Litecoind::start_empty(options).unwrap();
        node.mine(101).unwrap();
        let reader = reader_of(&node);
        let book = Book::new(&node.hash_at(0).unwrap(), 0);
        Self { node, reader, book }
    }

    /// Issues an address that the node's wallet doesn't own. Its script is the node's own word.
    pub fn issue(&mut self, number: u64) -> String {
        let (address, script) = address("rltc", number);
        assert_eq!(self.node.script_of(&address).unwrap(), script);
        self.book.watch.insert(&script, &address).unwrap();
        address
    }

    pub fn follow(&mut self) -> usize {
        self.book.follow(&mut self.reader).unwrap()
    }

    /// A complete view. A node that was just started is given a moment to load what it kept.
    pub fn sightings(&mut self) -> Vec<MempoolTransfer> {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let view = self.reader.mempool(&self.book.watch).unwrap();
            assert_eq!(view.tip.hash, self.node.hash_at(view.tip.height).unwrap());
            if view.complete {
                return view.transfers;
            }
            assert!(Instant::now() < deadline, "the node never loads its mempool");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

pub fn config(rpc: &NodeRpc) -> NodeConfig {
    NodeConfig {
        url: rpc.url.clone(),
        user: rpc.user.clone(),
        password: rpc.password.clone(),
        timeout: Duration::from_secs(20),
        environment: Environment::Regtest,
    }
}

pub fn reader_of(node: &Litecoind) -> BitcoinFamilyReader {
    BitcoinFamilyReader::litecoin(&config(&node.rpc)).unwrap()
}

pub fn coins(text: &str) -> BaseUnits {
    BaseUnits::parse_coins(text, 8).unwrap()
}
