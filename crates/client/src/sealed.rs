//! Encrypted database files: one raw key each, opened the same way every time.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use migrate::{Migration, migrate};
use rusqlite::Connection;
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

use crate::error::StorageError;

/// How long a file that another connection holds is waited for.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The format of SQLCipher 4, pinned: a later library must not choose another for files that exist.
const CIPHER_COMPATIBILITY: u32 = 4;

/// 256 random bits from which the keys of an account's files come. Overwritten in memory when dropped; prints nothing.
#[derive(Clone)]
pub struct AccountKey(Zeroizing<[u8; 32]>);

impl AccountKey {
    /// A new one from the system's random numbers.
    ///
    /// # Errors
    /// [`StorageError::NoRandom`].
    pub fn random() -> Result<Self, StorageError> {
        Ok(Self(Zeroizing::new(random_bytes()?)))
    }

    /// From its bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// From 64 hex digits on one line.
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = Zeroizing::new([0; 32]);
        hex::decode_to_slice(text, bytes.as_mut()).ok()?;
        Some(Self(bytes))
    }

    /// 64 hex digits on one line.
    pub fn to_hex(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.0.as_ref()))
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key of one file: no two files share one.
    fn for_file(&self, name: &str) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(keyed_hash(&self.0, &[b"file", name.as_bytes()])))
    }
}

/// HMAC-SHA256 over the parts, each with its length in front, so that no two lists of parts look alike.
pub fn keyed_hash(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    // HMAC fills a key up with zeros to the hash's block; done here, the length can't be wrong.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&block.into());
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Random bytes of the system.
///
/// # Errors
/// [`StorageError::NoRandom`].
pub fn random_bytes<const N: usize>() -> Result<[u8; N], StorageError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| StorageError::NoRandom)?;
    Ok(bytes)
}

/// Makes a folder that only its owner can read.
///
/// # Errors
/// When the file system refuses.
pub fn private_folder(path: &Path) -> Result<(), StorageError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    Ok(())
}

/// Opens or makes `folder/name`, encrypted under the account's key, and brings its schema up to date.
///
/// # Errors
/// [`StorageError`]; a wrong key shows as SQLite's «not a database».
pub fn open(folder: &Path, name: &str, key: &AccountKey, schema: &[Migration]) -> Result<Connection, StorageError> {
    let path = folder.join(name);
    touch_private(&path)?;
    let mut connection = Connection::open(&path)?;
    if !faults::planted(faults::FILES_IN_CLEAR) {
        unlock(&connection, &key.for_file(name))?;
    }
    settle(&connection, "wal")?;
    migrate(&mut connection, schema)?;
    Ok(connection)
}

/// Gives the key, and proves by a first read that it fits.
fn unlock(connection: &Connection, key_hex: &str) -> Result<(), StorageError> {
    let mut pragma = format!("PRAGMA key = \"x'{key_hex}'\"; PRAGMA cipher_compatibility = {CIPHER_COMPATIBILITY};");
    let keyed = connection.execute_batch(&pragma);
    pragma.zeroize();
    keyed?;
    let version = connection.query_row("PRAGMA cipher_version", [], |row| row.get::<_, String>(0));
    if !version.is_ok_and(|version| !version.is_empty()) {
        return Err(StorageError::NoEncryption);
    }
    // A wrong key is expected now and then; it is answered by an error, not by lines on the terminal.
    connection.execute_batch("PRAGMA cipher_log_level = NONE")?;
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))?;
    Ok(())
}

/// Durability and tidiness, the same for every file of the desktop. The journal mode is read back: a network drive refuses WAL.
///
/// # Errors
/// [`StorageError::JournalMode`] where the file system can't.
pub fn settle(connection: &Connection, journal: &'static str) -> Result<(), StorageError> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let mode: String = connection.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case(journal) {
        return Err(StorageError::JournalMode { wanted: journal });
    }
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;",
    )?;
    Ok(())
}

/// Makes the file, if there is none, with no permission for others: SQLite gives its side files the same.
///
/// # Errors
/// When the file system refuses.
pub fn touch_private(path: &Path) -> Result<(), StorageError> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    Ok(())
}

/// A database and the files that SQLite puts beside it.
pub fn with_side_files(path: &Path) -> [PathBuf; 4] {
    ["", "-wal", "-shm", "-journal"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    })
}
