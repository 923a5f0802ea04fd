//! The file as it is written. Values that are checked further carry their place.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// The whole file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct File {
    pub environment: Spanned<String>,
    pub listen: Spanned<String>,
    pub public_base: String,
    pub forwarded_hops: usize,
    pub sealing_key_file: String,
    pub database: Database,
    pub log: Log,
    pub litecoin: Litecoin,
    pub methods: Vec<Spanned<String>>,
    pub prices: Prices,
    pub limits: Limits,
    pub confirmations: BTreeMap<Spanned<String>, Spanned<Vec<Tier>>>,
    pub sign_in: SignIn,
    pub retention_days: RetentionDays,
    pub addresses: Addresses,
    pub alarms: Alarms,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Database {
    pub sqlite: String,
    pub postgres: Option<Spanned<String>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Log {
    pub json: bool,
    pub filter: Spanned<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Litecoin {
    pub url: Spanned<String>,
    pub user: String,
    pub password_file: Option<Spanned<String>>,
    pub password_env: Option<Spanned<String>>,
    pub timeout_seconds: Spanned<u64>,
    pub start_height: u64,
    pub poll_milliseconds: Spanned<u64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Prices {
    pub sources: Spanned<Vec<Spanned<String>>>,
    pub at: BTreeMap<String, Spanned<String>>,
    pub made_up: Spanned<bool>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Limits {
    pub open_payments_per_account: u32,
    pub open_payments_per_network: u32,
    pub pool_reserve_percent: Spanned<u32>,
    pub unpaid_holds_before_first_payment: u32,
    pub several_holds_percent: Spanned<u32>,
    pub node_silent_seconds: u32,
    pub node_lag_seconds: u32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tier {
    pub below_usd: Option<Spanned<String>>,
    pub blocks: u32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SignIn {
    pub renew_after_hours: Spanned<u32>,
    pub replaced_grace_seconds: Spanned<u32>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RetentionDays {
    pub session: Spanned<u32>,
    pub ended_session: Spanned<u32>,
    pub idle_account: Spanned<u32>,
    pub command_result: Spanned<u32>,
    pub network: Spanned<u32>,
    pub recorded_rate: Spanned<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Addresses {
    pub current_key: Option<Spanned<String>>,
    pub next_key: Option<Spanned<String>>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Alarms {
    pub post_to: Option<Spanned<String>>,
}

fn text(value: &str) -> Spanned<String> {
    Spanned::new(0..0, value.to_owned())
}

fn placed<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

impl Default for File {
    fn default() -> Self {
        let below = |usd: &str, blocks| Tier { below_usd: Some(text(usd)), blocks };
        let litecoin = vec![below("1000", 6), Tier { below_usd: None, blocks: 12 }];
        Self {
            environment: text("production"),
            listen: text("127.0.0.1:8420"),
            public_base: "http://127.0.0.1:8420".to_owned(),
            forwarded_hops: 0,
            sealing_key_file: "sealing.key".to_owned(),
            database: Database::default(),
            log: Log::default(),
            litecoin: Litecoin::default(),
            methods: vec![text("litecoin:ltc")],
            prices: Prices::default(),
            limits: Limits::default(),
            confirmations: BTreeMap::from([(text("litecoin"), placed(litecoin))]),
            sign_in: SignIn::default(),
            retention_days: RetentionDays::default(),
            addresses: Addresses::default(),
            alarms: Alarms::default(),
        }
    }
}

impl Default for SignIn {
    fn default() -> Self {
        Self { renew_after_hours: placed(24), replaced_grace_seconds: placed(120) }
    }
}

impl Default for RetentionDays {
    fn default() -> Self {
        Self {
            session: placed(30),
            ended_session: placed(30),
            idle_account: placed(30),
            command_result: placed(30),
            network: placed(30),
            recorded_rate: placed(400),
        }
    }
}

impl Default for Database {
    fn default() -> Self {
        Self { sqlite: "kernodeck.db".to_owned(), postgres: None }
    }
}

impl Default for Log {
    fn default() -> Self {
        Self { json: false, filter: text("info") }
    }
}

impl Default for Litecoin {
    fn default() -> Self {
        Self {
            url: text("http://127.0.0.1:9332"),
            user: "kernodeck".to_owned(),
            password_file: Some(text("litecoin.password")),
            password_env: None,
            timeout_seconds: placed(30),
            start_height: 0,
            poll_milliseconds: placed(1_000),
        }
    }
}

impl Default for Prices {
    fn default() -> Self {
        let names = ["kraken", "coinbase", "bitstamp", "bitfinex", "gemini", "okx", "binance"];
        let sources = placed(names.into_iter().map(text).collect());
        Self { sources, at: BTreeMap::new(), made_up: placed(false) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            open_payments_per_account: 3,
            open_payments_per_network: 30,
            pool_reserve_percent: placed(20),
            unpaid_holds_before_first_payment: 1,
            several_holds_percent: placed(50),
            node_silent_seconds: 60,
            node_lag_seconds: 300,
        }
    }
}
