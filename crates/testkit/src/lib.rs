//! Fixtures, fake clock, real nodes started and stopped.

pub mod http_stub;
pub mod sandbox_keys;
pub mod node;
pub mod port;
pub mod proxy;
pub mod temp;
pub mod postgres;
