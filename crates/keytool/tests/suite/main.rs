//! The program as the operator meets it: every test runs the binary.
#![allow(clippy::unwrap_used, reason = "a test's helpers fail the test")]

mod derivation;
mod refused_keys;
mod signing;
mod support;
mod tree;
