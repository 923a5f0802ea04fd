//! Networks, assets, and the eight methods: one exact asset on one exact network (product section 5).

/// Where a record or a build belongs. An address of one environment is never valid in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Real networks, real money.
    Production,
    /// Simulated networks and made-up prices.
    Sandbox,
    /// Real node programs on private test chains.
    Regtest,
}

impl Environment {
    /// Every environment.
    pub const ALL: [Environment; 3] = [Environment::Production, Environment::Sandbox, Environment::Regtest];

    /// The name used on the wire, in files and in signed records.
    pub const fn code(self) -> &'static str {
        match self {
            Environment::Production => "production",
            Environment::Sandbox => "sandbox",
            Environment::Regtest => "regtest",
        }
    }

    /// The environment of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|environment| environment.code() == code)
    }
}

/// A network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Network {
    /// Bitcoin.
    Bitcoin,
    /// Ethereum.
    Ethereum,
    /// Tron.
    Tron,
    /// Solana.
    Solana,
    /// Litecoin.
    Litecoin,
}

impl Network {
    /// Every network.
    pub const ALL: [Network; 5] =
        [Network::Bitcoin, Network::Ethereum, Network::Tron, Network::Solana, Network::Litecoin];

    /// The name used on the wire, in files, in signed records and in ledger accounts.
    pub const fn code(self) -> &'static str {
        match self {
            Network::Bitcoin => "bitcoin",
            Network::Ethereum => "ethereum",
            Network::Tron => "tron",
            Network::Solana => "solana",
            Network::Litecoin => "litecoin",
        }
    }

    /// The network of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|network| network.code() == code)
    }
}

/// An asset. Which network it moves on is said by [`Method`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asset {
    /// Bitcoin's coin.
    Btc,
    /// Ethereum's coin.
    Eth,
    /// Tether's dollar token.
    Usdt,
    /// Circle's dollar token.
    Usdc,
    /// Tron's coin.
    Trx,
    /// Solana's coin.
    Sol,
    /// Litecoin's coin.
    Ltc,
}

impl Asset {
    /// The lower-case code used on the wire and in ledger accounts.
    pub const fn code(self) -> &'static str {
        match self {
            Asset::Btc => "btc",
            Asset::Eth => "eth",
            Asset::Usdt => "usdt",
            Asset::Usdc => "usdc",
            Asset::Trx => "trx",
            Asset::Sol => "sol",
            Asset::Ltc => "ltc",
        }
    }
}

/// One exact asset on one exact network. There are eight, and none stands in for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// BTC on Bitcoin.
    BtcBitcoin,
    /// ETH on Ethereum.
    EthEthereum,
    /// USDT on Ethereum.
    UsdtEthereum,
    /// USDC on Ethereum.
    UsdcEthereum,
    /// TRX on Tron.
    TrxTron,
    /// USDT on Tron.
    UsdtTron,
    /// SOL on Solana.
    SolSolana,
    /// LTC on Litecoin.
    LtcLitecoin,
}

impl Method {
    /// The eight methods, in the order of the product's table.
    pub const ALL: [Method; 8] = [
        Method::BtcBitcoin,
        Method::EthEthereum,
        Method::UsdtEthereum,
        Method::UsdcEthereum,
        Method::TrxTron,
        Method::UsdtTron,
        Method::SolSolana,
        Method::LtcLitecoin,
    ];

    /// The network.
    pub const fn network(self) -> Network {
        match self {
            Method::BtcBitcoin => Network::Bitcoin,
            Method::EthEthereum | Method::UsdtEthereum | Method::UsdcEthereum => Network::Ethereum,
            Method::TrxTron | Method::UsdtTron => Network::Tron,
            Method::SolSolana => Network::Solana,
            Method::LtcLitecoin => Network::Litecoin,
        }
    }

    /// The asset.
    pub const fn asset(self) -> Asset {
        match self {
            Method::BtcBitcoin => Asset::Btc,
            Method::EthEthereum => Asset::Eth,
            Method::UsdtEthereum | Method::UsdtTron => Asset::Usdt,
            Method::UsdcEthereum => Asset::Usdc,
            Method::TrxTron => Asset::Trx,
            Method::SolSolana => Asset::Sol,
            Method::LtcLitecoin => Asset::Ltc,
        }
    }

    /// Decimal places of the asset on this network: base units per coin are 10 to this power (product section 5).
    pub const fn decimals(self) -> u32 {
        match self {
            Method::BtcBitcoin | Method::LtcLitecoin => 8,
            Method::EthEthereum => 18,
            Method::SolSolana => 9,
            Method::UsdtEthereum | Method::UsdcEthereum | Method::TrxTron | Method::UsdtTron => 6,
        }
    }

    /// Decimal places of a quoted amount, which is rounded up to them (product section 5).
    pub const fn quoted_digits(self) -> u32 {
        match self {
            Method::BtcBitcoin => 8,
            Method::EthEthereum | Method::SolSolana | Method::LtcLitecoin => 6,
            Method::UsdtEthereum | Method::UsdcEthereum | Method::TrxTron | Method::UsdtTron => 2,
        }
    }

    /// The name used on the wire and in files: network, then asset.
    pub const fn code(self) -> &'static str {
        match self {
            Method::BtcBitcoin => "bitcoin:btc",
            Method::EthEthereum => "ethereum:eth",
            Method::UsdtEthereum => "ethereum:usdt",
            Method::UsdcEthereum => "ethereum:usdc",
            Method::TrxTron => "tron:trx",
            Method::UsdtTron => "tron:usdt",
            Method::SolSolana => "solana:sol",
            Method::LtcLitecoin => "litecoin:ltc",
        }
    }

    /// The method of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.code() == code)
    }

    /// The one unbreakable name people read, asset then network.
    pub const fn label(self) -> &'static str {
        match self {
            Method::BtcBitcoin => "BTC-Bitcoin",
            Method::EthEthereum => "ETH-Ethereum",
            Method::UsdtEthereum => "USDT-Ethereum",
            Method::UsdcEthereum => "USDC-Ethereum",
            Method::TrxTron => "TRX-Tron",
            Method::UsdtTron => "USDT-Tron",
            Method::SolSolana => "SOL-Solana",
            Method::LtcLitecoin => "LTC-Litecoin",
        }
    }
}
