//! One account, one order, its payments, and a ledger: what the backend does around the pure rules.

use domain::confirmations::Required;
use domain::ledger::{Account, Book, Posting, SightingKey};
use domain::order::OrderState;
use domain::payment::{
    Assessment, Credit, Decision, Facts, FirstSeen, Headline, Inputs, Purpose, RecordedRate, Ruling, Sighting,
    Standing, Terms, Transfer, WatchPosition, assess, facts, headline,
};
use domain::settle::{Change, Closing, Customer, Notice, Outcome, Payable, close, credit, finish_from_balance, undo};
use domain::time::{MINUTE_MICROS, Timestamp};
use domain::{BaseUnits, Cents, Method, Rate};

pub const START: Timestamp = Timestamp::from_seconds(1_800_000_000);
pub const ORDER: &str = "order-1";
pub const ANA: &str = "ana";
pub const NEED: u32 = 6;

/// Minutes after the first instructions; their deadline is minute 20.
pub fn minute(minutes: i64) -> Timestamp {
    START.plus_micros(minutes * MINUTE_MICROS)
}

pub fn usd(text: &str) -> Cents {
    Cents::parse(text).unwrap()
}

pub fn rate(text: &str) -> Rate {
    Rate::parse(text).unwrap()
}

pub fn found(text: &str) -> RecordedRate {
    RecordedRate::Found(rate(text))
}

pub struct Payment {
    pub terms: Terms,
    pub transfers: Vec<Transfer>,
    pub settled: bool,
}

pub struct World {
    pub book: Book,
    pub posted: Vec<Posting>,
    pub total: Cents,
    pub state: OrderState,
    pub obtainable: bool,
    pub deleted: bool,
    pub payments: Vec<Payment>,
    pub position: WatchPosition,
    pub decisions: Vec<Decision>,
    pub now: Timestamp,
    pub changes: Vec<Change>,
    pub told: Vec<Notice>,
    pub blocks: u64,
    pub required: Required,
}

impl World {
    pub fn order_of(total: &str) -> Self {
        let position = WatchPosition { height: 100, block_time: START, read_at: START, finalized_height: None };
        Self {
            book: Book::default(),
            posted: Vec::new(),
            total: usd(total),
            state: OrderState::Open,
            obtainable: true,
            deleted: false,
            payments: Vec::new(),
            position,
            decisions: Vec::new(),
            now: START,
            changes: Vec::new(),
            told: Vec::new(),
            blocks: 0,
            required: Required::Blocks(NEED),
        }
    }

    /// The usual case: 1 000 USD, asked whole, at 100 USD/LTC.
    pub fn usual() -> Self {
        let mut world = Self::order_of("1000");
        world.ask("1000", "100");
        world
    }

    pub fn ask(&mut self, asked: &str, quote: &str) -> usize {
        self.ask_by(Method::LtcLitecoin, Purpose::Order { order_id: ORDER.into() }, asked, quote)
    }

    pub fn ask_by(&mut self, method: Method, purpose: Purpose, asked: &str, quote: &str) -> usize {
        let terms = Terms::issue(method, purpose, usd(asked), self.total, rate(quote), self.now).unwrap();
        self.payments.push(Payment { terms, transfers: Vec::new(), settled: false });
        self.payments.len() - 1
    }

    /// A transfer of the asked asset; `seen` minutes after the start, unmined, when rates stood at `at`.
    pub fn send(&mut self, payment: usize, coins: &str, seen: Option<(i64, &str)>) -> usize {
        let method = self.payments[payment].terms.method;
        self.send_as(payment, method, coins, seen)
    }

    pub fn send_as(&mut self, payment: usize, method: Method, coins: &str, seen: Option<(i64, &str)>) -> usize {
        let amount = BaseUnits::parse_coins(coins, method.decimals()).unwrap();
        let transfers = &mut self.payments[payment].transfers;
        let transaction = format!("tx-{payment}-{}", transfers.len());
        transfers.push(Transfer {
            id: format!("t-{payment}-{}", transfers.len()),
            transaction,
            method,
            amount,
            first_seen: seen.map(|(at, text)| FirstSeen { at: minute(at), rate: found(text) }),
            vanished: false,
            replaced_by: None,
            only_once_mined: false,
            lagged: false,
            spendable_at_height: None,
            inputs_all_ours: false,
            sightings: Vec::new(),
            credits: Vec::new(),
        });
        transfers.len() - 1
    }

