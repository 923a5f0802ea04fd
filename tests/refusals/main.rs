//! Every refusal in the real window: its own words and no address, in the very harness that sees the address of a good one.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod instructions;
mod passwords;
mod planted;
mod records;
