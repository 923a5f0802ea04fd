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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use rusqlite::Connection;

    use super::{Job, MOST, run_batch};
    use crate::{StoreError, Tx, Value};

    type Act = fn(&mut Tx<'_>, u32) -> Result<(), Option<StoreError>>;
    type Answer = (i64, Option<StoreError>, bool);

    /// Inserts its number; what else it does is told by `act`.
    struct Planted {
        number: i64,
        runs: u32,
        act: Act,
        answers: Sender<Answer>,
        watch: Connection,
    }

    impl Job for Planted {
        fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), Option<StoreError>> {
            self.runs += 1;
            tx.execute("INSERT INTO t (n) VALUES ($1)", &[Value::Int(self.number)]).map_err(Some)?;
            (self.act)(tx, self.runs)
        }
        fn panicked(&self) -> bool {
            false
        }
        fn is_late(&self) -> bool {
            self.number < 0
        }
        fn answer(self: Box<Self>, failure: Option<StoreError>) {
            let kept = self.watch.query_row("SELECT COUNT(*) FROM t WHERE n = ?1", [self.number], |row| row.get(0));
            self.answers.send((self.number, failure, kept.unwrap())).unwrap();
        }
    }

    /// Runs the jobs as one queue; the answers, and whether each one's row could be seen from outside when it was answered.
    fn answers(jobs: Vec<(i64, Act)>) -> Vec<Answer> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.db");
        let connection = crate::sqlite::open::writer(&path).unwrap();
        connection.execute_batch("CREATE TABLE t (n INTEGER NOT NULL PRIMARY KEY) STRICT").unwrap();
        let (queue, waiting) = channel::<Box<dyn Job>>();
        let (answers, answered) = channel();
        for (number, act) in jobs {
            let watch = crate::sqlite::open::reader(&path).unwrap();
            queue.send(Box::new(Planted { number, runs: 0, act, answers: answers.clone(), watch })).unwrap();
        }
        drop((queue, answers));
        while let Ok(first) = waiting.try_recv() {
            run_batch(&connection, first, &waiting);
            assert!(connection.is_autocommit(), "a batch left its transaction open");
        }
        answered.into_iter().collect()
    }

    /// An answer before the commit would be a promise that a crash breaks.
    #[test]
    fn everyone_is_answered_after_the_commit_of_all() {
        let answers = answers(vec![(1, |_, _| Ok(())), (2, |_, _| Err(None)), (3, |_, _| Ok(())), (-4, |_, _| Ok(()))]);
        let late = (-4, Some(StoreError::Busy), false);
        assert_eq!(answers, [late, (1, None, true), (2, None, false), (3, None, true)]);
    }

    /// What ends the transaction of all (here: rolled back under a job's hands) is repeated for each alone.
    #[test]
    fn a_failure_that_ends_the_batch_strikes_only_its_own_job() {
        let answers = answers(vec![
            (1, |_, _| Ok(())),
            (2, |tx, _| tx.control("ROLLBACK").and(Err(StoreError::Full)).map_err(Some)),
            (3, |tx, runs| if runs == 1 { tx.control("ROLLBACK").map_err(Some) } else { Ok(()) }),
            (4, |_, _| Ok(())),
        ]);
        // The first batch ends with 2; 3 then ends its own batch once and succeeds alone.
        assert_eq!(answers, [(1, None, true), (2, Some(StoreError::Full), false), (3, None, true), (4, None, true)]);
    }

    #[test]
    fn a_long_queue_is_committed_in_several_batches() {
        let count = i64::try_from(MOST).unwrap() + 10;
        let answers = answers((1..=count).map(|number| (number, (|_, _| Ok(())) as Act)).collect());
        assert_eq!(answers.len(), MOST + 10);
        assert!(answers.iter().all(|(_, failure, kept)| failure.is_none() && *kept));
    }
}
