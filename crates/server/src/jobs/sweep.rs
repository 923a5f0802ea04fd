//! What time alone brings, applied every second.

use std::time::{Duration, Instant};

use backend::{accounts, sweep};

use crate::app::App;

const EVERY: Duration = Duration::from_secs(1);
/// Runs in a row at most, should one row be due again and again.
const RUNS: usize = 1_000;
const FORGET_EVERY: Duration = Duration::from_secs(600);

pub(super) fn run(app: &App) {
    let mut forgot: Option<Instant> = None;
    loop {
        apply(app);
        if forgot.is_none_or(|at| at.elapsed() >= FORGET_EVERY) {
            forgot = Some(Instant::now());
            let now = app.clock.now();
            if let Err(error) = app.store.write_job(move |tx| accounts::forget_old_tries(tx, now)) {
                tracing::error!(%error, "old tries could not be forgotten");
            }
        }
        if !app.stop.pause(EVERY) {
            return;
        }
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
