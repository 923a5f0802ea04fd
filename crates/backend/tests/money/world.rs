//! A business in one process: a store, a simulated Litecoin, prices, and a clock that moves only when told.

use std::path::Path;
use std::sync::Arc;

use api::ErrorCode;
use api::server::{
    CreatePaymentRequest, HandOverRequest, PlaceOrderRequest, PrepareRequest, RecordAcceptanceRequest, Role,
    SyncAnswer, SyncRequest,
};
use api::views::{AccessView, Headline, OrderView, PaymentView, Preparation};
use backend::prices::Prices;
use backend::refusal::{Outcome, Refusal};
use backend::{Caller, Policy};
use chains::{ChainReader, Follower, SimNetwork, Step, WatchSet};
use domain::quote::{PriceUnit, Reading};
use domain::time::SECOND_MICROS;
use domain::{Asset, BaseUnits, Cents, Environment, Method, Network, Rate, Timestamp};
use manifest::{Day, KeyHash, SigningKey, Terms, TrustedKeys, chain_id, sign_file};
use store::repo::{account, address};
use store::{Settings, Store, Tx};

/// 2026-12-01T12:00:00 UTC.
const START_SECONDS: i64 = 1_796_126_400;
/// Twenty minutes and a little.
const LONGEST_WINDOW: i64 = 21 * 60;
/// Seconds between two readings of the mempool.
const READ_EVERY: i64 = 50;
pub const LTC: Method = Method::LtcLitecoin;

pub struct World {
    pub store: Store,
    settings: Settings,
    pub policy: Policy,
    pub sim: SimNetwork,
    pub now: Timestamp,
    pub rate: Option<Rate>,
    pub watcher_on: bool,
    /// Whether a look at the mempool sees all of it; else it sees nothing and says that much was left unread.
    pub pool_read: bool,
    follower: Follower,
}

/// A new command id.
pub fn command_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

