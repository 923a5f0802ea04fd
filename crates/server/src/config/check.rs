//! What the values mean together.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use backend::accounts::SignIns;
use backend::policy::{self, BUILT};
use backend::retention::Retention;
use chains::NodeConfig;
use domain::confirmations::{ConfirmationPolicy, Required, Tier};
use domain::order::HoldLimits;
use domain::quote::MIN_CONFIGURED_SOURCES;
use domain::time::{HOUR_MICROS, SECOND_MICROS};
use domain::{Cents, Environment, Method, Network};
use manifest::{PublicKey, TrustedKeys};
use rates::Source;
use store::Settings;
use toml::Spanned;

use super::file::{self, File};
use super::{Config, Node, Problem};
use crate::jobs::AlarmTarget;

/// The line, from 1, of a place in the text.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// Collects what is wrong.
struct Check<'a> {
    text: &'a str,
    folder: &'a Path,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn wrong<T>(&mut self, at: &Spanned<T>, what: impl Into<String>) {
        let line = Some(line_of(self.text, at.span().start));
        self.problems.push(Problem { line, what: what.into() });
    }

    fn missing(&mut self, what: impl Into<String>) {
        self.problems.push(Problem { line: None, what: what.into() });
    }

    /// The value, or a problem at its place.
    fn good<T, V>(&mut self, at: &Spanned<V>, read: Result<T, impl std::fmt::Display>) -> Option<T> {
        read.map_err(|error| self.wrong(at, error.to_string())).ok()
    }
}

/// Everything, or all that is wrong.
pub(super) fn checked(raw: File, text: &str, folder: &Path) -> Result<Config, Vec<Problem>> {
    let mut check = Check { text, folder, problems: Vec::new() };
    let environment = check.environment(&raw.environment);
    let listen = check.good(&raw.listen, raw.listen.get_ref().parse().map_err(|_| "not an address with a port"));
    let node = check.node(&raw.litecoin, environment.unwrap_or(Environment::Production));
    let methods = check.methods(&raw.methods);
    let prices = check.prices(&raw.prices, environment);
    let limits = check.limits(&raw);
    let confirmations = check.confirmations(&raw.confirmations);
    let trusted_keys = check.keys(&raw.addresses);
    let alarms = check.alarms(&raw);
    let log_filter = raw.log.filter.get_ref().clone();
    let filter = tracing_subscriber::EnvFilter::try_new(&log_filter);
    check.good(&raw.log.filter, filter);
    let (Some(environment), Some(listen), Some(litecoin), true) =
        (environment, listen, node, check.problems.is_empty())
    else {
        return Err(check.problems);
    };
    Ok(Config {
        environment,
        listen,
        forwarded_hops: raw.forwarded_hops,
        sealing_key_file: folder.join(raw.sealing_key_file),
        database: match raw.database.postgres {
            Some(url) => Settings::Postgres { url: url.into_inner() },
            None => Settings::Sqlite { path: folder.join(raw.database.sqlite) },
        },
        litecoin,
        methods,
        prices,
        limits,
        confirmations,
        trusted_keys,
        alarms,
        log_json: raw.log.json,
        log_filter,
    })
}

