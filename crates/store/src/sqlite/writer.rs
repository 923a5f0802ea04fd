//! The one writer: a thread that drains a queue of use cases, commits them together and answers only then.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use rusqlite::Connection;

use super::batch::run_batch;
use crate::store::Outermost;
use crate::tx::{Ran, run_use_case};
use crate::{StoreError, Tx};

/// The writer thread and the way to it.
pub(crate) struct Writer {
    queue: Mutex<Option<Sender<Box<dyn Job>>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub fn start(connection: Connection) -> Result<Self, StoreError> {
        let (queue, jobs) = channel();
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || drain(connection, &jobs))
            .map_err(|error| StoreError::Io { detail: error.to_string() })?;
        Ok(Self { queue: Mutex::new(Some(queue)), thread: Mutex::new(Some(thread)) })
    }

    /// Queues a use case and waits for the commit it is part of.
    pub fn run<T, E, F>(&self, use_case: Arc<Mutex<F>>, give_up: Option<Instant>) -> Ran<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    {
        let (reply, answer) = sync_channel(1);
        let job = Box::new(UseCase { use_case, give_up, ran: None, reply });
        let queue = lock(&self.queue).clone();
        match queue.map(|queue| queue.send(job)) {
            Some(Ok(())) => answer.recv().unwrap_or_else(|_| Ran::failed(StoreError::Closed)),
            _ => Ran::failed(StoreError::Closed),
        }
    }

    pub fn close(&self) {
        drop(lock(&self.queue).take());
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // The thread answers what is queued and ends; it has nothing left to say.
            let _ = thread.join();
        }
    }

    pub fn is_closed(&self) -> bool {
        lock(&self.queue).is_none()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn drain(connection: Connection, jobs: &Receiver<Box<dyn Job>>) {
    // Everything on this thread happens inside a transaction.
    let _inside = Outermost::enter();
    while let Ok(first) = jobs.recv() {
        run_batch(&connection, first, jobs);
    }
}

/// A use case in the queue, whatever its types.
pub(super) trait Job: Send {
    /// Runs it in the transaction. `Err` when its changes are to be undone, with the store's failure if that is why.
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), Option<StoreError>>;
    /// Whether its last run panicked, so that it must not run again.
    fn panicked(&self) -> bool;
    /// Whether its caller's patience has ended.
    fn is_late(&self) -> bool;
    /// Answers the caller: with what the run said, or with the failure that undid it.
    fn answer(self: Box<Self>, failure: Option<StoreError>);
}

struct UseCase<T, E, F> {
    use_case: Arc<Mutex<F>>,
    give_up: Option<Instant>,
    ran: Option<Ran<T, E>>,
    reply: SyncSender<Ran<T, E>>,
}

impl<T, E, F> Job for UseCase<T, E, F>
where
    T: Send,
    E: From<StoreError> + Send,
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), Option<StoreError>> {
        let mut use_case = self.use_case.lock().unwrap_or_else(PoisonError::into_inner);
        let ran = run_use_case(tx, &mut *use_case);
        drop(use_case);
        let verdict = if ran.outcome.is_ok() { Ok(()) } else { Err(ran.fault.clone()) };
        self.ran = Some(ran);
        verdict
    }

    fn panicked(&self) -> bool {
        matches!(&self.ran, Some(Ran { fault: Some(StoreError::Panicked { .. }), .. }))
    }

    fn is_late(&self) -> bool {
        self.give_up.is_some_and(|at| Instant::now() >= at)
    }

    fn answer(self: Box<Self>, failure: Option<StoreError>) {
        let ran = match (failure, self.ran) {
            (Some(failure), _) => Ran::failed(failure),
            (None, Some(ran)) => ran,
            (None, None) => Ran::failed(StoreError::Closed),
        };
        // A caller that is gone needs no answer.
        let _ = self.reply.send(ran);
    }
}
