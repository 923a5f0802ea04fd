//! What time alone brings, applied every second; what is to be forgotten, every hour.

use std::time::Duration;

use backend::accounts::{self, IdlePage};
use backend::{Refusal, retention, sweep};
use domain::Timestamp;
use domain::time::HOUR_MICROS;
use store::Tx;

use crate::app::App;

const EVERY: Duration = Duration::from_secs(1);
/// Runs in a row at most, should one row be due again and again.
const RUNS: usize = 1_000;
/// By the server's clock: periods are days.
const FORGET_EVERY_MICROS: i64 = HOUR_MICROS;

pub(super) fn run(app: &App) {
    let mut forgot: Option<Timestamp> = None;
    loop {
        apply(app);
        let now = app.clock.now();
        if forgot.is_none_or(|at| now.micros_since(at) >= FORGET_EVERY_MICROS) {
            forgot = Some(now);
            if let Err(error) = forget(app, now).and_then(|()| remove_idle(app, now)) {
                tracing::error!(%error, "what is over its period could not be forgotten");
            }
        }
        if !app.stop.pause(EVERY) {
            return;
        }
    }
}

/// Forgets, batch by batch, what was kept for its period.
fn forget(app: &App, now: Timestamp) -> Result<(), Refusal> {
    app.store.write_job(move |tx| accounts::forget_old_tries(tx, now))?;
    for _ in 0..RUNS {
        let policy = app.policy.clone();
        let rows = app.store.write_job(move |tx| retention::forget(tx, &policy, now))?;
        if rows == 0 || !app.stop.pause(Duration::ZERO) {
            return Ok(());
        }
        tracing::debug!(rows, "forgotten after their period");
    }
    Ok(())
}

/// Removes accounts that were never used for anything (A4), a page at a time.
fn remove_idle(app: &App, now: Timestamp) -> Result<(), Refusal> {
    let mut from = None;
    loop {
        let IdlePage { removable, next } =
            app.store.read(|tx| accounts::find_idle(tx, &app.policy, now, from.as_ref()))?;
        if !removable.is_empty() {
            let policy = app.policy.clone();
            let use_case = move |tx: &mut Tx<'_>| accounts::remove_idle(tx, &policy, now, &removable);
            let accounts = app.store.write_job(use_case)?;
            tracing::info!(accounts, "idle accounts removed");
        }
        if next.is_none() || !app.stop.pause(Duration::ZERO) {
            return Ok(());
        }
        from = next;
    }
}

fn apply(app: &App) {
    for _ in 0..RUNS {
        let (policy, clock) = (app.policy.clone(), app.clock.clone());
        match app.store.write_job(move |tx| sweep::run(tx, &policy, clock.now())) {
            Ok(0) => return,
            Ok(rows) => {
                tracing::debug!(rows, "swept");
                app.hints.wake();
            }
            Err(error) => {
                tracing::error!(%error, "what is due could not be applied");
                return;
            }
        }
        if !app.stop.pause(Duration::ZERO) {
            return;
        }
    }
    tracing::error!("rows are due again and again");
}
