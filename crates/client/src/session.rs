//! Registering, signing in, and what the window is told about it.

use api::ErrorCode;
use api::host::{ChangePasswordForm, RegisterForm, SessionView, SignInEnd, SignInForm};
use api::server::{self, ChangePasswordRequest, Done, Nothing, RegisterRequest, Role, SignInRequest, SignedIn};
use api::views::AccountView;
use api::wire::{Instant, Usd};
use domain::credentials::Email;

use crate::account::{Account, Files, Place};
use crate::desktop::Inner;
use crate::device::KeyKind;
use crate::error::{CallError, ClientError, VaultError};
use crate::outbox::SignIn;
use crate::sealed::{AccountKey, private_folder};
use crate::{signout, trusted_keys, vault};

/// What the device calls itself in the account's list of devices. The machine's own name stays on the machine (A5).
const DEVICE_NAME: &str = concat!("Kernodeck ", env!("CARGO_PKG_VERSION"));

impl Inner {
    /// Who is signed in, and how fresh everything is.
    pub fn session(&self) -> Result<SessionView, ClientError> {
        let account = self.somebody();
        let held = match &account {
            Some(account) => Some(account.files(|files| {
                let profile = files.outbox.sign_in()?.map(|sign_in| sign_in.profile);
                let told = files.cache.account()?;
                Ok((told.or(profile), files.cache.synced_at()?, files.outbox.unsent()?))
            })?),
            None => None,
        };
        let (view, synced_at, unsent) = held.unwrap_or((None, None, 0));
        let (now, reach) = (self.now(), self.reach());
        let status = reach.status();
        Ok(SessionView {
            server: self.http.server().to_owned(),
            sandbox_build: cfg!(feature = "sandbox"),
            environment: status.map(|status| status.environment.clone()),
            account: view,
            role: account.as_ref().map(|account| account.role),
            sign_in_ended: account.as_ref().and_then(|account| account.ended()),
            online: reach.online(now),
            synced_at: synced_at.map(Instant),
            clock_offset_micros: reach.offset_micros().map(|micros| micros.to_string()),
            unsent,
            retention_days: status.map(|status| status.retention_days.clone()).unwrap_or_default(),
            trusted_keys: self.trust.fingerprints(),
        })
    }

    /// Makes an account and signs it in.
    pub fn register(&self, form: RegisterForm) -> Result<SessionView, ClientError> {
        let _one_at_a_time = self.entering.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.nobody_signed_in()?;
        let RegisterForm { first_name, last_name, email, password } = form;
        let request = RegisterRequest {
            first_name,
            last_name,
            email: email.clone(),
            password: password.clone(),
            device_name: DEVICE_NAME.into(),
        };
        let signed_in = self.ask::<server::Register>(None, &request)?;
        self.adopt(signed_in, email, &password)
    }

