//! What goes on without being asked, each on a thread of its own.

mod alarms;
mod rates;
mod sweep;
mod watcher;

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::{io, time::Duration};

pub use self::rates::PriceFeed;
pub use self::watcher::Watcher;

use crate::app::App;

/// Starts every job.
///
/// # Errors
/// When the system gives no more threads.
pub fn start(
    app: &Arc<App>,
    watchers: Vec<Watcher>,
    feed: PriceFeed,
    alarms: Option<alarms::Target>,
) -> io::Result<Vec<JoinHandle<()>>> {
    let mut threads = vec![
        spawn(app, "hints", |app| app.hints.run(&app.store, &app.stop))?,
        spawn(app, "rates", move |app| self::rates::run(app, feed))?,
        spawn(app, "sweep", sweep::run)?,
    ];
    for watcher in watchers {
        threads.push(spawn(app, "watcher", move |app| watcher.run(app))?);
    }
    if let Some(target) = alarms {
        threads.push(spawn(app, "alarms", move |app| alarms::run(app, &target))?);
    }
    if app.sandbox.as_ref().is_some_and(|sandbox| sandbox.mines_by_itself().is_some()) {
        threads.push(spawn(app, "mining", mine)?);
    }
    Ok(threads)
}

pub use alarms::Target as AlarmTarget;

fn spawn(app: &Arc<App>, name: &str, job: impl FnOnce(&App) + Send + 'static) -> io::Result<JoinHandle<()>> {
    let app = Arc::clone(app);
    thread::Builder::new().name(name.to_owned()).spawn(move || job(&app))
}

/// The sandbox's miners.
fn mine(app: &App) {
    let Some(sandbox) = &app.sandbox else { return };
    let Some(every) = sandbox.mines_by_itself() else { return };
    while app.stop.pause(every.max(Duration::from_millis(10))) {
        if let Err(error) = sandbox.mine_one(app.clock.now()) {
            tracing::error!(%error, "the simulated network could not be saved");
        }
    }
}
