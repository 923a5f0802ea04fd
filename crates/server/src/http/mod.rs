//! Routes. What they are is declared in `api`: the commands, and the few beside them.

mod catalogue;
mod command;
mod events;
mod health;
mod peer;
mod reply;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use axum::routing::{get, post};

use crate::app::App;

type Shared = State<Arc<App>>;
type Peer = ConnectInfo<SocketAddr>;

/// Everything that the server answers.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/v1/catalogue", get(catalogue::get))
        .route("/v1/events", get(events::get))
        .route("/v1/{command}", post(command::post))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::metrics))
        .with_state(app)
}

/// The token of `Authorization: Bearer …`.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(axum::http::header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}
