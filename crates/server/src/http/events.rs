//! `GET /v1/events`: an event `hint` when the account has something new to sync, an event `beat` every 15 seconds so that
//! the client knows that the line lives.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use api::{ApiError, ErrorCode};
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;

use super::reply::refused;
use super::{Peer, Shared, bearer, peer};
use crate::access;
use crate::app::App;

/// Time between two beats.
const BEAT: Duration = Duration::from_secs(15);
/// Events that may wait for a slow client; a hint more says nothing new.
const WAITING: usize = 4;

type Said = Result<Event, Infallible>;

pub(super) async fn get(State(app): Shared, ConnectInfo(from): Peer, headers: HeaderMap) -> Response {
    let token = bearer(&headers);
    let prefix = peer::prefix(from, &headers, app.serving.forwarded_hops);
    let caller = match on_a_thread(&app, move |app| access::authenticate(app, token.as_deref(), &prefix)).await {
        Ok(caller) => caller,
        Err(error) => return refused(&error),
    };
    let Some(head) = app.hints.subscribe(&caller.account_id) else {
        return refused(&ErrorCode::Throttled { retry_after_seconds: 30 }.into());
    };
    let (say, said) = mpsc::channel(WAITING);
    tokio::spawn(speak(app, caller.session_id, head, say));
    Sse::new(ReceiverStream::new(said)).into_response()
}

/// Asks the database on a thread that may block.
async fn on_a_thread<T: Send + 'static>(
    app: &Arc<App>,
    ask: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let app = Arc::clone(app);
    let asked = tokio::task::spawn_blocking(move || ask(&app));
    asked.await.unwrap_or_else(|_| Err(ErrorCode::Internal.into()))
}

/// Speaks until the client is gone, the sign-in has ended, or the server stops.
async fn speak(app: Arc<App>, session_id: String, mut head: watch::Receiver<i64>, say: mpsc::Sender<Said>) {
    // The first tick comes at once.
    let mut beats = tokio::time::interval(BEAT);
    loop {
        let name = tokio::select! {
            () = app.stop.stopped() => return,
            () = say.closed() => return,
            changed = head.changed() => match changed {
                Ok(()) => "hint",
                Err(_) => return,
            },
            _ = beats.tick() => {
                // The line outlives its token: the device goes on to the next one while it listens.
                let session_id = session_id.clone();
                match on_a_thread(&app, move |app| access::still_signed_in(app, &session_id)).await {
                    Ok(()) => "beat",
                    Err(_) => return,
                }
            }
        };
        if say.send(Ok(Event::default().event(name).data("{}"))).await.is_err() {
            return;
        }
    }
}
