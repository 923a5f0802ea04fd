//! Whether the server lives, whether it can serve, and its figures.

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use backend::Refusal;
use domain::time::SECOND_MICROS;
use store::repo::{address, chain, installation};

use super::reply::text;
use super::{Peer, Shared, peer};
use crate::app::App;
use crate::metrics::Gauge;

pub(super) async fn healthz() -> Response {
    text(StatusCode::OK, "alive\n")
}

pub(super) async fn readyz(State(app): Shared) -> Response {
    let read = tokio::task::spawn_blocking(move || app.store.read(chain::watchers));
    match read.await {
        Ok(Ok(_)) => text(StatusCode::OK, "ready\n"),
        _ => text(StatusCode::SERVICE_UNAVAILABLE, "the database can't be read\n"),
    }
}

/// Only this machine itself reads them: they tell how business goes.
pub(super) async fn metrics(State(app): Shared, ConnectInfo(from): Peer, headers: HeaderMap) -> Response {
    if !peer::is_local(from, &headers) {
        return text(StatusCode::NOT_FOUND, "");
    }
    let rendered = tokio::task::spawn_blocking(move || gauges(&app).map(|gauges| app.metrics.render(&gauges)));
    match rendered.await {
        Ok(Ok(body)) => text(StatusCode::OK, body),
        _ => text(StatusCode::SERVICE_UNAVAILABLE, "the database can't be read\n"),
    }
}

fn gauges(app: &App) -> Result<Vec<Gauge>, Refusal> {
    let now = app.clock.now();
    let good_until = backend::addresses::good_until(now);
    let mut gauges = vec![gauge("event_streams", None, app.hints.streams())];
    app.store.read(|tx| {
        gauges.truncate(1);
        gauges.push(gauge("alarms", None, installation::standing(tx)?.len()));
        for row in chain::watchers(tx)? {
            let label = || Some(("network", row.network.clone()));
            let (free, all) = address::pool(tx, &row.network, &good_until)?;
            gauges.push(gauge("addresses_free", label(), free));
            gauges.push(gauge("addresses", label(), all));
            let behind = row.tip_height.unwrap_or(0).saturating_sub(row.height.unwrap_or(0));
            gauges.push(gauge("watcher_height", label(), row.height.unwrap_or(0)));
            gauges.push(gauge("watcher_blocks_behind", label(), behind));
            let seconds = row.at_tip_at.map(|at| now.micros_since(at) / SECOND_MICROS);
            gauges.push(gauge("watcher_seconds_since_tip", label(), seconds.unwrap_or(-1)));
        }
        Ok::<_, Refusal>(())
    })?;
    Ok(gauges)
}

fn gauge(name: &'static str, label: Option<(&'static str, String)>, value: impl TryInto<i64>) -> Gauge {
    Gauge { name, label, value: value.try_into().unwrap_or(i64::MAX) }
}
