//! Talking to the server. Every wait is bounded, every answer has a size limit, and nothing follows a redirect.

use std::io::Read;
use std::time::{Duration, Instant as Monotonic};

use api::server::CatalogueAnswer;
use api::{ApiError, Command};
use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::{ETAG, IF_NONE_MATCH};
use reqwest::{StatusCode, Url, redirect};
use thiserror::Error;

use crate::error::CallError;

/// Time to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for each of: sending a request up to the head of its answer, and each read of the body.
const STEP_TIMEOUT: Duration = Duration::from_secs(15);
/// Time for a whole answer, however it trickles in.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The largest answer that is read, bytes: a page of the sync is far smaller.
const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;
/// The server sends a beat every 15 seconds; after two missed ones the line counts as dead.
pub(crate) const EVENT_SILENCE: Duration = Duration::from_secs(40);

/// An address that no server can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServerAddressError {
    /// Not an address at all, or neither http nor https.
    #[error("«{given}» is not the address of a server")]
    NotAnAddress {
        /// What was given.
        given: String,
    },
    /// Unencrypted to another machine.
    #[error("«{given}» is not encrypted: only this machine itself may be reached by http")]
    NotEncrypted {
        /// What was given.
        given: String,
    },
    /// The system's TLS could not be set up.
    #[error("the connection could not be set up: {detail}")]
    SetUp {
        /// The library's own words.
        detail: String,
    },
}

/// A server, and how it is spoken to.
pub struct Http {
    base: Url,
    client: Client,
}

impl Http {
    /// For `https://host`, or `http://` on this machine itself.
    ///
    /// # Errors
    /// [`ServerAddressError`].
    pub fn new(server: &str) -> Result<Self, ServerAddressError> {
        let given = || server.to_owned();
        let base = Url::parse(server).map_err(|_| ServerAddressError::NotAnAddress { given: given() })?;
        let host = base.host_str().ok_or_else(|| ServerAddressError::NotAnAddress { given: given() })?;
        let loopback = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        match base.scheme() {
            "https" => {}
            "http" if loopback => {}
            "http" => return Err(ServerAddressError::NotEncrypted { given: given() }),
            _ => return Err(ServerAddressError::NotAnAddress { given: given() }),
        }
        let mut builder = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(STEP_TIMEOUT)
            .redirect(redirect::Policy::none())
            .user_agent(concat!("kernodeck/", env!("CARGO_PKG_VERSION")));
        if loopback {
            builder = builder.no_proxy();
        }
        let set_up = |error: reqwest::Error| ServerAddressError::SetUp { detail: words(&error) };
        Ok(Self { client: builder.build().map_err(set_up)?, base })
    }

    /// The server's address, as it names an account's folder and stands on the screen.
    pub fn server(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// Gives a command.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn call<C: Command>(&self, token: Option<&str>, request: &C::Request) -> Result<C::Answer, CallError> {
        let body = serde_json::to_vec(request).map_err(|error| unreadable(&error))?;
        self.call_raw(C::NAME, token, body)
            .and_then(|answer| serde_json::from_slice(&answer).map_err(|e| unreadable(&e)))
    }

