//! The reader and the follower on a real Litecoin node.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that stops is a test that fails")]

extern crate kernodeck_chains as chains;

#[path = "support/mod.rs"]
mod support;

#[path = "real_litecoin/broken_answers.rs"]
mod broken_answers;
#[path = "real_litecoin/in_step.rs"]
mod in_step;
#[path = "real_litecoin/mempool.rs"]
mod mempool;
#[path = "real_litecoin/mweb.rs"]
mod mweb;
#[path = "real_litecoin/planted.rs"]
mod planted;
#[path = "real_litecoin/refusals.rs"]
mod refusals;
#[path = "real_litecoin/reorganisation.rs"]
mod reorganisation;
#[path = "real_litecoin/scene.rs"]
mod scene;
#[path = "real_litecoin/volume.rs"]
mod volume;
