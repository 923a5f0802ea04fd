//! The command line.

mod addresses;
mod check;
mod database;
mod operator;
mod serve;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::config::Config;
use crate::control::AdminCommand;
use crate::key_file;

#[derive(Parser)]
#[command(name = "kernodeck-server", version, about = "The server of Kernodeck")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve, as a configuration file says.
    Serve(ConfigFile),
    /// Try everything out: simulated network, made-up prices, one folder, no file needed.
    Sandbox {
        /// The folder; made if absent.
        #[arg(long)]
        data: PathBuf,
        /// Address and port.
        #[arg(long, default_value = "127.0.0.1:8420")]
        listen: SocketAddr,
        /// Seconds between blocks; 0 mines only when asked to.
        #[arg(long, default_value_t = 15)]
        block_seconds: u64,
    },
    /// Operators' accounts.
    Operator {
        #[command(subcommand)]
        command: operator::OperatorCommand,
    },
    /// Signed address files.
    Addresses {
        #[command(subcommand)]
        command: addresses::AddressesCommand,
    },
    /// Put the starter catalogue, whose prices are samples, into an installation that has no offers yet.
    StarterCatalogue {
        #[command(flatten)]
        place: Place,
    },
    /// Write a verified backup of the database, which may be in use. The sealing key is not in it.
    Backup {
        #[command(flatten)]
        place: Place,
        /// The file to write.
        to: PathBuf,
    },
    /// Restore a backup into a database that does not exist yet, and set its free addresses aside: some of them may have been
    /// given out after the backup.
    Restore {
        #[command(flatten)]
        place: Place,
        /// Keep the free addresses: the server gave none out after this backup, because it was stopped before it was made.
        #[arg(long)]
        nothing_given_out_since: bool,
        /// The backup.
        from: PathBuf,
    },
    /// Check the configuration, the sealing key and the node, and whether the database is whole, its books fit and its audit log is
    /// the one that was written. Nothing is changed; the server may run meanwhile.
    Check {
        #[command(flatten)]
        place: Place,
    },
    /// Make the sealing key that the configuration names.
    NewKey(ConfigFile),
}

#[derive(Args)]
struct ConfigFile {
    /// The configuration file.
    #[arg(long)]
    config: PathBuf,
}

/// Which installation a command is about.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Place {
    /// The configuration file of a server.
    #[arg(long)]
    config: Option<PathBuf>,
    /// The folder of a sandbox.
    #[arg(long)]
    data: Option<PathBuf>,
}

/// Runs the program. What failed is said on standard error.
pub fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn run(command: Command) -> Outcome {
    match command {
        Command::Serve(file) => serve::serve(&file.config),
        Command::Sandbox { data, listen, block_seconds } => serve::sandbox(&data, listen, block_seconds),
        Command::Operator { command } => operator::run(command),
        Command::Addresses { command } => addresses::run(command),
        Command::StarterCatalogue { place } => database::change(&place, AdminCommand::InstallStarterCatalogue),
        Command::Backup { place, to } => database::backup(&place, &to),
        Command::Restore { place, nothing_given_out_since, from } => {
            database::restore(&place, &from, nothing_given_out_since)
        }
        Command::Check { place } => check::check(&place),
        Command::NewKey(file) => {
            let config = Config::read(&file.config)?;
            key_file::create(&config.sealing_key_file)?;
            println!("{} made. Keep a copy where no backup of the database is.", config.sealing_key_file.display());
            Ok(())
        }
    }
}