    /// Gives a command whose request was written before.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn call_raw(&self, name: &str, token: Option<&str>, body: Vec<u8>) -> Result<Vec<u8>, CallError> {
        let request = self.client.post(self.url(name)?).header("content-type", "application/json").body(body);
        let response = with_token(request, token).send().map_err(|error| offline(&error))?;
        let status = response.status();
        let answer = read_all(response)?;
        if status == StatusCode::OK { Ok(answer) } else { Err(refusal(status, &answer)) }
    }

    /// The catalogue, unless it is the one of that version.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn catalogue(&self, version: Option<&str>) -> Result<Option<CatalogueAnswer>, CallError> {
        let mut request = self.client.get(self.url("catalogue")?);
        if let Some(version) = version {
            request = request.header(IF_NONE_MATCH, quoted(version));
        }
        let response = request.send().map_err(|error| offline(&error))?;
        let (status, tagged) = (response.status(), response.headers().contains_key(ETAG));
        if status == StatusCode::NOT_MODIFIED {
            return Ok(None);
        }
        let answer = read_all(response)?;
        if status != StatusCode::OK {
            return Err(refusal(status, &answer));
        }
        if !tagged {
            tracing::debug!("the catalogue came without an ETag");
        }
        serde_json::from_slice(&answer).map(Some).map_err(|error| unreadable(&error))
    }

    /// The stream of hints. Each read waits at most [`EVENT_SILENCE`].
    ///
    /// # Errors
    /// [`CallError`].
    pub fn events(&self, token: &str) -> Result<impl Read + use<>, CallError> {
        let request = self.client.get(self.url("events")?).header("accept", "text/event-stream");
        let response =
            with_token(request, Some(token)).timeout(EVENT_SILENCE).send().map_err(|error| offline(&error))?;
        let status = response.status();
        if status == StatusCode::OK { Ok(response) } else { Err(refusal(status, &read_all(response)?)) }
    }

    fn url(&self, name: &str) -> Result<Url, CallError> {
        let path = format!("{}/v1/{name}", self.base.path().trim_end_matches('/'));
        self.base.join(&path).map_err(|error| CallError::Unreadable { detail: error.to_string() })
    }
}

/// An entity tag stands in quotes; the version itself may already have them.
fn quoted(version: &str) -> String {
    if version.starts_with('"') || version.starts_with("W/") { version.to_owned() } else { format!("\"{version}\"") }
}

fn with_token(request: RequestBuilder, token: Option<&str>) -> RequestBuilder {
    match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    }
}

/// Reads a body to its end, within size and time.
fn read_all(mut response: Response) -> Result<Vec<u8>, CallError> {
    let started = Monotonic::now();
    let mut body = Vec::new();
    let mut chunk = [0; 16 * 1024];
    loop {
        let read = match response.read(&mut chunk) {
            Ok(0) => return Ok(body),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CallError::Offline { detail: format!("the answer broke off: {error}") }),
        };
        body.extend_from_slice(&chunk[..read]);
        if body.len() > MAX_ANSWER_BYTES {
            return Err(CallError::Unreadable { detail: format!("longer than {MAX_ANSWER_BYTES} bytes") });
        }
        if started.elapsed() > ANSWER_TIMEOUT {
            return Err(CallError::Offline { detail: "the answer took too long".into() });
        }
    }
}

/// What an answer other than 200 says. A gateway that answers in the server's place means that the server did not.
fn refusal(status: StatusCode, body: &[u8]) -> CallError {
    match serde_json::from_slice::<ApiError>(body) {
        Ok(error) => CallError::Refused(error.error),
        Err(_) if matches!(status.as_u16(), 502..=504) => CallError::Offline { detail: format!("status {status}") },
        Err(error) => CallError::Unreadable { detail: format!("status {status}: {error}") },
    }
}

fn offline(error: &reqwest::Error) -> CallError {
    CallError::Offline { detail: words(error) }
}

fn unreadable(error: &serde_json::Error) -> CallError {
    CallError::Unreadable { detail: error.to_string() }
}

/// The innermost words: the outer ones repeat the address.
fn words(error: &reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_never_spoken_of_in_the_clear() {
        for good in ["https://kernodeck.example", "http://127.0.0.1:8000", "http://localhost:1", "http://[::1]:2/"] {
            assert!(Http::new(good).is_ok(), "{good}");
        }
        for bad in
            ["http://kernodeck.example", "http://127.0.0.1.example", "ftp://127.0.0.1", "kernodeck", "", "file:///x"]
        {
            assert!(Http::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_gateway_in_the_servers_place_is_no_answer_of_the_server() {
        let status = |code| StatusCode::from_u16(code).unwrap();
        assert!(matches!(refusal(status(502), b"<html>"), CallError::Offline { .. }));
        assert!(matches!(refusal(status(500), b"<html>"), CallError::Unreadable { .. }));
        let said = refusal(status(404), br#"{"error":{"code":"not_found"}}"#);
        assert_eq!(said, CallError::Refused(api::ErrorCode::NotFound));
    }
}