pub fn told<T: std::fmt::Debug>(outcome: Outcome<T>) -> ErrorCode {
    match outcome {
        Err(Refusal::Told(code)) => code,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Payments whose stored headline is not the one that their facts give.
fn stale_headlines(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp) -> Outcome<Vec<String>> {
    let newest = (Timestamp::from_micros(i64::MAX), "");
    let mut stale = Vec::new();
    for row in store::repo::payment::page(tx, newest, 1_000)? {
        let view = backend::views::payment(tx, policy, now, &row.id)?;
        let kind = serde_json::to_value(&view.headline).unwrap()["kind"].as_str().unwrap().to_owned();
        if kind != row.headline {
            stale.push(format!("payment {} is stored as {} and is {kind}", row.id, row.headline));
        }
    }
    Ok(stale)
}

impl World {
    pub fn new(settings: &Settings) -> Self {
        let chain = chain_id(Environment::Sandbox, Network::Litecoin).unwrap();
        let now = Timestamp::from_seconds(START_SECONDS);
        let sim = SimNetwork::new(7, &chain, now.plus_micros(-SECOND_MICROS));
        let policy = Policy {
            environment: Environment::Sandbox,
            methods: vec![LTC],
            confirmations: Default::default(),
            limits: Default::default(),
            sealer: Arc::new(backend::seal::Sealer::new(&[9; 32])),
        };
        let follower = Follower { chain_id: chain, start_height: 0 };
        let rate = Rate::parse("100").ok();
        let store = Store::open(settings).unwrap();
        let mut world = Self {
            store,
            settings: settings.clone(),
            policy,
            sim,
            now,
            rate,
            watcher_on: true,
            pool_read: true,
            follower,
        };
        world.write(|tx, _, now| backend::catalogue::install_starter(tx, now)).unwrap();
        world.write(|tx, _, _| backend::watch::start(tx, Network::Litecoin)).unwrap();
        world.import(1, 0, 40);
        world.wait(1);
        world
    }

    /// Runs a use case.
    pub fn write<T: Send + 'static>(
        &self,
        mut use_case: impl FnMut(&mut Tx<'_>, &Policy, Timestamp) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let (policy, now) = (self.policy.clone(), self.now);
        self.store.write(move |tx| use_case(tx, &policy, now))
    }

    /// Imports signed addresses; `from` on, `count` of them.
    pub fn import(&mut self, epoch: u32, from: u32, count: u32) {
        let key = SigningKey::from_seed(&[1; 32]);
        let address = |index: u32| {
            let mut bytes = [0u8; 20];
            bytes[..4].copy_from_slice(&index.to_be_bytes());
            KeyHash::new(bytes).to_address(Network::Litecoin, Environment::Sandbox).unwrap()
        };
        let addresses: Vec<String> = (from..from + count).map(address).collect();
        let today = Day::of(self.now);
        let terms = Terms {
            environment: Environment::Sandbox,
            network: Network::Litecoin,
            epoch,
            signed_on: today,
            last_day: today.plus_days(80),
            first_index: from,
            tokens: Vec::new(),
        };
        let text = sign_file(&key, terms, &addresses).unwrap().to_text().unwrap();
        let keys = TrustedKeys::new(key.public_key().unwrap(), None);
        self.write(move |tx, policy, now| backend::addresses::import(tx, policy, now, "command-line", &text, &keys))
            .unwrap();
    }

    pub fn account(&self, name: &str, role: Role) -> Caller {
        let row = account::AccountRow {
            id: uuid::Uuid::now_v7().to_string(),
            role: backend::accounts::role_code(role).to_owned(),
            status: "active".to_owned(),
            email_key: Some(format!("{name}@example.invalid")),
            email: format!("{name}@example.invalid"),
            first_name: name.to_owned(),
            last_name: "Test".to_owned(),
            password_hash: "none".to_owned(),
            authenticator_sealed: None,
            authenticator_last_step: 0,
            created_at: self.now,
        };
        let id = row.id.clone();
        self.write(move |tx, _, _| Ok(account::insert(tx, &row, "g1")?)).unwrap();
        Caller { account_id: id, role, session_id: "s".to_owned(), network_prefix: name.to_owned() }
    }

    pub fn customer(&self, name: &str) -> Caller {
        self.account(name, Role::Customer)
    }

    pub fn prices(&self) -> Prices {
        let Some(rate) = self.rate else { return Prices::default() };
        let reading = |source: &str| Reading {
            source: source.to_owned(),
            asset: Asset::Ltc,
            unit: PriceUnit::Usd,
            rate,
            fetched_at: self.now,
            source_time: None,
            made_up: true,
        };
        Prices::new(["one", "two", "three", "four"].map(reading).to_vec())
    }

    pub fn order_request(offer_id: &str, lots: u32, total: i64) -> PlaceOrderRequest {
        PlaceOrderRequest {
            command_id: command_id(),
            offer_id: offer_id.to_owned(),
            lots,
            days: 7,
            preparation: Preparation::Pytorch,
            ssh_public_key: None,
            confirmed_total: Cents::new(total).into(),
        }
    }

    pub fn try_order(&self, who: &Caller, request: PlaceOrderRequest) -> Outcome<OrderView> {
        let who = who.clone();
        self.write(move |tx, policy, now| backend::orders::place(tx, policy, now, &who, &request))
    }

    /// Two lots of B200 for a week, at the starter catalogue's sample price.
    pub fn order(&self, who: &Caller, lots: u32) -> OrderView {
        self.try_order(who, Self::order_request("b200", lots, 134_100 * i64::from(lots))).unwrap()
    }

    pub fn try_pay(&self, who: &Caller, order: &OrderView) -> Outcome<PaymentView> {
        let request = CreatePaymentRequest {
            command_id: command_id(),
            order_id: order.id.clone(),
            method: LTC.code().to_owned(),
            confirmed_total: {
                let shown = self.show(who, &order.id);
                shown.to_pay.map_or(shown.missing, |to_pay| to_pay.asked)
            },
        };
        let (who, prices) = (who.clone(), self.prices());
        self.write(move |tx, policy, now| backend::payments::create(tx, policy, now, &who, &request, &prices))
    }

    pub fn pay(&self, who: &Caller, order: &OrderView) -> PaymentView {
        self.try_pay(who, order).unwrap()
    }

    /// The address that a payment's record carries.
    pub fn address(&self, payment: &PaymentView) -> String {
        manifest::SignedRecord::from_line(&payment.record).unwrap().record.address
    }

    /// Sends coins to the payment's address.
    pub fn send(&self, payment: &PaymentView, coins: &str) -> String {
        self.send_to(&self.address(payment), coins)
    }

    /// Sends coins to an address.
    pub fn send_to(&self, address: &str, coins: &str) -> String {
        let amount = BaseUnits::parse_coins(coins, LTC.decimals()).unwrap();
        self.sim.send(self.now, address, amount).unwrap()
    }

    pub fn show(&self, who: &Caller, order_id: &str) -> OrderView {
        let (who, id) = (who.clone(), order_id.to_owned());
        self.write(move |tx, policy, now| backend::orders::show(tx, policy, now, &who, &id)).unwrap()
    }

    pub fn payment(&self, who: &Caller, id: &str) -> PaymentView {
        let (who, id) = (who.clone(), id.to_owned());
        self.write(move |tx, policy, now| backend::payments::show(tx, policy, now, &who, &id)).unwrap()
    }

    pub fn headline(&self, who: &Caller, id: &str) -> Headline {
        self.payment(who, id).headline
    }

    /// Mines, lets ten seconds pass, and lets the watcher read.
    pub fn mine(&mut self, blocks: u32) {
        for _ in 0..blocks {
            self.now = self.now.plus_micros(SECOND_MICROS);
            self.sim.mine(self.now, 1);
        }
        self.watch();
    }

    /// Lets seconds pass. As long as a payment's window can be, the mempool is read often enough to miss nothing.
    pub fn wait(&mut self, seconds: i64) {
        let often = seconds.min(LONGEST_WINDOW);
        for _ in 0..often / READ_EVERY {
            self.pass(READ_EVERY);
        }
        self.pass(seconds - often / READ_EVERY * READ_EVERY);
    }

    /// Lets seconds pass: rates are recorded, the watcher reads, the sweep runs.
    fn pass(&mut self, seconds: i64) {
        self.now = self.now.plus_micros(seconds * SECOND_MICROS);
        let prices = self.prices();
        self.write(move |tx, _, now| backend::prices::record(tx, now, &prices)).unwrap();
        self.watch();
        while self.write(backend::sweep::run).unwrap() > 0 {}
    }

    /// Reads to the tip and the mempool, as the watcher job does.
    pub fn watch(&mut self) {
        if !self.watcher_on {
            return;
        }
        let mut set = WatchSet::new();
        for (script, address) in self.store.read(|tx| address::watched(tx, "litecoin")).unwrap() {
            set.insert(&script, &address).unwrap();
        }
        let mut reader = self.sim.reader();
        while self.step(&mut reader, &set) {}
    }

    fn step(&self, reader: &mut dyn ChainReader, set: &WatchSet) -> bool {
        let (generation, known) = self.write(|tx, _, _| backend::watch::position(tx, Network::Litecoin)).unwrap();
        let step = self.follower.next_step(reader, set, &known).unwrap();
        let height = reader.tip().unwrap().height;
        self.write(move |tx, _, now| backend::watch::checked(tx, Network::Litecoin, now, height)).unwrap();
        match step {
            Step::Extend(block) => {
                self.write(move |tx, policy, now| {
                    backend::watch::extend(tx, policy, now, Network::Litecoin, generation, &block)
                })
                .unwrap();
                true
            }
            Step::Undo { back_to, lost } => {
                self.write(move |tx, policy, now| {
                    let back_to = back_to.as_ref();
                    backend::watch::undo(tx, policy, now, Network::Litecoin, generation, back_to, &lost)
                })
                .unwrap();
                true
            }
            Step::AtTip(_) => {
                let mut view = reader.mempool(set).unwrap();
                if !self.pool_read {
                    view.complete = false;
                    view.transfers.clear();
                }
                self.write(move |tx, policy, now| {
                    let reading = backend::watch::PoolReading { generation, began: now, view: &view };
                    backend::watch::mempool(tx, policy, now, Network::Litecoin, &reading)
                })
                .unwrap();
                false
            }
        }
    }

    /// Everything that does not fit: books, and status columns that are not what the rules say now.
    pub fn differences(&self) -> Vec<String> {
        let mut found = self.write(|tx, _, _| backend::reconcile::differences(tx)).unwrap();
        found.extend(self.write(stale_headlines).unwrap());
        found
    }

    pub fn balance(&self, account: &str) -> i64 {
        let account = account.to_owned();
        self.store.read(|tx| store::repo::ledger::balance(tx, &account)).unwrap()
    }

    /// A page of what changed since a cursor.
    pub fn page(&self, who: &Caller, cursor: Option<String>) -> SyncAnswer {
        let (who, request) = (who.clone(), SyncRequest { cursor });
        self.write(move |tx, policy, now| backend::sync::pull(tx, policy, now, &who, &request)).unwrap()
    }

    /// Everything of an account, pulled from nothing.
    pub fn pull(&self, who: &Caller) -> Vec<api::server::SyncRow> {
        let mut rows = Vec::new();
        let mut cursor = None;
        loop {
            let page = self.page(who, cursor.clone());
            assert_eq!(page.reset, cursor.is_none());
            rows.extend(page.rows);
            cursor = Some(page.cursor);
            if !page.more {
                return rows;
            }
        }
    }

    /// Writes a backup.
    pub fn back_up(&self, to: &Path) {
        store::backup::create(&self.settings, to).unwrap();
    }

    /// Goes on with a backup that is restored elsewhere, as the command line restores it. `meanwhile` runs when what has to be
    /// done to the copy is done and not committed.
    pub fn restore(
        &mut self,
        from: &Path,
        to: &Settings,
        nothing_given_out: bool,
        meanwhile: impl Fn(),
    ) -> Option<u64> {
        let now = self.now;
        let adapt = |tx: &mut Tx<'_>| {
            let aside = backend::restored::adapt(tx, now, "command-line", nothing_given_out)?;
            meanwhile();
            Ok::<_, Refusal>(aside)
        };
        let (restored, aside) = store::backup::restore(to, from, adapt).unwrap();
        assert!(restored.compared);
        self.store = Store::open(to).unwrap();
        self.settings = to.clone();
        aside
    }

    pub fn prepare(&self, operator: &Caller, order: &OrderView) -> Outcome<()> {
        let request = PrepareRequest { command_id: command_id(), order_id: order.id.clone(), expected_at: None };
        let operator = operator.clone();
        let run = move |tx: &mut Tx<'_>, policy: &Policy, now| {
            backend::fulfilment::start_preparing(tx, policy, now, &operator, &request).map(|_| ())
        };
        self.write(run)
    }

    pub fn accept(&self, operator: &Caller, order: &OrderView, devices: u32) -> api::views::AcceptanceView {
        let request = RecordAcceptanceRequest {
            command_id: command_id(),
            order_id: order.id.clone(),
            devices,
            device_names: vec!["NVIDIA B200".to_owned(); devices as usize],
            memory_mib: vec![183_359; devices as usize],
            driver: "570.124.06".to_owned(),
            unpartitioned: true,
            operator_access_removed: true,
        };
        let operator = operator.clone();
        let run = move |tx: &mut Tx<'_>, policy: &Policy, now| {
            backend::fulfilment::record_acceptance(tx, policy, now, &operator, &request)
        };
        self.write(run).unwrap().acceptance
    }

    pub fn access() -> AccessView {
        AccessView {
            host: "gpu7.example.net".to_owned(),
            port: 22,
            user: "renter".to_owned(),
            host_key_fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BrwMdGG9aAJ9YVNIwz7YnZLs".to_owned(),
            password: Some("correct-horse-battery".to_owned()),
            notebook_url: None,
            notebook_token: None,
            notes: None,
        }
    }

    pub fn hand_over(&self, operator: &Caller, order: &OrderView, access: AccessView) -> Outcome<()> {
        let request = HandOverRequest {
            command_id: command_id(),
            order_id: order.id.clone(),
            access,
            login_verified_at: self.now.into(),
        };
        let operator = operator.clone();
        let run = move |tx: &mut Tx<'_>, policy: &Policy, now| {
            backend::fulfilment::hand_over(tx, policy, now, &operator, &request).map(|_| ())
        };
        self.write(run)
    }
}
