//! A business with people who register, sign in and leave. Secrets are short texts: the hash is what is stored.

use api::ErrorCode;
use api::server::Role;
use backend::Caller;
use backend::accounts::{self, Change, Known, NewAccount, NewOperator, NewSession, Renewal, SignedInParts, totp};
use backend::refusal::{Outcome, Refusal};
use domain::Timestamp;
use domain::credentials::{Email, PersonName};
use domain::time::{DAY_MICROS, HOUR_MICROS, SECOND_MICROS};
use sha2::{Digest, Sha256};
use store::repo::audit::AuditRow;
use store::{Settings, Value};

use crate::world::World;

/// An operator's authenticator secret.
pub const SECRET: [u8; totp::SECRET_BYTES] = [5; totp::SECRET_BYTES];

pub struct Site {
    pub world: World,
}

pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

fn device(token: &str) -> NewSession {
    NewSession { token_hash: hash(token), device_name: "test".to_owned() }
}

fn new_account(name: &str) -> NewAccount {
    let email = format!("{name}@example.invalid");
    NewAccount {
        first_name: PersonName::parse(name).unwrap(),
        last_name: PersonName::parse("Test").unwrap(),
        email: Email::parse(&email).unwrap(),
        email_typed: email,
        password_hash: format!("hash of {name}'s password"),
    }
}

impl Site {
    pub fn new(settings: &Settings) -> Self {
        Self { world: World::new(settings) }
    }

    /// Lets time pass without anything being read or swept.
    pub fn pass_micros(&mut self, micros: i64) {
        self.world.now = self.world.now.plus_micros(micros);
    }

    pub fn pass_seconds(&mut self, seconds: i64) {
        self.pass_micros(seconds * SECOND_MICROS);
    }

    pub fn pass_hours(&mut self, hours: i64) {
        self.pass_micros(hours * HOUR_MICROS);
    }

    pub fn pass_days(&mut self, days: i64) {
        self.pass_micros(days * DAY_MICROS);
    }

    pub fn try_register(&self, name: &str, token: &str) -> Outcome<SignedInParts> {
        let (new, device) = (new_account(name), device(token));
        self.world.write(move |tx, policy, now| accounts::register(tx, policy, now, &new, &device))
    }

    /// Registers somebody who then holds that token.
    pub fn register(&self, name: &str, token: &str) -> Caller {
        let parts = self.try_register(name, token).unwrap();
        Caller {
            account_id: parts.account_id,
            role: Role::Customer,
            session_id: parts.session_id,
            network_prefix: name.to_owned(),
        }
    }

    pub fn operator(&self, name: &str) -> String {
        let new = NewOperator { account: new_account(name), role: Role::Administrator, secret: SECRET };
        self.world.write(move |tx, policy, now| accounts::add_operator(tx, &policy.sealer, now, &new)).unwrap()
    }

    /// The code that the operator's authenticator shows now.
    pub fn code(&self) -> String {
        totp::code(&SECRET, self.world.now).unwrap()
    }

    pub fn sign_in(&self, name: &str, account_id: &str, token: &str, code: Option<String>) -> Outcome<Caller> {
        let proof = accounts::Proof {
            account_id: account_id.to_owned(),
            verified_hash: format!("hash of {name}'s password"),
            rehashed: None,
            code,
            email: Email::parse(&format!("{name}@example.invalid")).unwrap(),
            network_prefix: name.to_owned(),
        };
        let (device, prefix) = (device(token), name.to_owned());
        let parts = self.world.write(move |tx, policy, now| accounts::sign_in(tx, policy, now, &proof, &device))?;
        let SignedInParts { account_id, role, session_id, .. } = parts;
        Ok(Caller { account_id, role, session_id, network_prefix: prefix })
    }

    pub fn change_password(&self, caller: &Caller, name: &str, to: &str, code: Option<String>) -> Outcome<()> {
        let verified_hash = format!("hash of {name}'s password");
        let change = Change { verified_hash, new_hash: to.to_owned(), code };
        let caller = caller.clone();
        self.world.write(move |tx, policy, now| accounts::change_password(tx, policy, now, &caller, &change))
    }

