//! Logs: what happened and how it ended, with fields; never a secret, an address list or a person's data.

use tracing_subscriber::EnvFilter;

/// Starts logging to standard error, once per process. `filter` is `tracing`'s own, such as `info`.
///
/// # Errors
/// A sentence when the filter can't be read or logging was started before.
pub fn start(json: bool, filter: &str) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if json { builder.json().try_init() } else { builder.try_init() };
    started.map_err(|error| error.to_string())
}
