//! A watcher as small as it can be: it keeps what the follower says, and complains when that doesn't fit together.

use std::collections::BTreeMap;
use std::process::Command;

use chains::{BlockRef, ChainError, ChainReader, ChainTransfer, Follower, Step, WatchSet};
use domain::BaseUnits;

/// What became of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A block was put on top.
    Extended,
    /// So many blocks were undone.
    Undone(usize),
    /// Nothing to do.
    AtTip,
}

/// The chain as far as it was followed, with its transfers.
#[derive(Clone, Debug)]
pub struct Book {
    pub follower: Follower,
    pub watch: WatchSet,
    pub chain: Vec<(BlockRef, Vec<ChainTransfer>)>,
    /// How many blocks the follower is told of.
    pub window: usize,
}

impl Book {
    pub fn new(chain_id: &str, start_height: u64) -> Self {
        let follower = Follower { chain_id: chain_id.to_owned(), start_height };
        Self { follower, watch: WatchSet::new(), chain: Vec::new(), window: 100 }
    }

    /// One step, applied.
    pub fn step(&mut self, reader: &mut dyn ChainReader) -> Result<Outcome, ChainError> {
        let window = self.chain.len().saturating_sub(self.window);
        let recent: Vec<BlockRef> = self.chain[window..].iter().map(|(at, _)| at.clone()).collect();
        match self.follower.next_step(reader, &self.watch, &recent)? {
            Step::Extend(block) => {
                match recent.last() {
                    Some(newest) => {
                        assert_eq!(block.parent_hash, newest.hash, "a block that doesn't stand on ours");
                        assert_eq!(block.at.height, newest.height + 1, "a gap in the heights");
                    }
                    None => assert_eq!(block.at.height, self.follower.start_height),
                }
                self.chain.push((block.at, block.transfers));
                Ok(Outcome::Extended)
            }
            Step::Undo { back_to, lost } => {
                assert!(!lost.is_empty(), "an undoing of nothing never ends");
                for block in &lost {
                    let (newest, _) = self.chain.pop().expect("only what we had can be lost");
                    assert_eq!(&newest, block, "lost blocks come newest first");
                }
                if let Some(back_to) = back_to {
                    assert_eq!(self.chain.last().map(|(at, _)| at), Some(&back_to));
                }
                Ok(Outcome::Undone(lost.len()))
            }
            Step::AtTip(tip) => {
                assert_eq!(self.chain.last().map(|(at, _)| at), Some(&tip));
                Ok(Outcome::AtTip)
            }
        }
    }

    /// Steps until nothing is left to do; answers how many blocks were undone on the way.
    pub fn follow(&mut self, reader: &mut dyn ChainReader) -> Result<usize, ChainError> {
        let mut undone = 0;
        for _ in 0..100_000 {
            match self.step(reader)? {
                Outcome::Extended => {}
                Outcome::Undone(blocks) => undone += blocks,
                Outcome::AtTip => return Ok(undone),
            }
        }
        panic!("the follower never came to the tip");
    }

    pub fn height(&self) -> Option<u64> {
        self.chain.last().map(|(at, _)| at.height)
    }

    /// All transfers with their blocks, oldest first.
    pub fn transfers(&self) -> Vec<(&BlockRef, &ChainTransfer)> {
        self.chain.iter().flat_map(|(at, transfers)| transfers.iter().map(move |transfer| (at, transfer))).collect()
    }

    /// The sum that each address received.
    pub fn received(&self) -> BTreeMap<String, BaseUnits> {
        let mut sums = BTreeMap::new();
        for (_, transfer) in self.transfers() {
            let sum: &mut BaseUnits = sums.entry(transfer.address.clone()).or_default();
            *sum = sum.checked_add(transfer.amount).expect("a sum in range");
        }
        sums
    }
}

/// A native segwit address that nobody can spend from, and its script in hex.
pub fn address(prefix: &str, number: u64) -> (String, String) {
    let mut program = [0u8; 20];
    program[..8].copy_from_slice(&number.to_be_bytes());
    program[19] = 1;
    let prefix = bech32::Hrp::parse(prefix).expect("a prefix");
    let address = bech32::segwit::encode_v0(prefix, &program).expect("an address");
    (address, format!("0014{}", hex::encode(program)))
}

/// Runs one test of this binary with a fault switched on; answers whether it passed, and what it said.
pub fn run_with(fault: &str, test: &str) -> (bool, String) {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.args([test, "--exact", "--nocapture"]).env("KERNODECK_FAULTS", fault);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}
