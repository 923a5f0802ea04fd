//! Connecting, and what is asked of a server before it is used.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use ::postgres::config::{Host, SslMode};
use ::postgres::{Client, Config};
use native_tls::TlsConnector;
use postgres_native_tls::MakeTlsConnector;

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
    if is_remote(&config) {
        // Whatever the address says: the default would fall back to plain text when asked to by whoever is in between.
        config.ssl_mode(SslMode::Require);
    }
    config.application_name("kernodeck");
    Ok(config)
}

/// The connector with the system's trusted certificates, which are read once: there are hundreds.
fn tls() -> Result<TlsConnector, StoreError> {
    static CONNECTOR: OnceLock<TlsConnector> = OnceLock::new();
    if let Some(connector) = CONNECTOR.get() {
        return Ok(connector.clone());
    }
    let made = TlsConnector::new().map_err(|error| StoreError::Unfit { reason: error.to_string() })?;
    Ok(CONNECTOR.get_or_init(|| made).clone())
}

/// Whether any of the hosts is another machine.
pub(crate) fn is_remote(config: &Config) -> bool {
    let named = config.get_hosts().iter().any(|host| match host {
        Host::Tcp(name) => name != "localhost" && !name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => false,
    });
    named || config.get_hostaddrs().iter().any(|address| !address.is_loopback())
}

/// A new connection that syncs its commits whatever the server's default is.
pub(crate) fn connect(config: &Config) -> Result<Client, StoreError> {
    let mut client = config.connect(MakeTlsConnector::new(tls()?)).map_err(|error| from_postgres(&error))?;
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
            "SELECT current_setting('server_version_num')::int, pg_encoding_to_char(encoding)::text, \
             CASE datlocprovider WHEN 'i' THEN 'ICU' ELSE datcollate::text END \
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

/// A table that stands in a database for as long as a restore is filling it.
pub(crate) const UNFINISHED: &str = "restore_unfinished";

/// Whether a restore was begun in the database and not finished.
pub(crate) fn is_unfinished(client: &mut Client) -> Result<bool, StoreError> {
    let found = client.query_one(
        "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1)",
        &[&UNFINISHED],
    );
    Ok(found.map_err(|error| from_postgres(&error))?.get(0))
}

/// Refuses a database in which a restore was begun and not finished.
pub(crate) fn refuse_unfinished(client: &mut Client) -> Result<(), StoreError> {
    if !is_unfinished(client)? {
        return Ok(());
    }
    let reason = "a restore into it was not finished: drop the database, make it again, and restore again".to_owned();
    Err(StoreError::Unfit { reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passwords and addresses of customers cross a network only inside TLS.
    #[test]
    fn another_machine_is_reached_over_tls_only() {
        let mode = |url: &str| config(url).unwrap().get_ssl_mode();
        for remote in [
            "postgresql://u@db.example/x",
            "postgresql://u@10.0.0.5/x?sslmode=disable",
            "postgresql://u@localhost,db/x",
        ] {
            assert_eq!(mode(remote), SslMode::Require, "{remote}");
        }
        for local in [
            "postgresql://u@127.0.0.1:5/x",
            "postgresql://u@localhost/x",
            "postgresql://u@[::1]/x",
            "host=/run/p user=u",
        ] {
            assert_eq!(mode(local), SslMode::Prefer, "{local}");
        }
    }

    #[test]
    fn a_password_is_in_no_error_and_no_debug_text() {
        let settings = crate::Settings::Postgres { url: "postgresql://u:geheim@127.0.0.1:1/x".to_owned() };
        assert!(!format!("{settings:?}").contains("geheim"));
        for url in [
            "postgresql://u:geheim@127.0.0.1:1/x",
            "postgresql://u:geheim@127.0.0.1:99999/x",
            "postgresql://u:geheim@h/x?a=b",
        ] {
            let error = config(url).and_then(|config| connect(&config)).err().unwrap();
            assert!(!error.to_string().contains("geheim"), "{error}");
        }
    }
}