    /// Signs in; where the server can't be reached and this device's files wait for their password, opens those.
    pub fn sign_in(&self, form: SignInForm) -> Result<SessionView, ClientError> {
        let _one_at_a_time = self.entering.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.nobody_signed_in()?;
        let SignInForm { email, password, authenticator_code } = form;
        let request = SignInRequest {
            email: email.clone(),
            password: password.clone(),
            authenticator_code,
            device_name: DEVICE_NAME.into(),
        };
        match self.ask::<server::SignIn>(None, &request) {
            Ok(signed_in) => self.adopt(signed_in, email, &password),
            Err(error @ CallError::Offline { .. }) => {
                if self.open_by_password(&email, &password)? {
                    self.session()
                } else {
                    Err(error.into())
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the password here and on the server. Wrapped keys are wrapped anew before the server is asked, so that no
    /// crash between the two locks anybody out.
    pub fn change_password(&self, form: ChangePasswordForm) -> Result<Done, ClientError> {
        let account = self.account()?;
        let Place { name, folder, key_kind } = &account.place;
        let wrapped = *key_kind == KeyKind::Password;
        if wrapped {
            vault::password::wrap_beside(folder, name, &account.key, &form.new_password)?;
        }
        let ChangePasswordForm { old_password, new_password, authenticator_code } = form;
        let request = ChangePasswordRequest { old_password, new_password, authenticator_code };
        let outcome = self.ask::<server::ChangePassword>(Some(&account), &request);
        // Without the server's word both wrappings stay, and the next sign-in shows which one holds.
        let decided = !matches!(outcome, Err(CallError::Offline { .. } | CallError::Unreadable { .. }));
        if wrapped && decided {
            vault::password::settle_beside(folder, outcome.is_ok())?;
        }
        Ok(outcome?)
    }

    /// Somebody whose sign-in holds must sign out first.
    fn nobody_signed_in(&self) -> Result<(), ClientError> {
        match self.somebody() {
            Some(account) if !account.has_ended() => {
                Err(ErrorCode::BadRequest { reason: "somebody is signed in".into() }.into())
            }
            _ => Ok(()),
        }
    }

    /// Opens or makes the account's files and keeps the sign-in in them.
    fn adopt(&self, signed_in: SignedIn, email: String, password: &str) -> Result<SessionView, ClientError> {
        // An account whose sign-in has ended closes first: its files may be the very ones that are opened now.
        let gone = self.somebody().filter(|account| account.ended() == Some(SignInEnd::Removed));
        self.replace_account(None);
        let (place, key) = self.place_for(&signed_in.account_id, password)?;
        let mut files = Files::open(&place, &key, self.now())?;
        if let Some(before) = files.outbox.sign_in()?
            && before.ended.is_none()
        {
            // Opened by its password after a restart: the sign-in of before would stay in the list of devices.
            let _ = self.http.call::<server::SignOut>(Some(&before.token), &Nothing {});
        }
        let sign_in = self.kept_sign_in(signed_in, email);
        files.outbox.keep_sign_in(&sign_in)?;
        files.outbox.wake()?;
        self.device().set_current(&place.name)?;
        let account = Account::with(place, key, files, sign_in);
        self.remember(&account)?;
        let here = account.place.name.clone();
        self.replace_account(Some(account));
        if let Some(gone) = gone.filter(|gone| gone.place.name != here) {
            self.clear_removed(&gone.place);
        }
        if let Err(error) = self.try_round() {
            tracing::info!(%error, "signed in; the account is fetched later");
        }
        (self.on_changed)();
        self.session()
    }

    /// The sign-in with what is known of its owner until the sync tells more. For an operator no sync ever does.
    fn kept_sign_in(&self, signed_in: SignedIn, email: String) -> SignIn {
        let SignedIn { account_id, role, first_name, last_name, token, renew_at, .. } = signed_in;
        let profile = AccountView {
            id: account_id.clone(),
            first_name,
            last_name,
            email: email.clone(),
            created_at: Instant(self.server_now()),
            balance: Usd::default(),
            receivable: Usd::default(),
        };
        SignIn { account_id, role, token, renew_at: renew_at.0, email, profile, ended: None }
    }

    /// An account that the server has removed can never sign in again: its files go with the next sign-in on this device, as
    /// signing out would have cleared them. It never had an order: there is no history to keep.
    fn clear_removed(&self, place: &Place) {
        let cleared = signout::finish(&mut self.device(), &self.data, &place.name, place.key_kind, &mut |_| {});
        if let Err(error) = cleared {
            tracing::warn!(%error, "the files of a removed account are cleared at the next start");
        }
    }

    /// The account's folder and key. Files whose key is gone for good are begun anew; files whose key can't be had just now
    /// are not touched.
    fn place_for(&self, account_id: &str, password: &str) -> Result<(Place, AccountKey), ClientError> {
        let mut device = self.device();
        let name = device.folder_name(self.http.server(), account_id);
        let folder = self.folder(&name);
        if let Some(held) = device.accounts()?.into_iter().find(|held| held.folder == name) {
            let place = Place { name: name.clone(), folder: folder.clone(), key_kind: held.key_kind };
            match vault::get(held.key_kind, &folder, &name, Some(password)) {
                Ok(key) if !held.leaving => return Ok((place, key)),
                // The password was changed on another device: what was wrapped by the old one can't be read again.
                Ok(_) | Err(VaultError::KeyGone | VaultError::WrongPassword) => {
                    signout::finish(&mut device, &self.data, &name, held.key_kind, &mut |_| {})?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        // Noted as if the keyring held the key until it is known where it is: signing out then looks in both places.
        device.hold(&name, KeyKind::Keyring)?;
        private_folder(&folder)?;
        let key = AccountKey::random()?;
        let key_kind = vault::keep(self.keeping, &folder, &name, &key, password)?;
        device.hold(&name, key_kind)?;
        Ok((Place { name, folder, key_kind }, key))
    }

    /// Opens the files that this password opens, if they are this email's.
    fn open_by_password(&self, email: &str, password: &str) -> Result<bool, ClientError> {
        let held = self.device().accounts()?;
        for held in held.into_iter().filter(|held| held.key_kind == KeyKind::Password && !held.leaving) {
            let place = Place { folder: self.folder(&held.folder), name: held.folder, key_kind: held.key_kind };
            let Ok(key) = vault::get(place.key_kind, &place.folder, &place.name, Some(password)) else { continue };
            let Some(account) = Account::open(place, key, self.now())? else { continue };
            let owner = account.files(|files| files.outbox.sign_in())?.map(|sign_in| sign_in.email);
            if !owner.is_some_and(|owner| is_same_email(&owner, email)) {
                continue;
            }
            self.device().set_current(&account.place.name)?;
            self.remember(&account)?;
            self.replace_account(Some(account));
            return Ok(true);
        }
        Ok(false)
    }

    /// The environment whose records count here, once the server has named it and this build takes it.
    pub fn environment(&self) -> Option<domain::Environment> {
        if let [only] = trusted_keys::ENVIRONMENTS {
            return Some(*only);
        }
        let told = self.reach().status().and_then(|status| domain::Environment::from_code(&status.environment))?;
        trusted_keys::ENVIRONMENTS.contains(&told).then_some(told)
    }

    /// Whether the one who is signed in is an operator.
    pub fn is_operator(&self) -> bool {
        self.somebody().is_some_and(|account| account.role != Role::Customer)
    }
}

/// Whether two texts name one account.
fn is_same_email(one: &str, other: &str) -> bool {
    match (Email::parse(one), Email::parse(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
