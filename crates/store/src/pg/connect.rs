//! Connecting, and what is asked of a server before it is used.

use std::time::Duration;

use ::postgres::{Client, Config, NoTls};

use super::errors::from_postgres;
use crate::StoreError;

/// How long a connection attempt may take, per host.
const CONNECT: Duration = Duration::from_secs(5);
/// A peer that acknowledges nothing for this long is gone.
const SILENCE: Duration = Duration::from_secs(15);

/// The settings of a URL, with limits on everything that can hang.
pub(crate) fn config(url: &str) -> Result<Config, StoreError> {
    // The text of the error never holds the URL, which may hold a password.
    let mut config: Config = url
        .parse()
        .map_err(|error: ::postgres::Error| StoreError::Unfit { reason: format!("PostgreSQL address: {error}") })?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE);
    }
    config.application_name("kernodeck");
    Ok(config)
}

/// A new connection that syncs its commits whatever the server's default is.
pub(crate) fn connect(config: &Config) -> Result<Client, StoreError> {
    let mut client = config.connect(NoTls).map_err(|error| from_postgres(&error))?;
    client
        .batch_execute(
            "SELECT set_config('synchronous_commit', 'on', false) \
             WHERE current_setting('synchronous_commit') IN ('off', 'local')",
        )
        .map_err(|error| from_postgres(&error))?;
    Ok(client)
}

/// Refuses a database that would sort or store text otherwise than SQLite does.
pub(crate) fn check(client: &mut Client) -> Result<(), StoreError> {
    let row = client
        .query_one(
            "SELECT current_setting('server_version_num')::int, pg_encoding_to_char(encoding)::text, datcollate::text \
             FROM pg_database WHERE datname = current_database()",
            &[],
        )
        .map_err(|error| from_postgres(&error))?;
    let (version, encoding, collation): (i32, String, String) = (row.get(0), row.get(1), row.get(2));
    let unfit = |reason: String| Err(StoreError::Unfit { reason });
    if version < 150_000 {
        return unfit(format!("PostgreSQL 15 or later is needed, the server's version is {version}"));
    }
    let by_bytes = matches!(collation.as_str(), "C" | "POSIX" | "C.UTF-8" | "C.utf8");
    if encoding != "UTF8" || !by_bytes {
        return unfit(format!(
            "encoding {encoding} and collation {collation}: make the database with \
             TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
        ));
    }
    Ok(())
}
