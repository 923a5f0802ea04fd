//! Which database, and its backups.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use backend::seal::Sealer;
use backend::{Policy, accounts, restored};
use manifest::TrustedKeys;
use store::{Settings, Store, StoreError, Tx, backup as copies};

use super::{Outcome, Place, serve};
use crate::clock::Clock;
use crate::config::Config;
use crate::control::{self, AdminCommand, AskError, Installation};
use crate::{key_file, run, sandbox};

/// How long a database that is in use, and whose user takes no commands, is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(100);

/// Where the database is.
pub(super) fn settings(place: &Place) -> Result<Settings, Box<dyn std::error::Error>> {
    match (&place.config, &place.data) {
        (Some(config), _) => Ok(Config::read(config)?.database),
        (None, Some(data)) => Ok(sandbox::database(data)),
        (None, None) => Err("--config or --data is needed".into()),
    }
}

/// Makes a change: through the server that has the database open, or under the database's lock while none has. PostgreSQL may be in
/// use by servers all the while.
pub(super) fn change(place: &Place, command: AdminCommand) -> Outcome {
    let settings = settings(place)?;
    let started = Instant::now();
    let said = loop {
        match (Store::open(&settings), &settings) {
            (Ok(store), _) => break here(place, store, command)?,
            (Err(StoreError::InUse { .. }), Settings::Sqlite { path }) => match control::ask(path, &command) {
                Ok(reply) => break reply?,
                // A server that starts or ends, or another command line: soon it answers or is gone.
                Err(AskError::Nobody) if started.elapsed() < PATIENCE => thread::sleep(PAUSE),
                Err(error) => return Err(format!("{} is in use: {error}", path.display()).into()),
            },
            (Err(error), _) => return Err(error.into()),
        }
    };
    println!("{said}");
    Ok(())
}

/// What the business decided, with the sealing key, and whose address files are taken.
pub(super) fn policy(place: &Place) -> Result<(Policy, Option<TrustedKeys>), Box<dyn std::error::Error>> {
    match (&place.config, &place.data) {
        (Some(config), _) => {
            let config = Config::read(config)?;
            Ok((serve::policy(&config)?, config.trusted_keys))
        }
        (None, data) => {
            let folder = data.as_deref().unwrap_or(Path::new("."));
            let sealer = Sealer::new(&key_file::read(&folder.join("sealing.key"))?);
            Ok((sandbox::policy(Arc::new(sealer)), Some(sandbox::trusted_keys()?)))
        }
    }
}

fn here(place: &Place, store: Store, command: AdminCommand) -> Result<String, Box<dyn std::error::Error>> {
    let (policy, trusted_keys) = policy(place)?;
    let installation = Installation { store, policy, trusted_keys, clock: Clock::default() };
    run::belongs(&installation.store, &installation.policy)?;
    let said = installation.carry_out(command);
    installation.store.close();
    Ok(said?)
}

pub(super) fn backup(place: &Place, to: &Path) -> Outcome {
    copies::create(&settings(place)?, to)?;
    println!("{} written and read back. The sealing key is not in it: keep a copy of that elsewhere.", to.display());
    Ok(())
}

pub(super) fn restore(place: &Place, from: &Path, nothing_given_out_since: bool) -> Outcome {
    let settings = settings(place)?;
    let now = Clock::default().now();
    let adapt = |tx: &mut Tx<'_>| restored::adapt(tx, now, accounts::COMMAND_LINE, nothing_given_out_since);
    let (restored, set_aside) = copies::restore(&settings, from, adapt)?;
    let compared =
        if restored.compared { "it agrees with its sums" } else { "no file of sums was beside it to compare with" };
    println!("{} restored; {compared}", from.display());
    let Some(count) = set_aside else { return Ok(()) };
    println!(
        "{count} free addresses set aside: they may have been given out after the backup, so they are watched and never given \
         out again. Sign and import new ones before the server is open to customers."
    );
    Ok(())
}
