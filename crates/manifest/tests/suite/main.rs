//! What stands between a customer and a wrong address, shown from outside the crate.
#![allow(clippy::unwrap_used, reason = "a test's helpers fail the test")]

extern crate kernodeck_manifest as manifest;

mod binding;
mod example;
mod files;
mod refusals;
mod support;
mod tampering;
#[cfg(feature = "test-networks")]
mod test_networks;
