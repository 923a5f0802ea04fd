//! The desktop without a window, against a server that keeps real state.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that stops is a test that fails")]

extern crate kernodeck_client as client;

mod cut_lines;
mod entering;
mod keyring;
mod leaving;
mod renewing;
mod sale;
mod stale;
mod staying_fresh;
mod support;
