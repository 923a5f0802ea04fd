//! What this device remembers whoever is signed in: made at first start, outside account files, kept through every sign-out.
//!
//! It holds no person's data: accounts, addresses and payments stand in it as hashes under the device's own secret. Deleting
//! it makes the device forget which addresses it drew; the program never does.

use std::path::Path;

use domain::{Environment, Network};
use manifest::{CheckedAddress, KeyRole};
use migrate::{Migration, migrate};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::error::StorageError;
use crate::sealed::{keyed_hash, private_folder, random_bytes, settle, touch_private};

/// The device file's name inside the data folder.
pub const FILE_NAME: &str = "device.db";

const SCHEMA: &[Migration] =
    &[Migration { name: "0001_first", sql: include_str!("../../../migrations/client/device/0001_first.sql") }];

/// How the key of an account's files is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// In the system's keyring.
    Keyring,
    /// Beside the files, wrapped by a key from the password.
    Password,
}

impl KeyKind {
    const fn code(self) -> &'static str {
        match self {
            KeyKind::Keyring => "keyring",
            KeyKind::Password => "password",
        }
    }
}

/// An account whose files are on this device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldAccount {
    /// Its folder's name, which is also its name in the keyring.
    pub folder: String,
    /// How its key is kept.
    pub key_kind: KeyKind,
    /// Whether it is the one shown at start.
    pub current: bool,
    /// Whether signing out has begun.
    pub leaving: bool,
}

/// The device file.
pub struct Device {
    connection: Connection,
    secret: [u8; 32],
}

impl Device {
    /// Opens the device file, or makes it at first start.
    ///
    /// # Errors
    /// [`StorageError`]. A damaged file is never replaced: with it the device would forget which addresses it drew.
    pub fn open(data: &Path) -> Result<Self, StorageError> {
        private_folder(data)?;
        let path = data.join(FILE_NAME);
        touch_private(&path)?;
        let mut connection = Connection::open(&path)?;
        // One file at rest: no log beside it that a copy could miss.
        settle(&connection, "delete")?;
        migrate(&mut connection, SCHEMA)?;
        connection.execute("INSERT OR IGNORE INTO device (one, secret) VALUES (1, ?1)", [random_bytes::<32>()?])?;
        let secret = connection.query_row("SELECT secret FROM device", [], |row| row.get(0))?;
        Ok(Self { connection, secret })
    }

    /// The folder of an account of a server: opaque, and the same each time on this device.
    pub fn folder_name(&self, server: &str, account_id: &str) -> String {
        let hash = keyed_hash(&self.secret, &[b"folder", server.as_bytes(), account_id.as_bytes()]);
        hex::encode(&hash[..16])
    }

    /// The highest epoch seen for an environment and network; 0 before the first.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn highest_epoch(&self, environment: Environment, network: Network) -> Result<u32, StorageError> {
        let found = self.connection.query_row(
            "SELECT highest FROM epoch WHERE environment = ?1 AND network = ?2",
            [environment.code(), network.code()],
            |row| row.get(0),
        );
        Ok(found.optional()?.unwrap_or(0))
    }

    /// Whether a record under its successor has retired the key.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn is_retired(&self, fingerprint: &str) -> Result<bool, StorageError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM retired_key WHERE fingerprint = ?1)";
        Ok(self.connection.query_row(sql, [fingerprint], |row| row.get(0))?)
    }

    /// Claims a checked address for one payment and remembers what its record taught: its epoch, and under the next key the
    /// end of the current one. Whether the address is this payment's; if not, nothing was remembered. To be called before drawing.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn claim(
        &mut self,
        address: &CheckedAddress,
        payment_id: &str,
        current_key: &str,
    ) -> Result<bool, StorageError> {
        let (environment, network) = (address.environment().code(), address.network().code());
        let address_tag =
            self.tag(&[b"address", environment.as_bytes(), network.as_bytes(), address.address().as_bytes()]);
        let payment_tag = self.tag(&[b"payment", payment_id.as_bytes()]);
        let tx = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute(
            "INSERT OR IGNORE INTO drawn (address_tag, payment_tag) VALUES (?1, ?2)",
            [address_tag, payment_tag],
        )?;
        let owner: [u8; 32] =
            tx.query_row("SELECT payment_tag FROM drawn WHERE address_tag = ?1", [address_tag], |row| row.get(0))?;
        if owner != payment_tag && !faults::planted(faults::REUSE_IGNORED) {
            return Ok(false);
        }
        tx.execute(
            "INSERT INTO epoch (environment, network, highest) VALUES (?1, ?2, ?3)
             ON CONFLICT (environment, network) DO UPDATE SET highest = max(highest, excluded.highest)",
            params![environment, network, address.epoch()],
        )?;
        if address.key_role() == KeyRole::Next {
            tx.execute("INSERT OR IGNORE INTO retired_key (fingerprint) VALUES (?1)", [current_key])?;
        }
        tx.commit()?;
        Ok(true)
    }

    fn tag(&self, parts: &[&[u8]]) -> [u8; 32] {
        keyed_hash(&self.secret, parts)
    }

    /// Every account whose files are here.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn accounts(&self) -> Result<Vec<HeldAccount>, StorageError> {
        let mut statement = self.connection.prepare("SELECT folder, key_kind, current, leaving FROM account")?;
        let rows = statement.query_map([], |row| {
            let kind: String = row.get(1)?;
            let key_kind = if kind == KeyKind::Keyring.code() { KeyKind::Keyring } else { KeyKind::Password };
            Ok(HeldAccount { folder: row.get(0)?, key_kind, current: row.get(2)?, leaving: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Notes an account before its first file is made, so that a crash leaves no file without its row. One that was leaving
    /// is back.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn hold(&mut self, folder: &str, key_kind: KeyKind) -> Result<(), StorageError> {
        self.connection.execute(
            "INSERT INTO account (folder, key_kind, current, leaving) VALUES (?1, ?2, 0, 0)
             ON CONFLICT (folder) DO UPDATE SET key_kind = excluded.key_kind, leaving = 0",
            [folder, key_kind.code()],
        )?;
        Ok(())
    }

    /// Makes an account the one that is shown at start.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn set_current(&mut self, folder: &str) -> Result<(), StorageError> {
        self.connection.execute("UPDATE account SET current = (folder = ?1)", [folder])?;
        Ok(())
    }

    /// Signing out begins: from here on it is finished at the next start, whatever happens.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn mark_leaving(&mut self, folder: &str) -> Result<(), StorageError> {
        self.connection.execute("UPDATE account SET leaving = 1, current = 0 WHERE folder = ?1", [folder])?;
        Ok(())
    }

    /// Signing out is done: nothing of the account is left.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn forget(&mut self, folder: &str) -> Result<(), StorageError> {
        self.connection.execute("DELETE FROM account WHERE folder = ?1", [folder])?;
        Ok(())
    }
}
