//! The published test keys: the private halves of the two keys that a sandbox build trusts. They protect nothing.

/// Seed of the key in use.
pub const CURRENT_SEED: &[u8; 32] = b"Kernodeck sandbox signing key #1";
/// Seed of the key that may replace it.
pub const NEXT_SEED: &[u8; 32] = b"Kernodeck sandbox signing key #2";
