//! Registering, signing in and changing a password: checked and hashed outside every transaction.

use api::server::{
    ChangePasswordRequest, Done, RegisterRequest, RenewSignInRequest, RenewedSignIn, Role, SignInRequest, SignedIn,
};
use api::{ApiError, ErrorCode};
use backend::Refusal;
use backend::accounts::{self, Change, ForSignIn, NewAccount, NewSession, Proof, Renewal, SignedInParts, Verdict};
use backend::refusal::Outcome;
use domain::Timestamp;
use domain::credentials::{Email, Password, PersonName};
use store::Tx;

use crate::access::Asking;
use crate::app::{App, told};
use crate::token;

pub(super) fn register(app: &App, asking: &Asking, request: &RegisterRequest) -> Result<SignedIn, ApiError> {
    let first_name = name("first_name", &request.first_name)?;
    let last_name = name("last_name", &request.last_name)?;
    let email = Email::parse(&request.email).map_err(|error| refused("email", error.reason()))?;
    let (token, device) = device(&request.device_name)?;
    let prefix = asking.network_prefix.clone();
    counted(app, move |tx, now| accounts::try_registration(tx, now, &prefix))?;
    let names = [&first_name, &last_name];
    let password_hash = app.passwords.choose(Role::Customer, "password", &request.password, &email, &names)?;
    let email_typed = request.email.trim().to_owned();
    let new = NewAccount { first_name, last_name, email, email_typed, password_hash };
    let (clock, policy) = (app.clock.clone(), app.policy.clone());
    let use_case = move |tx: &mut Tx<'_>| accounts::register(tx, &policy, clock.now(), &new, &device);
    let parts = app.store.write(use_case).map_err(told)?;
    Ok(signed_in(parts, token))
}

pub(super) fn sign_in(app: &App, asking: &Asking, request: &SignInRequest) -> Result<SignedIn, ApiError> {
    // What can be no email or password by its form belongs to nobody: saying so tells nothing.
    let wrong = || ApiError::from(ErrorCode::WrongCredentials);
    let email = Email::parse(&request.email).map_err(|_| wrong())?;
    let password = Password::enter(&request.password).map_err(|_| wrong())?;
    let (token, device) = device(&request.device_name)?;
    let (tried, prefix) = (email.clone(), asking.network_prefix.clone());
    counted(app, move |tx, now| accounts::try_sign_in(tx, now, &tried, &prefix))?;
    let found = app.store.read(|tx| accounts::account_for_sign_in(tx, &email)).map_err(told)?;
    let stored = found.as_ref().map(|found| found.password_hash.as_str());
    let fits = app.passwords.verify(&password, stored)?;
    let Some(ForSignIn { account_id, role, password_hash }) = found.filter(|_| fits) else { return Err(wrong()) };
    let proof = Proof {
        account_id,
        rehashed: app.passwords.rehash(role, &password, &password_hash)?,
        verified_hash: password_hash,
        code: request.authenticator_code.clone(),
        email,
        network_prefix: asking.network_prefix.clone(),
    };
    let (clock, policy) = (app.clock.clone(), app.policy.clone());
    let use_case = move |tx: &mut Tx<'_>| accounts::sign_in(tx, &policy, clock.now(), &proof, &device);
    let parts = app.store.write(use_case).map_err(told)?;
    Ok(signed_in(parts, token))
}

pub(super) fn change_password(app: &App, asking: &Asking, request: &ChangePasswordRequest) -> Result<Done, ApiError> {
    let caller = asking.caller()?.clone();
    let account_id = caller.account_id.clone();
    counted(app, move |tx, now| accounts::try_password_change(tx, now, &account_id))?;
    let (stored, [email, first, last]) = app.store.read(|tx| accounts::current_hash(tx, &caller)).map_err(told)?;
    let old = Password::enter(&request.old_password).map_err(|_| ErrorCode::WrongCredentials)?;
    if !app.passwords.verify(&old, Some(&stored))? {
        return Err(ErrorCode::WrongCredentials.into());
    }
    let email = Email::parse(&email).map_err(|error| told(Refusal::broken(format!("email of an account: {error}"))))?;
    let names: Vec<PersonName> = [first, last].iter().filter_map(|name| PersonName::parse(name).ok()).collect();
    let names: Vec<&PersonName> = names.iter().collect();
    let new_hash = app.passwords.choose(caller.role, "new_password", &request.new_password, &email, &names)?;
    let change = Change { verified_hash: stored, new_hash, code: request.authenticator_code.clone() };
    let (clock, policy) = (app.clock.clone(), app.policy.clone());
    let use_case = move |tx: &mut Tx<'_>| accounts::change_password(tx, &policy, clock.now(), &caller, &change);
    app.store.write(use_case).map_err(told)?;
    Ok(Done {})
}

/// Lets the device's next token follow the one that it asks with.
pub(super) fn renew(app: &App, asking: &Asking, request: &RenewSignInRequest) -> Result<RenewedSignIn, ApiError> {
    asking.caller()?;
    let token_hash = asking.token_hash.ok_or(ErrorCode::NotSignedIn)?;
    let next_hash = token::hash_of_next(&request.next_hash).ok_or_else(|| refused("next_hash", "not_a_hash"))?;
    let (clock, policy) = (app.clock.clone(), app.policy.clone());
    let use_case = move |tx: &mut Tx<'_>| accounts::renew(tx, &policy, clock.now(), &token_hash, &next_hash);
    match app.store.write(use_case).map_err(told)? {
        Renewal::Copied => Err(ErrorCode::SignInCopied.into()),
        Renewal::Done(renewed) => {
            Ok(RenewedSignIn { renew_at: renewed.renew_at.into(), expires_at: renewed.expires_at.into() })
        }
    }
}

/// Counts a try in a transaction of its own: a refusal must not undo the count.
fn counted(
    app: &App,
    mut count: impl FnMut(&mut Tx<'_>, Timestamp) -> Outcome<Verdict> + Send + 'static,
) -> Result<(), ApiError> {
    let clock = app.clock.clone();
    let verdict = app.store.write(move |tx| count(tx, clock.now())).map_err(told)?;
    Ok(verdict.check()?)
}

fn signed_in(parts: SignedInParts, token: String) -> SignedIn {
    let SignedInParts { account_id, role, first_name, last_name, renew_at, expires_at, .. } = parts;
    let (renew_at, expires_at) = (renew_at.into(), expires_at.into());
    SignedIn { account_id, role, first_name, last_name, token, renew_at, expires_at }
}

/// A fresh token for a device, whose name follows the rules of a person's.
fn device(typed: &str) -> Result<(String, NewSession), ApiError> {
    let device_name = name("device_name", typed)?.as_str().to_owned();
    let (token, token_hash) = token::fresh()?;
    Ok((token, NewSession { token_hash, device_name }))
}

fn name(field: &str, typed: &str) -> Result<PersonName, ApiError> {
    PersonName::parse(typed).map_err(|error| refused(field, error.reason()))
}

fn refused(field: &str, reason: &str) -> ApiError {
    ErrorCode::FieldRefused { field: field.to_owned(), reason: reason.to_owned() }.into()
}
