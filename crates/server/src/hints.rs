//! Hints that an account has something new. The head of its sync says so: it is read once a second, and at once when
//! this process has committed something, so that it works alike on both engines and with any number of processes.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use backend::Refusal;
use store::Store;
use store::repo::account;
use tokio::sync::watch;

use crate::stop::Stop;

/// Without any commit of our own, heads are read this often.
const EVERY: Duration = Duration::from_secs(1);
/// Streams of one account at the same time.
const STREAMS_PER_ACCOUNT: usize = 16;

/// Who is listening to which account.
#[derive(Default)]
pub struct Hints {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    look: bool,
    heads: HashMap<String, watch::Sender<i64>>,
}

impl Hints {
    /// Listens to an account: the value changes when its head moves, and once at the beginning. `None` when too many listen.
    pub fn subscribe(&self, account_id: &str) -> Option<watch::Receiver<i64>> {
        let mut state = self.lock();
        state.look = true;
        let head = state.heads.entry(account_id.to_owned()).or_insert_with(|| watch::Sender::new(-1));
        let receiver = (head.receiver_count() < STREAMS_PER_ACCOUNT).then(|| head.subscribe());
        drop(state);
        self.woken.notify_all();
        receiver
    }

    /// Something was committed.
    pub fn wake(&self) {
        self.lock().look = true;
        self.woken.notify_all();
    }

    /// How many streams are open.
    pub fn streams(&self) -> usize {
        self.lock().heads.values().map(watch::Sender::receiver_count).sum()
    }

    /// Watches heads until everything stops.
    pub fn run(&self, store: &Store, stop: &Stop) {
        while stop.pause(Duration::ZERO) {
            self.wait();
            let accounts = self.listened();
            if accounts.is_empty() {
                continue;
            }
            let read = store.read(|tx| {
                accounts.iter().map(|id| Ok(account::head(tx, id)?.seq)).collect::<Result<Vec<_>, Refusal>>()
            });
            match read {
                Ok(seqs) => self.tell(accounts.iter().zip(seqs)),
                Err(error) => tracing::warn!(%error, "heads could not be read"),
            }
        }
    }

    fn wait(&self) {
        let waited = self.woken.wait_timeout_while(self.lock(), EVERY, |state| !state.look);
        waited.unwrap_or_else(PoisonError::into_inner).0.look = false;
    }

    fn listened(&self) -> Vec<String> {
        let mut state = self.lock();
        state.heads.retain(|_, head| head.receiver_count() > 0);
        state.heads.keys().cloned().collect()
    }

    fn tell<'a>(&self, heads: impl Iterator<Item = (&'a String, i64)>) {
        let state = self.lock();
        for (account, seq) in heads {
            if let Some(head) = state.heads.get(account) {
                head.send_if_modified(|known| std::mem::replace(known, seq) != seq);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
