//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use manifest::{Day, PublicKey};

use crate::chain::Chain;

/// Derives and signs the addresses that customers pay to. Runs offline; nothing leaves this machine but the file it writes.
#[derive(Debug, Parser)]
#[command(name = "kernodeck-keytool", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print receiving addresses of an account.
    Derive(DeriveArgs),
    /// Make a new signing key.
    NewKey {
        /// File to write; it must not exist.
        #[arg(long)]
        out: PathBuf,
    },
    /// Print the public half of a signing key and its fingerprint.
    ShowKey {
        /// The signing key's file.
        #[arg(long)]
        key: PathBuf,
    },
    /// Compare the first three addresses with the wallet, then sign a run of addresses.
    Sign(SignArgs),
    /// Check a signed file as the server and the desktop will.
    Check(CheckArgs),
}

/// Where the account comes from.
#[derive(Debug, Args)]
pub struct Source {
    /// The account's public key: zpub or xpub, on test networks vpub or tpub.
    #[arg(long, value_name = "KEY", required_unless_present = "words", conflicts_with = "words")]
    pub account: Option<String>,
    /// Read the wallet's words from standard input, one line; the only value is `-`.
    #[arg(long, value_name = "-")]
    pub words: Option<String>,
    /// Read the words' passphrase from the next line of standard input.
    #[arg(long, requires = "words")]
    pub passphrase: bool,
}

/// Arguments of `derive`.
#[derive(Debug, Args)]
pub struct DeriveArgs {
    /// Network and environment.
    #[arg(long, value_enum)]
    pub network: Chain,
    /// Where the account comes from.
    #[command(flatten)]
    pub source: Source,
    /// First index.
    #[arg(long, default_value_t = 0)]
    pub from: u32,
    /// Number of addresses.
    #[arg(long, default_value_t = 3)]
    pub count: u32,
    /// Print JSON: a list of {index, path, address}.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `sign`.
#[derive(Debug, Args)]
pub struct SignArgs {
    /// The signing key's file.
    #[arg(long)]
    pub key: PathBuf,
    /// The environment, said once more: it must be that of the network.
    #[arg(long, value_name = "production|regtest|sandbox")]
    pub environment: String,
    /// Network and environment.
    #[arg(long, value_enum)]
    pub network: Chain,
    /// Where the account comes from.
    #[command(flatten)]
    pub source: Source,
    /// First index.
    #[arg(long)]
    pub from: u32,
    /// Number of addresses.
    #[arg(long)]
    pub count: u32,
    /// Epoch of this network: the same as before, or a higher one to withdraw all that was signed under lower ones.
    #[arg(long)]
    pub epoch: u32,
    /// Last day on which the addresses may be shown, YYYY-MM-DD, at most 90 days from today.
    #[arg(long)]
    pub last_day: Day,
    /// Today, YYYY-MM-DD, where this machine's clock is wrong.
    #[arg(long)]
    pub today: Option<Day>,
    /// The first three addresses were compared with the wallet before: don't ask.
    #[arg(long)]
    pub compared: bool,
    /// File to write; it must not exist.
    #[arg(long)]
    pub out: PathBuf,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The signed file.
    pub file: PathBuf,
    /// A trusted public key, 64 hex digits; a second one is the next key.
    #[arg(long, value_name = "PUBKEY", required = true, num_args = 1, value_parser = PublicKey::from_hex)]
    pub trust: Vec<PublicKey>,
    /// Network and environment that the file must be for; without it, any, and it is printed.
    #[arg(long, value_enum)]
    pub network: Option<Chain>,
    /// Today, YYYY-MM-DD, instead of this machine's clock.
    #[arg(long)]
    pub today: Option<Day>,
    /// Lowest epoch that is in force.
    #[arg(long, default_value_t = 0)]
    pub epoch_floor: u32,
}
