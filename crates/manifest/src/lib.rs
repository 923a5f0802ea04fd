//! Signed address files: format, derivation, signing, checking.