    pub fn transfer(&mut self, payment: usize, transfer: usize) -> &mut Transfer {
        &mut self.payments[payment].transfers[transfer]
    }

    pub fn replace(&mut self, payment: usize, old: usize, new: usize) {
        let transaction = self.transfer(payment, new).transaction.clone();
        self.transfer(payment, old).replaced_by = Some(transaction);
    }

    /// Puts the transfer into a new block.
    pub fn mine(&mut self, payment: usize, transfer: usize, at: i64, block_rate: &str) {
        self.mine_at(payment, transfer, minute(at), found(block_rate));
    }

    pub fn mine_at(&mut self, payment: usize, transfer: usize, at: Timestamp, block_rate: RecordedRate) {
        self.blocks += 1;
        self.position.height += 1;
        self.read_to(at);
        let (height, block) = (self.position.height, format!("block-{}", self.blocks));
        let network = self.payments[payment].terms.method.network();
        let one = self.transfer(payment, transfer);
        let key = SightingKey { network, block, transaction: one.transaction.clone(), index: 0, round: 0 };
        one.sightings.push(Sighting { key, height, block_time: at, seen_at: at, rate: block_rate, orphaned: false });
        self.step();
    }

    /// Blocks on top of everything, enough for all to be final.
    pub fn bury(&mut self) {
        self.position.height += u64::from(NEED);
        self.position.finalized_height = Some(self.position.height);
        self.step();
    }

    /// Time passes, and the watcher keeps up.
    pub fn read_to(&mut self, at: Timestamp) {
        self.now = self.now.max(at);
        self.position.read_at = self.position.read_at.max(at);
        self.position.block_time = self.position.block_time.max(at);
    }

    pub fn wait_until(&mut self, at: i64) {
        self.read_to(minute(at));
        self.step();
    }

    /// Seen, mined and final within the window.
    pub fn pay(&mut self, payment: usize, coins: &str, at: i64, rate_then: &str) -> usize {
        let one = self.send(payment, coins, Some((at, rate_then)));
        self.mine(payment, one, at, rate_then);
        self.bury();
        one
    }

    pub fn orphan(&mut self, payment: usize, transfer: usize) {
        for sighting in &mut self.transfer(payment, transfer).sightings {
            sighting.orphaned = true;
        }
        self.step();
    }

    pub fn rule(&mut self, payment: usize, transfer: usize, ruling: Ruling) {
        let transfer_id = self.transfer(payment, transfer).id.clone();
        self.decisions.push(Decision { transfer_id, ruling });
        self.step();
    }

    pub fn payable(&self) -> Payable {
        let held = self.held();
        Payable { id: ORDER.into(), total: self.total, held, state: self.state, obtainable: self.obtainable }
    }

    pub fn customer(&self) -> Customer {
        Customer { id: ANA.into(), balance: self.balance(), receivable: self.owed() }
    }

    fn standing(&self, payment: &Payment) -> Standing {
        match self.state {
            _ if payment.terms.purpose == Purpose::TopUp => Standing::Open,
            OrderState::Open => Standing::Open,
            OrderState::Settled if payment.settled => Standing::SettledByThis,
            OrderState::Settled => Standing::SettledOtherwise,
            OrderState::Cancelled => Standing::Cancelled,
            OrderState::Lapsed => Standing::Lapsed,
        }
    }

    fn inputs<'a>(&'a self, payment: &'a Payment) -> Inputs<'a> {
        Inputs {
            terms: &payment.terms,
            transfers: &payment.transfers,
            required: self.required,
            position: &self.position,
            decisions: &self.decisions,
            standing: self.standing(payment),
            account_deleted: self.deleted,
            now: self.now,
        }
    }

    pub fn assessed(&self, payment: usize) -> Assessment {
        assess(&self.inputs(&self.payments[payment]))
    }

