//! Group commit: many use cases, a savepoint each, one commit, and answers only after it.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::errors::from_sqlite;
use super::exec;
use super::writer::Job;
use crate::StoreError;
use crate::tx::{self, Tx};

/// Use cases in one commit at most: beyond it the gain is small and the first one waits for the last.
const MOST: usize = 256;
/// No use case joins a batch that has been open for this long.
const LONGEST: Duration = Duration::from_millis(50);

/// Runs the first job and those that queued up meanwhile, commits and answers all of them.
pub(super) fn run_batch(connection: &Connection, first: Box<dyn Job>, jobs: &Receiver<Box<dyn Job>>) {
    let started = Instant::now();
    if let Err(failure) = control(connection, "BEGIN IMMEDIATE") {
        return first.answer(Some(failure));
    }
    let mut done = Vec::new();
    let mut next = Some(first);
    let mut whole = Ok(());
    while let Some(mut job) = next.take() {
        if job.is_late() {
            job.answer(Some(StoreError::Busy));
        } else {
            whole = run_in_savepoint(connection, job.as_mut());
            done.push(job);
        }
        if whole.is_ok() && done.len() < MOST && started.elapsed() < LONGEST {
            next = jobs.try_recv().ok();
        }
    }
    let committed = whole.and_then(|()| commit(connection));
    abandon(connection);
    match committed {
        Ok(()) => done.into_iter().for_each(|job| job.answer(None)),
        Err(_) => done.into_iter().for_each(|job| run_alone(connection, job)),
    }
}

/// A failure ended the transaction of all: each gets one of its own, so that only those it strikes again suffer.
fn run_alone(connection: &Connection, mut job: Box<dyn Job>) {
    if job.panicked() {
        return job.answer(None);
    }
    if let Err(failure) = control(connection, "BEGIN IMMEDIATE") {
        return job.answer(Some(failure));
    }
    let whole = run_in_savepoint(connection, job.as_mut());
    let committed = whole.and_then(|()| commit(connection));
    abandon(connection);
    job.answer(committed.err());
}

/// Runs a job between savepoints; an error when the transaction no longer stands.
fn run_in_savepoint(connection: &Connection, job: &mut dyn Job) -> Result<(), StoreError> {
    control(connection, "SAVEPOINT use_case")?;
    let ran = job.run(&mut Tx::new(tx::Connection::Sqlite(connection)));
    if connection.is_autocommit() {
        let ended = StoreError::Io { detail: "the transaction was ended inside a use case".to_owned() };
        return Err(ran.err().flatten().unwrap_or(ended));
    }
    if ran.is_err() {
        control(connection, "ROLLBACK TO SAVEPOINT use_case")?;
    }
    control(connection, "RELEASE SAVEPOINT use_case")
}

/// Commits. A log that could not be synced may hold the commit all the same: that is not «nothing was done».
fn commit(connection: &Connection) -> Result<(), StoreError> {
    control(connection, "COMMIT").map_err(|error| match error {
        StoreError::Io { detail } => StoreError::CommitUnknown { detail },
        other => other,
    })
}

/// Ends what a failure left open.
fn abandon(connection: &Connection) {
    if !connection.is_autocommit() {
        // When even this fails, the next BEGIN fails too and its caller is told.
        let _ = connection.execute_batch("ROLLBACK").map_err(|error| from_sqlite(connection, error));
    }
}

fn control(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    exec::execute(connection, sql, &[]).map(|_| ())
}
