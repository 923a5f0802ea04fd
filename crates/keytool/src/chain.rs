//! The chains that addresses can be derived for, by the names used on the command line.

use clap::ValueEnum;
use domain::{Environment, Network};

/// A network together with its environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Chain {
    /// Litecoin, real money.
    Litecoin,
    /// Litecoin, a private test chain.
    LitecoinRegtest,
    /// Litecoin, simulated.
    LitecoinSandbox,
    /// Bitcoin, real money.
    Bitcoin,
    /// Bitcoin, a private test chain.
    BitcoinRegtest,
    /// Bitcoin, simulated.
    BitcoinSandbox,
}

impl Chain {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Chain::Litecoin => "litecoin",
            Chain::LitecoinRegtest => "litecoin-regtest",
            Chain::LitecoinSandbox => "litecoin-sandbox",
            Chain::Bitcoin => "bitcoin",
            Chain::BitcoinRegtest => "bitcoin-regtest",
            Chain::BitcoinSandbox => "bitcoin-sandbox",
        }
    }

    /// The network.
    pub const fn network(self) -> Network {
        match self {
            Chain::Litecoin | Chain::LitecoinRegtest | Chain::LitecoinSandbox => Network::Litecoin,
            Chain::Bitcoin | Chain::BitcoinRegtest | Chain::BitcoinSandbox => Network::Bitcoin,
        }
    }

    /// The environment.
    pub const fn environment(self) -> Environment {
        match self {
            Chain::Litecoin | Chain::Bitcoin => Environment::Production,
            Chain::LitecoinRegtest | Chain::BitcoinRegtest => Environment::Regtest,
            Chain::LitecoinSandbox | Chain::BitcoinSandbox => Environment::Sandbox,
        }
    }

    /// Coin type of BIP-44's path (SLIP-44): 0 Bitcoin, 2 Litecoin, 1 every test network.
    pub const fn coin_type(self) -> u32 {
        match self {
            Chain::Bitcoin => 0,
            Chain::Litecoin => 2,
            _ => 1,
        }
    }

    /// Whether keys of the main networks (xpub, zpub) are asked for; test networks have their own (tpub, vpub).
    pub const fn is_main(self) -> bool {
        matches!(self.environment(), Environment::Production)
    }
}
