//! What stands between a customer and a wrong address, shown from outside the crate.

extern crate kernodeck_manifest as manifest;

mod binding;
mod example;
mod files;
mod refusals;
mod support;
mod tampering;
#[cfg(feature = "test-networks")]
mod test_networks;
