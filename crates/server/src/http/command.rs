//! `POST /v1/<command>`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use api::server::{COMMANDS, dispatch};
use api::{ApiError, CommandInfo, ErrorCode};
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use tokio::time::timeout;

use super::reply::{json, refused, status_of};
use super::{Peer, Shared, bearer, peer};
use crate::access;
use crate::app::App;
use crate::handlers::Host;

/// Longest body of a request, bytes.
const BODY_BYTES: usize = 64 * 1024;
/// Time for a body to arrive.
const BODY_PATIENCE: Duration = Duration::from_secs(15);
/// Time to wait for a place among those that are carried out.
const PLACE_PATIENCE: Duration = Duration::from_secs(2);

/// What was asked, apart from its body.
struct Asked {
    command: &'static CommandInfo,
    token: Option<String>,
    network_prefix: String,
}

pub(super) async fn post(
    State(app): Shared,
    Path(name): Path<String>,
    ConnectInfo(from): Peer,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let started = Instant::now();
    let Some(command) = COMMANDS.iter().find(|info| info.name == name) else {
        return refused(&ErrorCode::UnknownCommand.into());
    };
    let network_prefix = peer::prefix(from, &headers, app.serving.forwarded_hops);
    let asked = Asked { command, token: bearer(&headers), network_prefix };
    let answer = match read(body).await {
        Ok(body) => carry_out(Arc::clone(&app), asked, body).await,
        Err(error) => Err(error),
    };
    let status = answer.as_ref().err().map_or(StatusCode::OK, |error| status_of(&error.error));
    let took = started.elapsed();
    app.metrics.answered(command.name, status.as_u16(), took);
    tracing::debug!(command = command.name, status = status.as_u16(), took_micros = took.as_micros(), "answered");
    match answer {
        Ok(body) => json(StatusCode::OK, body),
        Err(error) => refused(&error),
    }
}

async fn read(body: Body) -> Result<Vec<u8>, ApiError> {
    let refused = |reason: &str| ApiError::from(ErrorCode::BadRequest { reason: reason.to_owned() });
    match timeout(BODY_PATIENCE, to_bytes(body, BODY_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes.to_vec()),
        Ok(Err(_)) => Err(refused("body broken off or longer than 64 KiB")),
        Err(_) => Err(refused("body too slow")),
    }
}

/// Carries a command out on a thread that goes on when the client hangs up: nothing that was begun is left half-done.
async fn carry_out(app: Arc<App>, asked: Asked, body: Vec<u8>) -> Result<Vec<u8>, ApiError> {
    let place = timeout(PLACE_PATIENCE, Arc::clone(&app.at_once).acquire_owned()).await;
    let Ok(Ok(place)) = place else { return Err(ErrorCode::Busy.into()) };
    let work = tokio::task::spawn_blocking(move || {
        let answer = answer(&app, asked, &body);
        drop(place);
        answer
    });
    work.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a handler broke down");
        Err(ErrorCode::Internal.into())
    })
}

fn answer(app: &Arc<App>, asked: Asked, body: &[u8]) -> Result<Vec<u8>, ApiError> {
    let asking = access::admit(app, asked.command, asked.token.as_deref(), asked.network_prefix)?;
    let host = Host::new(Arc::clone(app));
    dispatch(&host, &asking, asked.command.name, body).unwrap_or_else(|| Err(ErrorCode::UnknownCommand.into()))
}
