//! Which database, and its backups.

use std::path::Path;
use std::sync::Arc;

use backend::seal::Sealer;
use backend::{Policy, Refusal};
use manifest::TrustedKeys;
use store::repo::catalogue;
use store::{Settings, Store, StoreError, backup as copies};

use super::{Outcome, Place, serve};
use crate::clock::Clock;
use crate::config::Config;
use crate::{key_file, sandbox};

/// An installation, opened for the command line while no server runs.
pub(super) struct Installation {
    pub store: Store,
    pub policy: Policy,
    pub trusted_keys: Option<TrustedKeys>,
}

/// Where the database is.
fn settings(place: &Place) -> Result<Settings, Box<dyn std::error::Error>> {
    match (&place.config, &place.data) {
        (Some(config), _) => Ok(Config::read(config)?.database),
        (None, Some(data)) => Ok(Settings::Sqlite { path: data.join("server.db") }),
        (None, None) => Err("--config or --data is needed".into()),
    }
}

/// Opens an installation. PostgreSQL may be in use by servers; an SQLite file may not.
pub(super) fn open(place: &Place) -> Result<Installation, Box<dyn std::error::Error>> {
    let store = Store::open(&settings(place)?).map_err(|error| match error {
        StoreError::InUse { path } => format!("{path} is in use: stop the server first, then run this again"),
        other => other.to_string(),
    })?;
    match (&place.config, &place.data) {
        (Some(config), _) => {
            let config = Config::read(config)?;
            Ok(Installation { store, policy: serve::policy(&config)?, trusted_keys: config.trusted_keys })
        }
        (None, data) => {
            let folder = data.as_deref().unwrap_or(Path::new("."));
            let sealer = Sealer::new(&key_file::read(&folder.join("sealing.key"))?);
            let policy = sandbox::policy(Arc::new(sealer));
            Ok(Installation { store, policy, trusted_keys: Some(sandbox::trusted_keys()?) })
        }
    }
}

/// Offers to begin with. Whoever has offers keeps them.
pub(super) fn starter_catalogue(place: &Place) -> Outcome {
    let installation = open(place)?;
    let clock = Clock::default();
    let installed = installation.store.write(move |tx| {
        if catalogue::offers(tx)?.is_empty() {
            backend::catalogue::install_starter(tx, clock.now()).map(|()| true)
        } else {
            Ok::<_, Refusal>(false)
        }
    })?;
    installation.store.close();
    if !installed {
        return Err("there are offers already; nothing was changed".into());
    }
    println!("starter catalogue installed; its prices and stock are samples: set your own before you sell anything");
    Ok(())
}

pub(super) fn backup(place: &Place, to: &Path) -> Outcome {
    copies::create(&settings(place)?, to)?;
    println!("{} written and read back. The sealing key is not in it: keep a copy of that elsewhere.", to.display());
    Ok(())
}

pub(super) fn restore(place: &Place, from: &Path) -> Outcome {
    let restored = copies::restore(&settings(place)?, from)?;
    let compared = if restored.compared { "and agrees with" } else { "; there was no" };
    println!("{} restored {compared} its sums", from.display());
    Ok(())
}
