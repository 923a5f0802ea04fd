//! Placing orders by the use case itself, without HTTP: what the store alone makes of it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::server::{CatalogueAnswer, PlaceOrderRequest, Role};
use backend::policy::{BUILT, Limits};
use backend::seal::Sealer;
use backend::{Caller, Policy, Refusal};
use domain::Environment;
use store::repo::account::{self, AccountRow};
use store::{Settings, Store};

use crate::load::{self, CLIENTS};
use crate::{Outcome, site};

/// A database with a catalogue and customers, and no server.
pub struct Orders {
    store: Store,
    policy: Policy,
    callers: Vec<Caller>,
    catalogue: CatalogueAnswer,
}

impl Orders {
    /// Makes it.
    ///
    /// # Errors
    /// The store's.
    pub fn new(database: &Path) -> Outcome<Self> {
        site::stock(database)?;
        let store = Store::open(&Settings::Sqlite { path: database.to_owned() })?;
        let at = site::now()?;
        let catalogue = store.read(|tx| backend::catalogue::view(tx, at))?;
        let policy = Policy {
            environment: Environment::Regtest,
            methods: BUILT.to_vec(),
            confirmations: domain::confirmations::ConfirmationPolicy::default(),
            limits: Limits::default(),
            sealer: Arc::new(Sealer::new(&[7; 32])),
        };
        let mut orders = Self { store, policy, callers: Vec::new(), catalogue };
        for number in 0..CLIENTS {
            orders.callers.push(orders.customer(number)?);
        }
        Ok(orders)
    }

    /// One after the other, from one thread: each has a commit of its own, because nobody else is there to share it.
    ///
    /// # Errors
    /// A refusal.
    pub fn one_by_one(&self, count: usize) -> Outcome<Duration> {
        let requests = (0..count).map(|turn| load::order(&self.catalogue, turn)).collect::<Outcome<Vec<_>>>()?;
        let started = Instant::now();
        for (turn, request) in requests.into_iter().enumerate() {
            self.place(turn % CLIENTS, request)?;
        }
        Ok(started.elapsed())
    }

    /// From as many threads as there are clients, which share commits.
    ///
    /// # Errors
    /// A refusal.
    pub fn together(&self, each: usize) -> Outcome<Duration> {
        let requests = |_| (0..each).map(|turn| load::order(&self.catalogue, turn)).collect::<Outcome<Vec<_>>>();
        let requests = (0..CLIENTS).map(requests).collect::<Outcome<Vec<_>>>()?;
        let started = Instant::now();
        std::thread::scope(|scope| {
            let place_all = |(client, requests): (usize, Vec<_>)| {
                scope.spawn(move || requests.into_iter().try_for_each(|request| self.place(client, request)))
            };
            let threads: Vec<_> = requests.into_iter().enumerate().map(place_all).collect();
            threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread broke down")?)
        })?;
        Ok(started.elapsed())
    }

    /// Closes the database.
    pub fn close(&self) {
        self.store.close();
    }

    fn place(&self, client: usize, request: PlaceOrderRequest) -> Outcome<()> {
        let (policy, caller, at) = (self.policy.clone(), self.callers[client].clone(), site::now()?);
        self.store.write(move |tx| backend::orders::place(tx, &policy, at, &caller, &request))?;
        Ok(())
    }

    fn customer(&self, number: usize) -> Outcome<Caller> {
        let email = format!("client-{number}@example.org");
        let row = AccountRow {
            id: uuid::Uuid::now_v7().to_string(),
            role: "customer".to_owned(),
            status: "active".to_owned(),
            email_key: Some(email.clone()),
            email,
            first_name: "Ada".to_owned(),
            last_name: "Teste".to_owned(),
            password_hash: "none".to_owned(),
            authenticator_sealed: None,
            authenticator_last_step: 0,
            created_at: site::now()?,
        };
        let account_id = row.id.clone();
        self.store.write(move |tx| account::insert(tx, &row, "bench").map_err(Refusal::from))?;
        let (session_id, network_prefix) = ("bench".to_owned(), format!("10.0.{number}.0/24"));
        Ok(Caller { account_id, role: Role::Customer, session_id, network_prefix })
    }
}
