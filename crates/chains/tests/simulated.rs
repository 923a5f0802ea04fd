//! The follower on the simulated network, and the simulated network's own rules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that stops is a test that fails")]

extern crate kernodeck_chains as chains;

#[path = "support/mod.rs"]
mod support;

#[path = "simulated/forks.rs"]
mod forks;
#[path = "simulated/planted.rs"]
mod planted;
#[path = "simulated/refusals.rs"]
mod refusals;
#[path = "simulated/rules.rs"]
mod rules;

use domain::{BaseUnits, Timestamp};

const CHAIN_ID: &str = "kernodeck-sandbox-litecoin";
const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

fn coins(text: &str) -> BaseUnits {
    BaseUnits::parse_coins(text, 8).expect("an amount")
}
