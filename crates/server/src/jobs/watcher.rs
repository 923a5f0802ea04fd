//! The watcher of a network: applies blocks one by one, compares the mempool at the tip, and says when the node fails.

use std::time::{Duration, Instant};

use backend::watch::{self, Applied, PoolReading};
use backend::{Policy, Refusal};
use chains::{BlockRef, ChainError, ChainReader, Follower, MempoolView, Step, WatchError, WatchSet};
use domain::{Network, Timestamp};
use store::repo::address;
use store::{StoreError, Tx};
use thiserror::Error;

use crate::app::App;
use crate::clock::Clock;

/// The longest pause between two tries at a node that fails.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// While many blocks are caught up, the node's height is noted this often.
const NOTE_EVERY: Duration = Duration::from_secs(5);
/// When nothing is new at the tip, this is written down at least this often.
const WRITE_EVERY_MICROS: i64 = 1_000_000;

/// A watcher before it runs.
pub struct Watcher {
    /// The network.
    pub network: Network,
    /// Which chain, and where it begins.
    pub follower: Follower,
    /// Reads the node.
    pub reader: Box<dyn ChainReader>,
    /// Pause between two looks.
    pub poll: Duration,
}

/// Why a round ended early.
#[derive(Debug, Error)]
enum RoundError {
    #[error(transparent)]
    Chain(#[from] ChainError),
    #[error(transparent)]
    Watch(#[from] WatchError),
    #[error(transparent)]
    Inside(#[from] Refusal),
}

/// What was last written at the tip.
struct Written {
    generation: i64,
    view: MempoolView,
    at: Timestamp,
}

struct State {
    watch: WatchSet,
    watched: i64,
    written: Option<Written>,
    noted: Instant,
}

impl Watcher {
    /// Watches until everything stops.
    pub(super) fn run(mut self, app: &App) {
        let network = self.network;
        if let Err(error) = app.store.write_job(move |tx| watch::start(tx, network)) {
            tracing::error!(network = network.code(), %error, "the watcher could not be made");
            return;
        }
        let mut state = State { watch: WatchSet::new(), watched: -1, written: None, noted: Instant::now() };
        // An alarm may stand from before: the first good round clears it.
        let mut failing = true;
        let mut pause = self.poll;
        while app.stop.pause(pause) {
            match self.round(app, &mut state) {
                Ok(()) => {
                    pause = self.poll;
                    if failing && app.store.write_job(move |tx| watch::recovered(tx, network)).is_ok() {
                        failing = false;
                        tracing::info!(network = network.code(), "the watcher keeps up");
                    }
                }
                Err(RoundError::Inside(Refusal::Store(StoreError::Closed))) => return,
                // The chain moved while it was read: look again.
                Err(RoundError::Chain(ChainError::Moved)) => pause = self.poll,
                Err(error) => {
                    failing = true;
                    state.written = None;
                    pause = (pause * 2).max(Duration::from_millis(200)).min(LONGEST_PAUSE);
                    note_failure(app, network, &error);
                }
            }
        }
    }

    /// Applies what is new until the tip is reached, then compares the mempool.
    fn round(&mut self, app: &App, state: &mut State) -> Result<(), RoundError> {
        while app.stop.pause(Duration::ZERO) {
            self.refresh(app, state)?;
            let network = self.network;
            let (generation, recent) = app.store.read(|tx| watch::position(tx, network))?;
            match self.follower.next_step(&mut *self.reader, &state.watch, &recent)? {
                Step::Extend(block) => {
                    let height = block.at.height;
                    let extend = move |tx: &mut Tx<'_>, policy: &Policy, now| {
                        watch::extend(tx, policy, now, network, generation, &block)
                    };
                    if self.apply(app, state, extend)? == Applied::Done {
                        tracing::debug!(network = network.code(), height, "block applied");
                    }
                }
                Step::Undo { back_to, lost } => self.undo(app, state, generation, back_to, lost)?,
                Step::AtTip(tip) => return self.at_tip(app, state, generation, &tip),
            }
            self.note_height(app, state)?;
        }
        Ok(())
    }

    fn undo(
        &mut self,
        app: &App,
        state: &State,
        generation: i64,
        back_to: Option<BlockRef>,
        lost: Vec<BlockRef>,
    ) -> Result<(), RoundError> {
        let network = self.network;
        tracing::warn!(network = network.code(), blocks = lost.len(), "a fork: blocks are undone");
        let undo = move |tx: &mut Tx<'_>, policy: &Policy, now| {
            watch::undo(tx, policy, now, network, generation, back_to.as_ref(), &lost)
        };
        self.apply(app, state, undo).map(|_| ())
    }

    fn at_tip(&mut self, app: &App, state: &mut State, generation: i64, tip: &BlockRef) -> Result<(), RoundError> {
        let began = app.clock.now();
        let view = self.reader.mempool(&state.watch)?;
        let (network, height, now) = (self.network, tip.height, app.clock.now());
        let fresh = state.written.as_ref().is_some_and(|written| {
            let recent = (0..WRITE_EVERY_MICROS).contains(&now.micros_since(written.at));
            recent && written.generation == generation && written.view == view
        });
        if fresh {
            return Ok(());
        }
        let kept = view.clone();
        let compare = move |tx: &mut Tx<'_>, policy: &Policy, now| {
            watch::checked(tx, network, now, height)?;
            watch::mempool(tx, policy, now, network, &PoolReading { generation, began, view: &view })
        };
        let applied = self.apply(app, state, compare)?;
        state.written = (applied == Applied::Done).then_some(Written { generation, view: kept, at: now });
        state.noted = Instant::now();
        Ok(())
    }

