//! Price sources, each with its timeouts.