    /// Asks something of the server with a token, as the running server does it.
    pub fn ask(&self, token: &str) -> Result<String, ErrorCode> {
        let hash = hash(token);
        let (policy, now) = (self.world.policy.clone(), self.world.now);
        let looked = self.world.store.read(|tx| accounts::authenticate(tx, &policy, now, &hash, "net"));
        let known = match code_of(looked)? {
            Known::Good { caller, note_due: false } => return Ok(caller.account_id),
            _ => self.world.write(move |tx, policy, now| accounts::note_use(tx, policy, now, &hash, "net")),
        };
        match code_of(known)? {
            Known::Good { caller, .. } => Ok(caller.account_id),
            Known::Copied => Err(ErrorCode::SignInCopied),
        }
    }

    /// Asks the server to let `next` follow `token`.
    pub fn renew(&self, token: &str, next: &str) -> Result<(), ErrorCode> {
        self.ask(token)?;
        let (hash, next) = (hash(token), hash(next));
        match code_of(self.world.write(move |tx, policy, now| accounts::renew(tx, policy, now, &hash, &next)))? {
            Renewal::Done(renewed) => {
                assert!(renewed.expires_at > self.world.now);
                Ok(())
            }
            Renewal::Copied => Err(ErrorCode::SignInCopied),
        }
    }

    /// Removes idle accounts as the job does; how many.
    pub fn remove_idle(&self) -> u32 {
        let (mut removed, mut from) = (0, None);
        loop {
            let (policy, now) = (self.world.policy.clone(), self.world.now);
            let page = self.world.store.read(|tx| accounts::find_idle(tx, &policy, now, from.as_ref())).unwrap();
            let ids = page.removable;
            removed += self.world.write(move |tx, policy, now| accounts::remove_idle(tx, policy, now, &ids)).unwrap();
            match page.next {
                Some(next) => from = Some(next),
                None => return removed,
            }
        }
    }

    /// Forgets as the job does; how many rows.
    pub fn forget(&self) -> u64 {
        let mut forgotten = 0;
        loop {
            match self.world.write(backend::retention::forget).unwrap() {
                0 => return forgotten,
                rows => forgotten += rows,
            }
        }
    }

    /// Every record of the audit log, oldest first.
    pub fn audit(&self) -> Vec<AuditRow> {
        self.world.store.read::<_, Refusal>(|tx| Ok(store::repo::audit::from(tx, 1, 10_000)?)).unwrap()
    }

    pub fn audited(&self, action: &str) -> Vec<AuditRow> {
        self.audit().into_iter().filter(|row| row.action == action).collect()
    }

    pub fn audit_holds(&self) -> bool {
        self.world.store.read(backend::audit::verify).unwrap()
    }

    /// How many rows a table has, by a clause of its own.
    pub fn count(&self, table: &str, clause: &str) -> i64 {
        let sql = format!("SELECT COUNT(*) AS rows FROM {table} WHERE {clause}");
        self.world.store.read::<_, Refusal>(|tx| Ok(tx.query_one(&sql, &[])?.get("rows")?)).unwrap()
    }

    /// Every text that is stored anywhere in the account's own tables.
    pub fn texts(&self) -> String {
        let mut said = String::new();
        for table in ["account", "session", "command", "account_change", "audit", "setting"] {
            let sql = format!("SELECT * FROM {table}");
            for row in self.world.store.read::<_, Refusal>(|tx| Ok(tx.query(&sql, &[])?)).unwrap() {
                for value in row.values() {
                    if let Value::Text(text) = value {
                        said += &format!("{text}\n");
                    }
                }
            }
        }
        said
    }
}

/// A command id made at that moment.
pub fn id_at(at: Timestamp) -> String {
    let millis = u64::try_from(at.micros() / 1_000).unwrap();
    let random = Sha256::digest(millis.to_be_bytes());
    let tail = hex::encode(&random[..8]);
    format!("{:08x}-{:04x}-7{}-8{}-{}", millis >> 16, millis & 0xffff, &tail[..3], &tail[3..6], "0000000000c1")
}

fn code_of<T>(outcome: Outcome<T>) -> Result<T, ErrorCode> {
    outcome.map_err(|refusal| match refusal {
        Refusal::Told(code) => code,
        other => panic!("{other}"),
    })
}
