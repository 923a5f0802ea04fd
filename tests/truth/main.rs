//! What the server says stays true when it is killed, when the chain changes its mind, when several servers say it, and after a restore.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod backups;
mod halves;
mod kills;
mod planted;
mod reorganisations;
mod two_servers;
