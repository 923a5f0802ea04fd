//! A source as configured: which exchange, and at which address.

use reqwest::Url;

use crate::error::SetupError;
use crate::exchange::{self, Exchange, Pair};

/// A price source: an exchange and the address where it is asked.
#[derive(Clone)]
pub struct Source {
    pub(crate) exchange: &'static Exchange,
    base_url: String,
}

impl Source {
    /// Every known source at its public address.
    pub fn all() -> Vec<Self> {
        exchange::ALL.into_iter().map(Self::public).collect()
    }

    /// The source of that name at its public address.
    ///
    /// # Errors
    /// [`SetupError::UnknownSource`].
    pub fn named(name: &str) -> Result<Self, SetupError> {
        let exchange = exchange::ALL.into_iter().find(|exchange| exchange.name == name);
        exchange.map(Self::public).ok_or_else(|| SetupError::UnknownSource(name.to_owned()))
    }

    /// The same source at another address, such as a relay's or a test server's.
    ///
    /// # Errors
    /// [`SetupError::BadBaseUrl`] unless the address is `https`, or `http` on this very machine.
    pub fn at(self, base_url: &str) -> Result<Self, SetupError> {
        if !is_trustworthy(base_url) {
            return Err(SetupError::BadBaseUrl(base_url.to_owned()));
        }
        Ok(Self { exchange: self.exchange, base_url: base_url.trim_end_matches('/').to_owned() })
    }

    /// The name in configuration, in quotes and in alarms.
    pub fn name(&self) -> &'static str {
        self.exchange.name
    }

    /// The markets that are read.
    pub fn pairs(&self) -> &'static [Pair] {
        self.exchange.pairs
    }

    /// The full address for these pairs.
    pub(crate) fn url(&self, pairs: &[Pair]) -> String {
        format!("{}{}", self.base_url, self.exchange.path(pairs))
    }

    fn public(exchange: &'static Exchange) -> Self {
        Self { exchange, base_url: exchange.base_url.to_owned() }
    }
}

fn is_trustworthy(base_url: &str) -> bool {
    let Ok(url) = Url::parse(base_url) else { return false };
    let loopback = matches!(url.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
    let plain = url.query().is_none() && url.fragment().is_none() && url.host_str().is_some();
    plain && (url.scheme() == "https" || (url.scheme() == "http" && loopback))
}

#[cfg(test)]
mod tests {
    use domain::Asset;

    use super::*;
    use domain::quote::PriceUnit;

    /// With fewer, no quote could be given for the asset, whatever the markets do (product P3).
    #[test]
    fn every_asset_is_listed_by_four_sources_or_more() {
        for asset in [Asset::Btc, Asset::Eth, Asset::Ltc, Asset::Sol, Asset::Trx, Asset::Usdt, Asset::Usdc] {
            let lists = |source: &Source| source.pairs().iter().filter(|pair| pair.asset == asset).count();
            let counts: Vec<usize> = Source::all().iter().map(lists).collect();
            assert!(counts.iter().all(|count| *count <= 1), "{asset:?} would count twice in one source");
            assert!(counts.iter().sum::<usize>() >= 4, "{asset:?}");
        }
    }

    /// USDT's own price converts the others: were it read in USDT, it would be 1 by definition.
    #[test]
    fn usdt_is_never_priced_in_itself() {
        let pairs: Vec<Pair> = Source::all().iter().flat_map(|source| source.pairs().to_vec()).collect();
        assert!(pairs.iter().any(|pair| pair.unit == PriceUnit::Usdt));
        assert!(!pairs.iter().any(|pair| pair.asset == Asset::Usdt && pair.unit == PriceUnit::Usdt));
    }

    #[test]
    fn a_price_never_travels_unprotected() {
        let kraken = || Source::named("kraken").unwrap();
        for good in ["https://relay.example/kraken/", "http://127.0.0.1:8080", "http://[::1]:1"] {
            assert!(kraken().at(good).is_ok(), "{good}");
        }
        for bad in ["http://relay.example", "http://127.0.0.1.example", "ftp://127.0.0.1", "relay.example", ""] {
            assert!(matches!(kraken().at(bad), Err(SetupError::BadBaseUrl(_))), "{bad}");
        }
        assert!(matches!(Source::named("bittrex"), Err(SetupError::UnknownSource(_))));
    }
}
