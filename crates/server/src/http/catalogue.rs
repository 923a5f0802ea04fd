//! `GET /v1/catalogue`: its version is its ETag.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;

use api::ErrorCode;

use super::Shared;
use super::reply::{json, refused, text};
use crate::app::told;

pub(super) async fn get(State(app): Shared, headers: HeaderMap) -> Response {
    let read = tokio::task::spawn_blocking(move || {
        let now = app.clock.now();
        app.store.read(|tx| backend::catalogue::view(tx, now))
    });
    let answer = match read.await {
        Ok(Ok(answer)) => answer,
        Ok(Err(refusal)) => return refused(&told(refusal)),
        Err(_) => return refused(&ErrorCode::Internal.into()),
    };
    let tag = format!("\"{}\"", answer.version);
    let mut response = if knows(&headers, &tag) {
        text(StatusCode::NOT_MODIFIED, "")
    } else {
        match serde_json::to_vec(&answer) {
            Ok(body) => json(StatusCode::OK, body),
            Err(_) => return refused(&ErrorCode::Internal.into()),
        }
    };
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Whether the client has this version (RFC 9110, section 13.1.2: compared weakly).
fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lines
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}
