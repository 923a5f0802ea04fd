//! The money rules on a ledger in memory: the worked examples, odd cases, and properties over random histories.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that stops is a test that fails")]

extern crate kernodeck_domain as domain;

mod ledger;
mod odd;
mod properties;
mod rows;
mod world;
