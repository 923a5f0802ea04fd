//! The desktop without a window: what every command works with.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::host::{SessionView, SignInEnd, SignOutForm};
use api::server::{CatalogueAnswer, Role};
use api::{ApiError, Command, ErrorCode};
use domain::Timestamp;
use thiserror::Error;

use crate::account::{Account, Place};
use crate::clock::Clock;
use crate::device::{self, Device};
use crate::error::{CallError, ClientError, StorageError};
use crate::http::{Http, ServerAddressError};
use crate::reach::Reach;
use crate::sealed::{private_folder, touch_private};
use crate::signal::Signal;
use crate::signout::Step;
use crate::trusted_keys::{Trust, TrustError};
use crate::vault::{self, Keeping};
use crate::{clock, signout, sync};

/// Opens a payment URI in the system's wallet program; says whether one was started.
pub type Opener = Box<dyn Fn(&str) -> bool + Send + Sync>;
/// Called after something that the window shows has changed.
pub type OnChanged = Box<dyn Fn() + Send + Sync>;

/// How a desktop is set up.
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// The server's address.
    pub server: String,
    /// Which keeping places for keys may be used.
    pub keeping: Keeping,
    /// Where the time comes from.
    pub clock: Clock,
    /// Opens payment URIs.
    pub opener: Opener,
    /// Told of changes.
    pub on_changed: OnChanged,
}

impl Options {
    /// The usual ones: the system's clock and keyring, no wallet program, nobody to tell.
    pub fn new(data: PathBuf, server: impl Into<String>) -> Self {
        Self {
            data,
            server: server.into(),
            keeping: Keeping::KeyringOrPassword,
            clock: clock::system(),
            opener: Box::new(|_| false),
            on_changed: Box::new(|| {}),
        }
    }
}

/// The program can't start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The server's address is none.
    #[error(transparent)]
    Server(#[from] ServerAddressError),
    /// The files can't be opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The built-in keys can't be read.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// Another program has the folder open.
    #[error("the folder {folder} is in use by another program")]
    InUse {
        /// The folder.
        folder: String,
    },
}

/// The program behind the window. Commands block; call them where that is allowed.
pub struct Desktop {
    pub(crate) inner: Arc<Inner>,
    /// Two programs on one folder would sign out under each other's hands.
    _alone: File,
}

/// What the commands and the sync share.
pub(crate) struct Inner {
    pub http: Http,
    pub data: PathBuf,
    pub keeping: Keeping,
    pub clock: Clock,
    pub opener: Opener,
    pub on_changed: OnChanged,
    pub trust: Trust,
    pub signal: Arc<Signal>,
    device: Mutex<Device>,
    reach: Mutex<Reach>,
    account: Mutex<Option<Arc<Account>>>,
    catalogue: Mutex<Option<CatalogueAnswer>>,
    /// Held while pages are fetched: two at once would set the cursor back.
    pub pulling: Mutex<()>,
    /// Held while somebody signs in or out.
    pub entering: Mutex<()>,
}

impl Desktop {
    /// Opens the data folder: finishes sign-outs that were cut off and opens the account that was open last.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn open(options: Options) -> Result<Self, StartError> {
        let Options { data, server, keeping, clock, opener, on_changed } = options;
        let http = Http::new(&server)?;
        private_folder(&data)?;
        let alone = lock_folder(&data)?;
        let mut device = Device::open(&data)?;
        signout::finish_all(&mut device, &data)?;
        let inner = Inner {
            trust: Trust::built_in()?,
            signal: Arc::new(Signal::default()),
            device: Mutex::new(device),
            reach: Mutex::default(),
            account: Mutex::default(),
            catalogue: Mutex::default(),
            pulling: Mutex::default(),
            entering: Mutex::default(),
            http,
            data,
            keeping,
            clock,
            opener,
            on_changed,
        };
        inner.open_last()?;
        Ok(Self { inner: Arc::new(inner), _alone: alone })
    }

    /// Starts fetching and sending in the background, until the desktop is dropped.
    pub fn start(&self) {
        sync::start(&self.inner);
    }
}

impl Desktop {
    /// Signs out like the command of the window and says after each step that it is done.
    ///
    /// # Errors
    /// Those of the command.
    pub fn sign_out_by_steps(&self, form: SignOutForm, step: &mut dyn FnMut(Step)) -> Result<SessionView, ApiError> {
        Ok(self.inner.sign_out(form, step)?)
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        self.inner.signal.stop();
    }
}

