//! One question over HTTP, bounded in time and in size.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use reqwest::blocking::{Client, Response};
use reqwest::redirect::Policy;

use crate::error::{Fault, SetupError};

/// How the server names itself. Some exchanges refuse questions without a name.
const USER_AGENT: &str = concat!("kernodeck/", env!("CARGO_PKG_VERSION"));
/// Bytes read at a time, between two looks at the clock.
const CHUNK_BYTES: usize = 8 * 1024;

/// A client that follows no redirect: a price comes from the host that was configured, or not at all.
pub(crate) fn client(connect_timeout: Duration, use_system_proxy: bool) -> Result<Client, SetupError> {
    let builder = Client::builder().user_agent(USER_AGENT).redirect(Policy::none()).connect_timeout(connect_timeout);
    let builder = if use_system_proxy { builder } else { builder.no_proxy() };
    builder.build().map_err(|error| SetupError::Client(error.to_string()))
}

/// The answer's text.
///
/// # Errors
/// Everything that keeps a whole, small, successful answer from arriving before `deadline`.
pub(crate) fn get(client: &Client, url: &str, deadline: Instant, limit: u64) -> Result<String, Fault> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Fault::TimedOut);
    }
    let response = client.get(url).timeout(left).send().map_err(|error| fault_of(&error))?;
    if response.status() != StatusCode::OK {
        return Err(Fault::Status(response.status().as_u16()));
    }
    let body = read_body(response, deadline, limit)?;
    String::from_utf8(body).map_err(|_| Fault::Malformed)
}

fn read_body(response: Response, deadline: Instant, limit: u64) -> Result<Vec<u8>, Fault> {
    let too_long = Fault::TooLong { limit };
    if response.content_length().is_some_and(|length| length > limit) {
        return Err(too_long);
    }
    let mut reader = response.take(limit.saturating_add(1));
    let mut body = Vec::new();
    let mut chunk = [0; CHUNK_BYTES];
    loop {
        if Instant::now() >= deadline {
            return Err(Fault::TimedOut);
        }
        let count = reader.read(&mut chunk).map_err(|error| body_fault_of(&error))?;
        let Some(part) = chunk.get(..count).filter(|part| !part.is_empty()) else { break };
        body.extend_from_slice(part);
    }
    let length = u64::try_from(body.len()).map_err(|_| too_long)?;
    if length > limit { Err(too_long) } else { Ok(body) }
}

fn fault_of(error: &reqwest::Error) -> Fault {
    if error.is_timeout() {
        Fault::TimedOut
    } else if error.is_connect() {
        Fault::Unreachable
    } else {
        Fault::CutOff
    }
}

fn body_fault_of(error: &io::Error) -> Fault {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>());
    let timed_out = error.kind() == io::ErrorKind::TimedOut || inner.is_some_and(reqwest::Error::is_timeout);
    if timed_out { Fault::TimedOut } else { Fault::CutOff }
}
