//! A first sale, from the window to the disk.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod in_the_window;
mod planted;
mod scene;
mod signing_out;
mod silence;
mod without_window;
