//! Reading networks: blocks and transfers in, nothing out; the simulated network.
