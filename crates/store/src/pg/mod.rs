//! PostgreSQL: a small pool of connections, serializable transactions.

pub(crate) mod connect;
pub(crate) mod errors;
mod look;
mod migrate;
mod session;
pub(crate) mod values;

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

pub(crate) use self::look::{damage, look};
pub(crate) use self::session::Session;
use crate::migrations::ServerMigration;
use crate::pool::{Pool, Returned};
use crate::tx::{Connection, Ran, run_use_case};
use crate::{StoreError, Tx};

/// Connections at most: beyond a few per core, serializable transactions only abort one another more often.
const CONNECTIONS: usize = 8;

/// An open PostgreSQL database.
pub(crate) struct PostgresStore {
    config: ::postgres::Config,
    pool: Pool<Session>,
}

impl PostgresStore {
    pub fn open(url: &str, migrations: &[ServerMigration]) -> Result<Self, StoreError> {
        Self::open_if(url, migrations, connect::refuse_unfinished)
    }

    /// Opens a database that a restore is filling: nobody else can.
    pub fn open_unfinished(url: &str, migrations: &[ServerMigration]) -> Result<Self, StoreError> {
        Self::open_if(url, migrations, |_| Ok(()))
    }

    fn open_if(
        url: &str,
        migrations: &[ServerMigration],
        fit: impl FnOnce(&mut ::postgres::Client) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let config = connect::config(url)?;
        let mut client = connect::connect(&config)?;
        connect::check(&mut client)?;
        fit(&mut client)?;
        migrate::migrate(&mut client, &ServerMigration::for_postgres(migrations))?;
        Ok(Self { config, pool: Pool::new(CONNECTIONS) })
    }

    /// One attempt at a use case. Advisory locks are taken before the transaction, since its snapshot would
    /// otherwise be older than the lock: a use case that asks for one that is not held is undone, and run again under it.
    /// `locks` are those asked for so far.
    pub fn write<T, E, F>(&self, locks: &mut Vec<i64>, use_case: &Mutex<F>, give_up: Option<Instant>) -> Ran<T, E>
    where
        E: From<StoreError>,
        F: FnMut(&mut Tx<'_>) -> Result<T, E>,
    {
        self.with(give_up, |session| {
            loop {
                if let Err(fault) = session.lock(locks) {
                    return Ran::failed(fault);
                }
                let mut use_case = use_case.lock().unwrap_or_else(PoisonError::into_inner);
                let ran = write_once(session, &mut *use_case);
                session.unlock();
                match ran.fault {
                    Some(StoreError::LockNeeded { key }) if !locks.contains(&key) => locks.push(key),
                    _ => return ran,
                }
            }
        })
    }

    /// One attempt at a read. Repeatable read sees one moment and never aborts.
    pub fn read<T, E: From<StoreError>>(
        &self,
        query: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
        give_up: Option<Instant>,
    ) -> Ran<T, E> {
        self.with(give_up, |session| read_once(session, query))
    }

    fn with<T, E: From<StoreError>>(
        &self,
        give_up: Option<Instant>,
        use_it: impl FnOnce(&mut Session) -> Ran<T, E>,
    ) -> Ran<T, E> {
        let open = || connect::connect(&self.config).map(Session::new);
        let lent = self.pool.with(give_up, open, |session| {
            let ran = use_it(session);
            (ran, if session.is_broken() { Returned::Broken } else { Returned::Usable })
        });
        lent.unwrap_or_else(Ran::failed)
    }

    pub fn check(&self, sql: &str) -> Result<(), StoreError> {
        let open = || connect::connect(&self.config).map(Session::new);
        self.pool.with(None, open, |session| (session.check(sql), Returned::Spent))?
    }

    /// Closing a connection blocks, which a thread that drives asynchronous tasks must not: another one does it.
    pub fn close(&self) {
        std::thread::scope(|scope| {
            scope.spawn(|| self.pool.close());
        });
    }

    pub fn is_closed(&self) -> bool {
        self.pool.is_closed()
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.close();
    }
}

/// Begins a snapshot, runs, ends it.
pub(crate) fn read_once<T, E: From<StoreError>>(
    session: &mut Session,
    query: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Ran<T, E> {
    if let Err(fault) = session.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
        return Ran::failed(fault);
    }
    let ran = run_use_case(&mut Tx::new(Connection::Postgres(session)), query);
    session.rollback();
    ran
}

/// Begins, runs, commits. A refusal goes back to the savepoint and commits as well: what it read, and answered from,
/// is only known to be true once the commit says so.
fn write_once<T, E: From<StoreError>>(
    session: &mut Session,
    use_case: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Ran<T, E> {
    if let Err(fault) = session.batch("BEGIN ISOLATION LEVEL SERIALIZABLE; SAVEPOINT use_case") {
        return Ran::failed(fault);
    }
    let ran = run_use_case(&mut Tx::new(Connection::Postgres(session)), use_case);
    if ran.fault.as_ref().is_some_and(StoreError::ends_transaction) {
        session.rollback();
        return ran;
    }
    if ran.outcome.is_err()
        && let Err(fault) = session.batch("ROLLBACK TO SAVEPOINT use_case")
    {
        session.rollback();
        return Ran::failed(fault);
    }
    match session.commit() {
        Ok(()) => ran,
        Err(fault) => Ran::failed(fault),
    }
}
