//! Fixtures, fake clock, real nodes started and stopped.
// Test support: what fails here must fail the test, loudly.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

pub mod http_stub;
pub mod node;
pub mod port;
pub mod postgres;
pub mod proxy;
pub mod sandbox_keys;
pub mod temp;
