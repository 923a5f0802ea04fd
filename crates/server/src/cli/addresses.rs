//! Importing signed address files.

use std::path::PathBuf;

use clap::Subcommand;

use super::{Outcome, Place, database};
use crate::control::AdminCommand;

#[derive(Subcommand)]
pub(super) enum AddressesCommand {
    /// Check a signed file and add its addresses, also while the server runs.
    Import {
        #[command(flatten)]
        place: Place,
        /// The file that `kernodeck-keytool` signed.
        file: PathBuf,
    },
}

pub(super) fn run(command: AddressesCommand) -> Outcome {
    let AddressesCommand::Import { place, file } = command;
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    database::change(&place, AdminCommand::ImportAddresses { text })
}
