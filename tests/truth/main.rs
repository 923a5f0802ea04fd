//! What the server says stays true when it is killed and when the chain changes its mind.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod kills;
mod reorganisations;