impl Inner {
    /// This device's clock.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    pub fn device(&self) -> MutexGuard<'_, Device> {
        lock(&self.device)
    }

    pub fn reach(&self) -> MutexGuard<'_, Reach> {
        lock(&self.reach)
    }

    pub fn catalogue_slot(&self) -> MutexGuard<'_, Option<CatalogueAnswer>> {
        lock(&self.catalogue)
    }

    /// The server's clock, as far as this device knows it.
    pub fn server_now(&self) -> Timestamp {
        self.reach().server_now(self.now())
    }

    pub fn is_online(&self) -> bool {
        self.reach().online(self.now())
    }

    /// Whether what is held of the account is what the server has, as far as that can be known.
    pub fn is_current(&self, account: &Account) -> bool {
        let now = self.now();
        account.is_current(now) || (faults::planted(faults::SLIP_ON_STATUS_ALONE) && self.reach().online(now))
    }

    /// Where an account of this server has its files.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.data.join(signout::ACCOUNTS).join(name)
    }

    /// Whoever is signed in.
    pub fn somebody(&self) -> Option<Arc<Account>> {
        lock(&self.account).clone()
    }

    /// Whoever is signed in, or a refusal.
    pub fn account(&self) -> Result<Arc<Account>, ClientError> {
        self.somebody().ok_or(ClientError::Refused(ErrorCode::NotSignedIn))
    }

    /// Whoever is signed in as a customer.
    pub fn customer(&self) -> Result<Arc<Account>, ClientError> {
        let account = self.account()?;
        if account.role == Role::Customer { Ok(account) } else { Err(ErrorCode::Forbidden.into()) }
    }

    /// Puts another account, or nobody, in the place of the one that is open, which is closed.
    pub fn replace_account(&self, account: Option<Account>) {
        let before = std::mem::replace(&mut *lock(&self.account), account.map(Arc::new));
        if let Some(before) = before {
            before.close();
        }
        self.signal.hint();
    }

    /// Gives the server a command in the name of an account, and notes that the server answers and whether the sign-in holds.
    pub fn ask<C: Command>(&self, account: Option<&Account>, request: &C::Request) -> Result<C::Answer, CallError> {
        let outcome = self.http.call::<C>(account.map(Account::token).as_deref(), request);
        self.note(account, &outcome);
        outcome
    }

    /// What an answer says about the server and the sign-in, beside its content.
    pub fn note<T>(&self, account: Option<&Account>, outcome: &Result<T, CallError>) {
        match outcome {
            Err(CallError::Offline { .. } | CallError::Unreadable { .. }) => return,
            Err(CallError::Refused(code)) => {
                if let (Some(account), Some(end)) = (account, end_of_sign_in(code)) {
                    account.end(end);
                }
            }
            Ok(_) => {}
        }
        let now = self.now();
        self.reach().heard(now);
    }

    /// Opens the account that was open when the program last ran, if its key can be had without asking.
    fn open_last(&self) -> Result<(), StorageError> {
        let Some(held) = self.device().accounts()?.into_iter().find(|held| held.current && !held.leaving) else {
            return Ok(());
        };
        let place = Place { folder: self.folder(&held.folder), name: held.folder, key_kind: held.key_kind };
        match vault::get(place.key_kind, &place.folder, &place.name, None) {
            Ok(key) => match Account::open(place, key, self.now()) {
                Ok(Some(account)) => {
                    self.remember(&account)?;
                    self.replace_account(Some(account));
                }
                Ok(None) => tracing::info!("the account has no sign-in"),
                Err(error) => tracing::error!(%error, "the account's files can't be opened"),
            },
            Err(error) => tracing::info!(%error, "the account stays closed until somebody signs in"),
        }
        Ok(())
    }

    /// Takes over what the files know of the server, where nothing fresher is known.
    pub fn remember(&self, account: &Account) -> Result<(), StorageError> {
        let (offset, status, catalogue) = account
            .files(|files| Ok((files.cache.clock_offset()?, files.cache.status()?, files.cache.catalogue()?)))?;
        let mut reach = self.reach();
        if reach.status().is_none() {
            *reach = Reach::remembered(offset, status);
        }
        let mut slot = self.catalogue_slot();
        if slot.is_none() {
            *slot = catalogue;
        }
        Ok(())
    }
}

/// Whether a refusal says that the sign-in has ended, and why.
const fn end_of_sign_in(code: &ErrorCode) -> Option<SignInEnd> {
    match code {
        ErrorCode::SignInExpired | ErrorCode::NotSignedIn => Some(SignInEnd::Expired),
        ErrorCode::SignInCopied => Some(SignInEnd::Copied),
        ErrorCode::AccountRemoved => Some(SignInEnd::Removed),
        _ => None,
    }
}

/// Holds the data folder for this program, until the file is dropped or the program ends, however it ends.
fn lock_folder(data: &Path) -> Result<File, StartError> {
    // A folder can be locked itself on Unix; elsewhere the device file stands in for it.
    let path = if cfg!(unix) { data.to_owned() } else { data.join(device::FILE_NAME) };
    if !path.exists() {
        touch_private(&path)?;
    }
    let file = File::options().read(true).open(path).map_err(StorageError::from)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StartError::InUse { folder: data.display().to_string() }),
        Err(TryLockError::Error(error)) => Err(StorageError::from(error).into()),
    }
}

/// A lock that a panic elsewhere does not close for ever: what it guards is valid between any two statements.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
