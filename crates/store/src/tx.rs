//! One open transaction, the same on both engines.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Engine, Row, StoreError, Value, pg, sqlite};

/// An open transaction, lent to a use case. It is committed or undone by whoever lent it.
///
/// A failed statement fails the use case, on both engines: later statements answer `AfterFailure`, and an `Ok` of the
/// use case becomes the first failure. What may fail and be survived goes through [`Tx::attempt`].
pub struct Tx<'t> {
    connection: Connection<'t>,
    fault: Option<StoreError>,
}

pub(crate) enum Connection<'t> {
    Sqlite(&'t rusqlite::Connection),
    Postgres(&'t mut pg::Session),
}

impl<'t> Tx<'t> {
    pub(crate) fn new(connection: Connection<'t>) -> Self {
        Self { connection, fault: None }
    }

    /// The engine underneath. Repositories should not need it.
    pub fn engine(&self) -> Engine {
        match self.connection {
            Connection::Sqlite(_) => Engine::Sqlite,
            Connection::Postgres(_) => Engine::Postgres,
        }
    }

    /// Runs a statement that returns no rows; the number of rows it changed.
    pub fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, StoreError> {
        let changed = self.run(params, |connection| match connection {
            Connection::Sqlite(connection) => sqlite::exec::execute(connection, sql, params),
            Connection::Postgres(session) => session.execute(sql, params),
        })?;
        if faults::planted(faults::HALF_COMMITTED) {
            self.commit_so_far()?;
        }
        Ok(changed)
    }

    /// The planted fault: what was done so far is kept, and for a moment the rest is not.
    fn commit_so_far(&mut self) -> Result<(), StoreError> {
        let begin = match self.engine() {
            Engine::Sqlite => "BEGIN IMMEDIATE",
            Engine::Postgres => "BEGIN ISOLATION LEVEL SERIALIZABLE",
        };
        for sql in ["COMMIT", begin, "SAVEPOINT use_case"] {
            self.control(sql)?;
        }
        std::thread::sleep(std::time::Duration::from_millis(3));
        Ok(())
    }

    /// Runs a statement and returns all its rows.
    pub fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, StoreError> {
        self.run(params, |connection| match connection {
            Connection::Sqlite(connection) => sqlite::exec::query(connection, sql, params),
            Connection::Postgres(session) => session.query(sql, params),
        })
    }

    /// At most one row; `TooManyRows` when there are more.
    pub fn query_opt(&mut self, sql: &str, params: &[Value]) -> Result<Option<Row>, StoreError> {
        let mut rows = self.query(sql, params)?;
        if rows.len() > 1 {
            return Err(StoreError::TooManyRows);
        }
        Ok(rows.pop())
    }

    /// Exactly one row; `RowMissing` or `TooManyRows` otherwise.
    pub fn query_one(&mut self, sql: &str, params: &[Value]) -> Result<Row, StoreError> {
        self.query_opt(sql, params)?.ok_or(StoreError::RowMissing)
    }

    /// Holds an advisory lock around the whole transaction, on PostgreSQL: for a row so hot that serializable transactions would
    /// abort one another instead of queueing. SQLite's one writer needs none. Safety never rests on it.
    ///
    /// # Errors
    /// `LockNeeded` when it is not held yet: the store undoes what was done and runs the use case again under the lock. So it is
    /// asked for before the row is read, and the earlier the less is done twice.
    pub fn hold(&mut self, key: i64) -> Result<(), StoreError> {
        self.run(&[], |connection| match connection {
            Connection::Postgres(session) if !session.holds(key) => Err(StoreError::LockNeeded { key }),
            Connection::Postgres(_) | Connection::Sqlite(_) => Ok(()),
        })
    }

    /// Runs a part that may fail on its own: its changes are undone when it returns `Err`, and the transaction goes on.
    /// What ends the whole transaction (a serialization failure, a full disk, a lost connection) still ends it.
    pub fn attempt<T, E: From<StoreError>>(&mut self, part: impl FnOnce(&mut Tx<'t>) -> Result<T, E>) -> Result<T, E> {
        self.control("SAVEPOINT attempt")?;
        let outcome = part(self);
        if let (Ok(value), None) = (&outcome, &self.fault) {
            let _ = value;
            self.control("RELEASE SAVEPOINT attempt")?;
            return outcome;
        }
        let fault = self.fault.clone();
        if fault.as_ref().is_none_or(|fault| !fault.ends_transaction()) {
            self.fault = None;
            self.control("ROLLBACK TO SAVEPOINT attempt")?;
            self.control("RELEASE SAVEPOINT attempt")?;
        }
        match (outcome, fault) {
            (Ok(_), Some(fault)) => Err(E::from(fault)),
            (outcome, _) => outcome,
        }
    }

    /// The first failure of a statement, if any.
    pub(crate) fn fault(&self) -> Option<&StoreError> {
        self.fault.as_ref()
    }

    /// A transaction-control statement of the engine layer itself.
    pub(crate) fn control(&mut self, sql: &str) -> Result<(), StoreError> {
        self.run(&[], |connection| match connection {
            Connection::Sqlite(connection) => sqlite::exec::execute(connection, sql, &[]).map(|_| ()),
            Connection::Postgres(session) => session.batch(sql),
        })
    }

    fn run<T>(
        &mut self,
        params: &[Value],
        statement: impl FnOnce(&mut Connection<'t>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.fault.is_some() {
            return Err(StoreError::AfterFailure);
        }
        let nul = params.iter().any(|value| matches!(value, Value::Text(text) if text.contains('\0')));
        let outcome = if nul { Err(StoreError::NulInText) } else { statement(&mut self.connection) };
        if let Err(error) = &outcome {
            self.fault = Some(error.clone());
        }
        outcome
    }
}

/// How one run of a use case ended.
pub(crate) struct Ran<T, E> {
    pub outcome: Result<T, E>,
    /// The store's own failure, if that is what ended it.
    pub fault: Option<StoreError>,
}

impl<T, E: From<StoreError>> Ran<T, E> {
    pub fn failed(fault: StoreError) -> Self {
        Ran { outcome: Err(E::from(fault.clone())), fault: Some(fault) }
    }
}

/// Runs a use case in an open transaction; a panic becomes `Panicked`, a swallowed failure comes back.
pub(crate) fn run_use_case<T, E: From<StoreError>>(
    tx: &mut Tx<'_>,
    use_case: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> Ran<T, E> {
    match catch_unwind(AssertUnwindSafe(|| use_case(tx))) {
        Err(panic) => Ran::failed(StoreError::Panicked { message: panic_message(panic.as_ref()) }),
        Ok(outcome) => match (outcome, tx.fault().cloned()) {
            (Ok(_), Some(fault)) => Ran::failed(fault),
            (outcome, fault) => Ran { outcome, fault },
        },
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