    /// Runs a step, unless addresses were imported since the watch set was read: the step may lack transfers to them.
    fn apply(
        &self,
        app: &App,
        state: &State,
        mut step: impl FnMut(&mut Tx<'_>, &Policy, Timestamp) -> Result<Applied, Refusal> + Send + 'static,
    ) -> Result<Applied, RoundError> {
        let (network, watched) = (self.network, state.watched);
        let (policy, clock): (Policy, Clock) = (app.policy.clone(), app.clock.clone());
        let applied = app.store.write_job(move |tx| {
            if address::watched_count(tx, network.code())? != watched {
                return Ok(Applied::Stale);
            }
            step(tx, &policy, clock.now())
        })?;
        app.hints.wake();
        Ok(applied)
    }

    /// Reads the addresses again when there are more of them.
    fn refresh(&self, app: &App, state: &mut State) -> Result<(), RoundError> {
        let code = self.network.code();
        if app.store.read(|tx| address::watched_count(tx, code).map_err(Refusal::from))? == state.watched {
            return Ok(());
        }
        let rows = app.store.read(|tx| address::watched(tx, code).map_err(Refusal::from))?;
        for (script_hex, address) in &rows {
            state.watch.insert(script_hex, address)?;
        }
        state.watched = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        state.written = None;
        tracing::info!(network = code, addresses = rows.len(), "addresses watched");
        Ok(())
    }

    /// Notes now and then that the node answers while many blocks are caught up.
    fn note_height(&mut self, app: &App, state: &mut State) -> Result<(), RoundError> {
        if state.noted.elapsed() < NOTE_EVERY {
            return Ok(());
        }
        state.noted = Instant::now();
        let (network, tip) = (self.network, self.reader.tip()?);
        let clock = app.clock.clone();
        app.store.write_job(move |tx| watch::checked(tx, network, clock.now(), tip.height))?;
        Ok(())
    }
}

/// Raises the alarm. The chain's errors hold no password; what failed inside is told in the log alone.
fn note_failure(app: &App, network: Network, error: &RoundError) {
    let short = match error {
        RoundError::Chain(error) => error.to_string(),
        RoundError::Watch(_) => "two addresses have one script".to_owned(),
        RoundError::Inside(_) => "a block could not be applied".to_owned(),
    };
    tracing::warn!(network = network.code(), %error, "the watcher does not get on");
    let now = app.clock.now();
    if let Err(error) = app.store.write_job(move |tx| watch::failed(tx, network, now, &short)) {
        tracing::error!(%error, "the failure could not be noted");
    }
}