impl Check<'_> {
    fn environment(&mut self, code: &Spanned<String>) -> Option<Environment> {
        match Environment::from_code(code.get_ref()) {
            Some(Environment::Sandbox) => self.wrong(code, "the sandbox needs no file: `kernodeck-server sandbox`"),
            Some(environment) => return Some(environment),
            None => self.wrong(code, "must be \"production\" or \"regtest\""),
        }
        None
    }

    fn node(&mut self, raw: &file::Litecoin, environment: Environment) -> Option<Node> {
        let url = raw.url.get_ref();
        let seconds = *raw.timeout_seconds.get_ref();
        if !(1..=600).contains(&seconds) {
            self.wrong(&raw.timeout_seconds, "must be between 1 and 600");
        }
        let poll = *raw.poll_milliseconds.get_ref();
        if !(50..=60_000).contains(&poll) {
            self.wrong(&raw.poll_milliseconds, "must be between 50 and 60000");
        }
        let rpc = NodeConfig {
            url: url.clone(),
            user: raw.user.clone(),
            password: self.node_password(raw)?,
            timeout: Duration::from_secs(seconds),
            environment,
        };
        self.good(&raw.url, chains::BitcoinFamilyReader::litecoin(&rpc).map(|_| ()))?;
        Some(Node { rpc, start_height: raw.start_height, poll: Duration::from_millis(poll) })
    }

    fn node_password(&mut self, raw: &file::Litecoin) -> Option<String> {
        if let Some(name) = &raw.password_env {
            let value = std::env::var(name.get_ref());
            return self.good(name, value.map_err(|_| format!("no environment variable {}", name.get_ref())));
        }
        let Some(file) = &raw.password_file else {
            self.missing("litecoin: password_file or password_env is needed");
            return None;
        };
        let path = self.folder.join(file.get_ref());
        let read = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()));
        self.good(file, read).map(|text| text.trim_end_matches(['\r', '\n']).to_owned())
    }

    fn methods(&mut self, codes: &[Spanned<String>]) -> Vec<Method> {
        let mut methods = Vec::new();
        for code in codes {
            match Method::from_code(code.get_ref()) {
                Some(method) if BUILT.contains(&method) => methods.push(method),
                Some(_) => self.wrong(code, "this method is not built yet"),
                None => self.wrong(code, "no such method"),
            }
        }
        methods
    }

    fn prices(&mut self, raw: &file::Prices, environment: Option<Environment>) -> Vec<Source> {
        if *raw.made_up.get_ref() {
            if environment == Some(Environment::Production) {
                self.wrong(&raw.made_up, "nobody pays real money by an invented price");
            }
            return Vec::new();
        }
        let mut sources: Vec<Source> = Vec::new();
        for name in raw.sources.get_ref() {
            let source = Source::named(name.get_ref()).and_then(|source| match raw.at.get(name.get_ref()) {
                Some(address) => source.at(address.get_ref()),
                None => Ok(source),
            });
            let Some(source) = self.good(name, source) else { continue };
            if sources.iter().any(|other| other.name() == source.name()) {
                self.wrong(name, "named twice: it would count twice");
            }
            sources.push(source);
        }
        for (name, address) in &raw.at {
            if !raw.sources.get_ref().iter().any(|source| source.get_ref() == name) {
                self.wrong(address, format!("{name} is not among the sources"));
            }
        }
        if raw.sources.get_ref().len() < MIN_CONFIGURED_SOURCES {
            self.wrong(&raw.sources, format!("at least {MIN_CONFIGURED_SOURCES} sources are needed"));
        }
        sources
    }

    fn limits(&mut self, file: &File) -> policy::Limits {
        let raw = &file.limits;
        for percent in [&raw.pool_reserve_percent, &raw.several_holds_percent] {
            if *percent.get_ref() > 100 {
                self.wrong(percent, "more than 100 per cent");
            }
        }
        policy::Limits {
            open_payments_per_account: raw.open_payments_per_account,
            open_payments_per_prefix: raw.open_payments_per_network,
            pool_reserve_percent: *raw.pool_reserve_percent.get_ref(),
            holds: HoldLimits {
                unpaid_holds_before_first_payment: raw.unpaid_holds_before_first_payment,
                several_holds_percent: *raw.several_holds_percent.get_ref(),
            },
            node_silent_micros: i64::from(raw.node_silent_seconds) * SECOND_MICROS,
            node_lag_micros: i64::from(raw.node_lag_seconds) * SECOND_MICROS,
            sign_ins: self.sign_ins(&file.sign_in),
            retention: self.retention(&file.retention_days),
        }
    }

    /// The value, or a problem at its place.
    fn within(&mut self, value: &Spanned<u32>, least: u32, most: u32) -> u32 {
        if !(least..=most).contains(value.get_ref()) {
            self.wrong(value, format!("must be between {least} and {most}"));
        }
        *value.get_ref()
    }

    fn sign_ins(&mut self, raw: &file::SignIn) -> SignIns {
        // An answer is waited for at most 45 seconds: a shorter grace would end sign-ins of slow lines.
        SignIns {
            renew_after_micros: i64::from(self.within(&raw.renew_after_hours, 1, 720)) * HOUR_MICROS,
            grace_micros: i64::from(self.within(&raw.replaced_grace_seconds, 60, 600)) * SECOND_MICROS,
        }
    }

    fn retention(&mut self, raw: &file::RetentionDays) -> Retention {
        Retention {
            session_days: self.within(&raw.session, 1, 400),
            ended_session_days: self.within(&raw.ended_session, 1, 400),
            idle_account_days: self.within(&raw.idle_account, 1, 3_650),
            // A device asks again about a command for a day, about a notice for as long as it is offline.
            command_days: self.within(&raw.command_result, 7, 400),
            network_days: self.within(&raw.network, 1, 400),
            // Money in review is valued by the rates around it, days later.
            rate_days: self.within(&raw.recorded_rate, 35, 36_500),
        }
    }

    fn confirmations(&mut self, raw: &BTreeMap<Spanned<String>, Spanned<Vec<file::Tier>>>) -> ConfirmationPolicy {
        let mut policy = ConfirmationPolicy::default();
        for (code, tiers) in raw {
            let Some(network) = Network::from_code(code.get_ref()) else {
                self.wrong(code, "no such network");
                continue;
            };
            let Some(read) = self.tiers(tiers.get_ref()) else { continue };
            match policy.clone().with(network, read) {
                Ok(changed) => policy = changed,
                Err(error) => self.wrong(tiers, error.to_string()),
            }
        }
        policy
    }

    fn tiers(&mut self, raw: &[file::Tier]) -> Option<Vec<Tier>> {
        let mut tiers = Vec::new();
        for tier in raw {
            let below = match &tier.below_usd {
                Some(usd) => Some(self.good(usd, Cents::parse(usd.get_ref()))?),
                None => None,
            };
            tiers.push(Tier { below, required: Required::Blocks(tier.blocks) });
        }
        Some(tiers)
    }

    fn keys(&mut self, raw: &file::Addresses) -> Option<TrustedKeys> {
        let mut key = |text: &Option<Spanned<String>>| {
            text.as_ref().and_then(|text| self.good(text, PublicKey::from_hex(text.get_ref())))
        };
        let (current, next) = (key(&raw.current_key), key(&raw.next_key));
        match (&raw.next_key, current) {
            (Some(at), None) if raw.current_key.is_none() => self.wrong(at, "a next key needs a current one"),
            (Some(at), Some(_)) if current == next => self.wrong(at, "the next key must be another one"),
            _ => {}
        }
        current.map(|current| TrustedKeys::new(current, next))
    }

    fn alarms(&mut self, raw: &File) -> Option<AlarmTarget> {
        let url = raw.alarms.post_to.as_ref()?;
        let parsed = reqwest::Url::parse(url.get_ref()).ok();
        let safe = parsed.is_some_and(|url| {
            let loopback = matches!(url.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
            url.scheme() == "https" || (url.scheme() == "http" && loopback)
        });
        if !safe {
            self.wrong(url, "must be an https address");
            return None;
        }
        Some(AlarmTarget { url: url.get_ref().clone(), server: raw.public_base.clone() })
    }
}
