//! Fixtures, fake clock, real nodes started and stopped.

pub mod http_stub;