    pub fn facts(&self, payment: usize) -> Facts {
        facts(&self.inputs(&self.payments[payment]), &self.assessed(payment))
    }

    pub fn headline(&self, payment: usize) -> Headline {
        headline(&self.facts(payment))
    }

    /// What a watcher's transaction does: reversals first, then what is due.
    pub fn step(&mut self) {
        for payment in 0..self.payments.len() {
            while self.undo_one(payment) {}
            let dues = self.assessed(payment).due();
            if dues.is_empty() {
                continue;
            }
            let (payable, customer) = (self.payable(), self.customer());
            let for_order = self.payments[payment].terms.purpose != Purpose::TopUp;
            let outcome = credit(&dues, for_order.then_some(&payable), &customer);
            self.payments[payment].settled |= matches!(outcome.change, Change::Settled { .. });
            self.apply(payment, outcome);
        }
    }

    fn undo_one(&mut self, payment: usize) -> bool {
        let lost = self.payments[payment].transfers.iter().enumerate().find_map(|(index, one)| {
            let lost = one.to_undo().next()?.clone();
            Some((index, one.method, lost))
        });
        let Some((index, method, lost)) = lost else { return false };
        let (payable, customer) = (self.payable(), self.customer());
        let for_order = self.payments[payment].terms.purpose != Purpose::TopUp;
        let outcome = undo(&lost, method, for_order.then_some(&payable), &customer);
        let credits = &mut self.transfer(payment, index).credits;
        credits.iter_mut().find(|one| **one == lost).unwrap().undone = true;
        self.apply(payment, outcome);
        true
    }

    fn apply(&mut self, payment: usize, outcome: Outcome) {
        self.post(&outcome);
        let record = |transfers: &mut Vec<Transfer>, id: &str, credit: Credit| {
            transfers.iter_mut().find(|one| one.id == id).unwrap().credits.push(credit);
        };
        for (id, credit) in outcome.credits {
            record(&mut self.payments[payment].transfers, &id, credit);
        }
    }

    pub fn post(&mut self, outcome: &Outcome) {
        self.book.post(&outcome.postings).unwrap();
        self.posted.extend(outcome.postings.iter().cloned());
        self.changes.push(outcome.change);
        self.told.extend(outcome.notices.iter().cloned());
        if matches!(outcome.change, Change::Settled { .. }) {
            self.state = OrderState::Settled;
        }
    }

    pub fn finish(&mut self) -> Result<(), domain::settle::FinishError> {
        let outcome = finish_from_balance(&self.payable(), &self.customer())?;
        self.post(&outcome);
        Ok(())
    }

    pub fn close(&mut self, how: Closing) {
        let outcome = close(&self.payable(), how, &self.customer()).unwrap();
        self.post(&outcome);
        self.state = match how {
            Closing::Lapsed => OrderState::Lapsed,
            Closing::Cancelled => OrderState::Cancelled,
        };
        self.step();
    }

    /// Balance that was there before, from a top-up.
    pub fn with_balance(mut self, cents: &str) -> Self {
        let payment = self.ask_by(Method::LtcLitecoin, Purpose::TopUp, cents, "1");
        self.pay(payment, cents, 1, "1");
        self
    }

    pub fn balance(&self) -> Cents {
        self.book.balance(&Account::Customer(ANA.into()))
    }

    pub fn held(&self) -> Cents {
        self.book.balance(&Account::Held(ORDER.into()))
    }

    pub fn owed(&self) -> Cents {
        self.book.balance(&Account::Receivable(ANA.into()))
    }

    /// Held, balance, owed, revenue, adjustments: in USD, as the worked examples say them.
    pub fn sums(&self) -> [String; 5] {
        let business = [Account::Revenue, Account::Adjustments].map(|account| self.book.balance(&account));
        let [revenue, adjustments] = business;
        [self.held(), self.balance(), self.owed(), revenue, adjustments].map(|cents| cents.to_string())
    }

    #[track_caller]
    pub fn expect(&self, held: &str, balance: &str, owed: &str, revenue: &str, adjustments: &str) {
        assert_eq!(self.sums(), [held, balance, owed, revenue, adjustments].map(|text| usd(text).to_string()));
    }
}
