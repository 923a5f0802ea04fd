//! The store: the one way to run a transaction, whatever the engine.

use std::cell::Cell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::migrations::ServerMigration;
use crate::tx::Ran;
use crate::{Engine, Settings, StoreError, Tx, migrations, pg, sqlite};

/// How long a request's use case is tried again before its caller is told; jobs have no such limit.
pub const REQUEST_PATIENCE: Duration = Duration::from_secs(8);

/// An open database. Cheap to clone; the last clone closes it.
///
/// Every call blocks the calling thread, so asynchronous code calls it from a blocking task (one that is not cancelled
/// when a client hangs up).
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

enum Inner {
    Sqlite(sqlite::SqliteStore),
    Postgres(pg::PostgresStore),
}

impl Store {
    /// Opens the server's database and brings its schema up to date.
    pub fn open(settings: &Settings) -> Result<Store, StoreError> {
        Self::open_with(settings, migrations::SERVER)
    }

    /// Opens a database with another list of migrations.
    pub fn open_with(settings: &Settings, migrations: &[ServerMigration]) -> Result<Store, StoreError> {
        let inner = match settings {
            Settings::Sqlite { path } => Inner::Sqlite(sqlite::SqliteStore::open(path, migrations)?),
            Settings::Postgres { url } => Inner::Postgres(pg::PostgresStore::open(url, migrations)?),
        };
        Ok(Store { inner: Arc::new(inner) })
    }

    /// The engine underneath.
    pub fn engine(&self) -> Engine {
        match &*self.inner {
            Inner::Sqlite(_) => Engine::Sqlite,
            Inner::Postgres(_) => Engine::Postgres,
        }
    }

    /// Runs a request's use case and returns after its commit, refusals (`Err`) included; a refusal undoes only its own
    /// changes.
    ///
    /// The use case may run several times, so it has no effect but through `tx`, and it must have a unique cause: a
    /// second run after a commit whose answer was lost finds the first one's rows and answers from them.
    pub fn write<T, E>(&self, use_case: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(false, use_case)
    }

    /// Like [`Store::write`] for a job: transient failures are waited out until the store is closed.
    pub fn write_job<T, E>(&self, use_case: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(true, use_case)
    }

    /// A job is tried until it succeeds, is refused, or the store is closed; everything else for [`REQUEST_PATIENCE`].
    fn run<T, E>(&self, job: bool, use_case: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _outermost = Outermost::enter()?;
        let use_case = Arc::new(Mutex::new(use_case));
        let mut locks = Vec::new();
        retry(
            job,
            || self.is_closed(),
            |give_up| match &*self.inner {
                Inner::Sqlite(store) => store.write(Arc::clone(&use_case), give_up),
                Inner::Postgres(store) => store.write(&mut locks, &use_case, give_up),
            },
        )
    }

    /// Runs a read-only snapshot: everything it sees is of one moment, and every write fails. It may run again when the
    /// connection broke.
    pub fn read<T, E: From<StoreError>>(&self, mut query: impl FnMut(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        let _outermost = Outermost::enter()?;
        retry(
            false,
            || self.is_closed(),
            |give_up| match &*self.inner {
                Inner::Sqlite(store) => store.read(&mut query, give_up),
                Inner::Postgres(store) => store.read(&mut query, give_up),
            },
        )
    }

    /// Checks that a statement can be prepared, and that the types of its parameters and columns exist on both engines.
    pub fn check(&self, sql: &str) -> Result<(), StoreError> {
        match &*self.inner {
            Inner::Sqlite(store) => store.check(sql),
            Inner::Postgres(store) => store.check(sql),
        }
    }

    /// Ends the store for all clones: waiting writes are answered, later calls and waiting jobs get `Closed`.
    pub fn close(&self) {
        match &*self.inner {
            Inner::Sqlite(store) => store.close(),
            Inner::Postgres(store) => store.close(),
        }
    }

    /// Whether [`Store::close`] was called.
    pub fn is_closed(&self) -> bool {
        match &*self.inner {
            Inner::Sqlite(store) => store.is_closed(),
            Inner::Postgres(store) => store.is_closed(),
        }
    }
}

/// Runs attempts until one succeeds, is refused, fails for good, or patience ends.
fn retry<T, E: From<StoreError>>(
    job: bool,
    closed: impl Fn() -> bool,
    mut attempt: impl FnMut(Option<Instant>) -> Ran<T, E>,
) -> Result<T, E> {
    let give_up = (!job).then(|| Instant::now() + REQUEST_PATIENCE);
    let mut unknown = None;
    for round in 0_u32.. {
        if closed() {
            return Err(E::from(unknown.unwrap_or(StoreError::Closed)));
        }
        let ran = attempt(give_up);
        let Some(fault) = ran.fault else { return ran.outcome };
        let again = if job { fault.is_transient() } else { fault.is_retryable() };
        let pause = pause(round);
        let late = give_up.is_some_and(|at| Instant::now() + pause >= at);
        if matches!(fault, StoreError::CommitUnknown { .. }) {
            unknown = Some(fault.clone());
        }
        if !again || late {
            // An earlier run may have been committed: «nothing was done» would be a lie.
            return match unknown {
                Some(unknown) if fault.is_transient() => Err(E::from(unknown)),
                _ => ran.outcome,
            };
        }
        std::thread::sleep(pause);
    }
    Err(E::from(StoreError::Busy))
}

/// A pause before the next round: up to 1 ms doubled each round, at most 250 ms, of random length so that two
/// transactions that collided do not collide again.
fn pause(round: u32) -> Duration {
    let longest_micros = 1_000_u64 << round.min(8);
    let random = RandomState::new().build_hasher().finish();
    Duration::from_micros(random % longest_micros.min(250_000))
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Marks the thread as being inside a transaction: a second one would wait for the first for ever.
pub(crate) struct Outermost;

impl Outermost {
    pub(crate) fn enter() -> Result<Self, StoreError> {
        if INSIDE.replace(true) { Err(StoreError::Nested) } else { Ok(Self) }
    }
}

impl Drop for Outermost {
    fn drop(&mut self) {
        INSIDE.set(false);
    }
}
