//! `kernodeck-keytool`: see `--help` and `docs/ADDRESS_FILES.md`.

use std::io;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Parser;
use domain::Timestamp;
use kernodeck_keytool::{cli::Cli, run::run};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = Timestamp::from_seconds(i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX));
    match run(cli, &mut io::stdin().lock(), &mut io::stdout().lock(), now) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
