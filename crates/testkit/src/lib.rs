//! Fixtures, fake clock, real nodes started and stopped.
