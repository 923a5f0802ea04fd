//! What the whole-product tests share: the real programs started and stopped, a window driven as a person would, and the
//! independent programs by which what it shows is read.
// Test support: what fails here must fail the test, loudly.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

pub mod addresses;
pub mod bus;
pub mod desktop;
pub mod folder;
pub mod operator;
pub mod planted;
pub mod prices;
pub mod process;
pub mod programs;
pub mod reds;
pub mod rewriting;
pub mod screen;
pub mod server;
pub mod totp;
pub mod wait;
pub mod walk;
pub mod walk_without_window;
pub mod wallet;
pub mod window;
