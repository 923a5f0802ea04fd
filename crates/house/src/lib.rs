//! What the house's rules are looked up in: the graph of packages, Rust sources without their comments and tests, and the
//! files of the repository. The rules themselves are in `tests/house`; nothing here is part of a program.
// Test support: what fails here must fail the test, loudly.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

pub mod features;
pub mod files;
pub mod graph;
pub mod rust;
