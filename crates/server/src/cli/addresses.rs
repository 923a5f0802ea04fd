//! Importing signed address files.

use std::path::PathBuf;

use backend::{accounts, addresses};
use clap::Subcommand;
use store::WriteOptions;

use super::{Outcome, Place, database};
use crate::clock::Clock;
use crate::handlers::AUDIT_HEAD_LOCK;

#[derive(Subcommand)]
pub(super) enum AddressesCommand {
    /// Check a signed file and add its addresses.
    Import {
        #[command(flatten)]
        place: Place,
        /// The file that `kernodeck-keytool` signed.
        file: PathBuf,
    },
}

pub(super) fn run(command: AddressesCommand) -> Outcome {
    let AddressesCommand::Import { place, file } = command;
    let text = std::fs::read_to_string(&file)?;
    let installation = database::open(&place)?;
    let keys = installation.trusted_keys.ok_or("the configuration names no address key")?;
    let (policy, clock) = (installation.policy, Clock::default());
    let options = WriteOptions { locks: vec![AUDIT_HEAD_LOCK], ..WriteOptions::default() };
    let imported = installation.store.write_with(&options, move |tx| {
        addresses::import(tx, &policy, clock.now(), accounts::COMMAND_LINE, &text, &keys)
    })?;
    installation.store.close();
    println!(
        "{} added, {} signed again, {} given out before and left as they are",
        imported.added, imported.renewed, imported.issued_before
    );
    Ok(())
}
