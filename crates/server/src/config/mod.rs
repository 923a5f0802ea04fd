//! The one configuration file: what stands in it, what it means, and what is wrong with it, by line.

mod check;
mod file;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use backend::policy::Limits;
use chains::NodeConfig;
use domain::confirmations::ConfirmationPolicy;
use domain::{Environment, Method};
use manifest::TrustedKeys;
use rates::Source;
use store::Settings;
use thiserror::Error;

use crate::jobs::AlarmTarget;

/// The example with every default and what it is for.
pub const EXAMPLE: &str = include_str!("../../kernodeck-server.example.toml");

/// A checked configuration.
pub struct Config {
    /// Where this server belongs; never the sandbox, which needs no file.
    pub environment: Environment,
    /// Where it listens.
    pub listen: SocketAddr,
    /// Proxies in front of it.
    pub forwarded_hops: usize,
    /// The sealing key's file.
    pub sealing_key_file: PathBuf,
    /// The database.
    pub database: Settings,
    /// The Litecoin node.
    pub litecoin: Node,
    /// Methods switched on.
    pub methods: Vec<Method>,
    /// Price sources; none when prices are made up.
    pub prices: Vec<Source>,
    /// Limits.
    pub limits: Limits,
    /// Confirmations.
    pub confirmations: ConfirmationPolicy,
    /// Keys whose address files are taken.
    pub trusted_keys: Option<TrustedKeys>,
    /// Where alarms are posted.
    pub alarms: Option<AlarmTarget>,
    /// Logs as JSON.
    pub log_json: bool,
    /// What is logged.
    pub log_filter: String,
}

/// A node and how it is followed.
#[derive(Debug)]
pub struct Node {
    /// How it is reached.
    pub rpc: NodeConfig,
    /// Height of the first block to read.
    pub start_height: u64,
    /// Pause between two looks.
    pub poll: Duration,
}

/// Something that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1; none when something is missing altogether.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
}

/// A configuration that can't be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// What is wrong with it.
    #[error("{}", described(path, problems))]
    Problems {
        /// Which file.
        path: PathBuf,
        /// All that is wrong.
        problems: Vec<Problem>,
    },
}

fn described(path: &Path, problems: &[Problem]) -> String {
    let name = path.display();
    let one = |problem: &Problem| match problem.line {
        Some(line) => format!("{name}:{line}: {}", problem.what),
        None => format!("{name}: {}", problem.what),
    };
    problems.iter().map(one).collect::<Vec<_>>().join("\n")
}

impl Config {
    /// Reads and checks a file. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// [`ConfigError`], with every problem that was found.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
        Self::parse(&text, path.parent().unwrap_or(Path::new(".")))
            .map_err(|problems| ConfigError::Problems { path: path.to_owned(), problems })
    }

    /// Checks a text whose relative paths start at `folder`.
    ///
    /// # Errors
    /// Every problem that was found.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, Vec<Problem>> {
        let raw: file::File = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| check::line_of(text, span.start));
            vec![Problem { line, what: error.message().to_owned() }]
        })?;
        check::checked(raw, text, folder)
    }
}

#[cfg(test)]
mod tests;
