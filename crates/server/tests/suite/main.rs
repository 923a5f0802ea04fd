//! The running server, asked over HTTP.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

extern crate kernodeck_server as server;

mod accounts;
mod engines;
mod events;
mod faults;
mod life;
mod matrix;
mod program;
mod routes;
mod sale;
mod sign_ins;
mod support;
