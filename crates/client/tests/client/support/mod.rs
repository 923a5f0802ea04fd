//! A small server that speaks the wire's types and keeps real state, for what the desktop does by itself. The real server's
//! own tests show the rest.
#![allow(dead_code, reason = "each test file uses its part")]

mod answers;
mod listener;
mod samples;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use api::ErrorCode;
use api::server::{Role, SyncRow};
use client::{Desktop, Keeping, Options};
use serde_json::Value;

pub use samples::{PASSWORD, register_form, sign_in_form, signed_record};

/// What the server holds.
#[derive(Default)]
pub struct State {
    /// By email: id, password, role.
    pub accounts: BTreeMap<String, (String, String, Option<Role>)>,
    /// By token: account id. Absent: ended.
    pub tokens: BTreeMap<String, String>,
    /// Tokens that are to follow and were not used yet: by their hash, the one before.
    pub next_tokens: BTreeMap<String, String>,
    /// Tokens that were replaced, with the account.
    pub replaced_tokens: BTreeMap<String, String>,
    /// Replaced tokens that were used again: a real server ends the sign-in.
    pub reused: Vec<String>,
    /// The command whose effect happens and whose answer never arrives.
    pub answers_lost_of: Option<String>,
    /// Every token asks to be replaced at once, instead of never.
    pub renew_at_once: bool,
    /// What a token without an account is answered.
    pub ended_as: Option<ErrorCode>,
    /// Rows in the order of their change, with the account and the change's number.
    pub rows: Vec<(String, u32, SyncRow)>,
    /// Raised to make every cursor unfit.
    pub generation: u32,
    /// By account and command id: body and answer.
    pub commands: BTreeMap<(String, String), (String, Value)>,
    /// Payments by notices that had an effect.
    pub notices: BTreeMap<String, u32>,
    /// Addresses handed out.
    pub next_address: u8,
    /// Rows of one page.
    pub page_size: usize,
    /// Calls by name.
    pub calls: BTreeMap<String, u32>,
    /// What `create_payment` puts in place of a good record, for one payment.
    pub record_instead: Option<String>,
    /// The line breaks as soon as this command has been answered, and stays broken until this is taken out.
    pub cut_behind: Option<(&'static str, bool)>,
    /// Seconds that the server's clock is ahead.
    pub ahead_seconds: i64,
    numbers: u32,
}

impl State {
    /// Puts a row at the end of the account's changes.
    pub fn touch(&mut self, account: &str, kind: &str, id: &str, body: Value) {
        self.rows.retain(|(owner, _, row)| !(owner == account && row.kind == kind && row.id == id));
        let number = self.number();
        self.rows.push((account.to_owned(), number, SyncRow { kind: kind.into(), id: id.into(), body }));
    }

    /// Counts a call; whether the line still stands to answer it.
    fn takes(&mut self, name: &str) -> bool {
        *self.calls.entry(name.to_owned()).or_default() += 1;
        match &mut self.cut_behind {
            Some((_, true)) => false,
            Some((last, broken)) => {
                *broken = *last == name;
                true
            }
            None => true,
        }
    }

    /// A row as it stands.
    pub fn row(&self, kind: &str, id: &str) -> Option<Value> {
        let mut rows = self.rows.iter().map(|(_, _, row)| row);
        rows.find(|row| row.kind == kind && row.id == id).map(|row| row.body.clone())
    }

    /// An id that was not given before.
    pub fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }
}

/// A running stub.
pub struct Stub {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    listeners: listener::Listeners,
}

impl Stub {
    /// Starts on a port of its own.
    pub fn start() -> Self {
        let state = State { page_size: 100, ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), listeners: listener::Listeners::default() });
        let address = listener::listen(Arc::clone(&shared));
        Self { address, shared }
    }

    /// Its state.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as a desktop is told it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sends an event to everybody who listens.
    pub fn send_event(&self, name: &str) {
        self.shared.listeners.send(name);
    }

    /// How many listen.
    pub fn listening(&self) -> usize {
        self.shared.listeners.count()
    }

    /// How often a command was given.
    pub fn calls(&self, name: &str) -> u32 {
        self.state().calls.get(name).copied().unwrap_or(0)
    }
}

/// A desktop on a folder, talking to a server, with keys under the password.
pub fn desktop(data: &Path, url: &str) -> Desktop {
    Desktop::open(Options { keeping: Keeping::PasswordOnly, ..Options::new(data.to_owned(), url) }).unwrap()
}

/// Every file and folder below, by name.
pub fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            found.push(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned());
            if path.is_dir() {
                waiting.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Waits until something holds, at most ten seconds.
pub fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("still not: {what}");
}
