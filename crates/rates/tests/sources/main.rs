//! The sources against a local HTTP server that answers as documented, wrongly, slowly, hugely or by halves.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod answers;
mod documented;
mod faults;
mod harness;
mod properties;
mod verdicts;
