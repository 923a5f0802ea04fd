//! Who may give which command. Whose a thing is, is asked by the use case.

use api::server::Role;
use api::{ApiError, Audience, CommandInfo, ErrorCode};
use backend::Caller;
use backend::accounts::{self, Known};
use store::Tx;

use crate::app::{App, told};
use crate::token;

/// Commands of a customer that operators give too: they have a sign-in, a password and an account row of their own.
const SHARED: [&str; 4] = ["change_password", "renew_sign_in", "sign_out", "sync"];

/// Who is asking.
pub struct Asking {
    caller: Option<Caller>,
    /// Hash of the token that was shown.
    pub token_hash: Option<[u8; 32]>,
    /// Prefix of the client's network address.
    pub network_prefix: String,
}

impl Asking {
    /// Somebody whom nothing is known of.
    pub fn nobody() -> Self {
        Self { caller: None, token_hash: None, network_prefix: String::new() }
    }

    /// The signed-in caller.
    ///
    /// # Errors
    /// `NotSignedIn`.
    pub fn caller(&self) -> Result<&Caller, ApiError> {
        self.caller.as_ref().ok_or_else(|| ErrorCode::NotSignedIn.into())
    }
}

/// Lets a caller give a command, or says why not.
///
/// # Errors
/// `UnknownCommand` for a sandbox command elsewhere; the errors of [`authenticate`]; `Forbidden`.
pub fn admit(
    app: &App,
    command: &CommandInfo,
    token: Option<&str>,
    network_prefix: String,
) -> Result<Asking, ApiError> {
    match command.audience {
        Audience::Sandbox if app.sandbox.is_none() => return Err(ErrorCode::UnknownCommand.into()),
        Audience::Everyone | Audience::Sandbox => return Ok(Asking { caller: None, token_hash: None, network_prefix }),
        Audience::Customer | Audience::Operator => {}
    }
    let caller = authenticate(app, token, &network_prefix)?;
    let allowed = match command.audience {
        Audience::Operator => caller.role != Role::Customer,
        _ => caller.role == Role::Customer || SHARED.contains(&command.name),
    };
    let token_hash = token.and_then(token::hash);
    if allowed {
        Ok(Asking { caller: Some(caller), token_hash, network_prefix })
    } else {
        Err(ErrorCode::Forbidden.into())
    }
}

/// Whom a token belongs to; its use is noted.
///
/// # Errors
/// `NotSignedIn`; `SignInExpired`, `SignInCopied` and `AccountRemoved` when the sign-in has ended; `Forbidden` for a blocked
/// account.
pub fn authenticate(app: &App, token: Option<&str>, network_prefix: &str) -> Result<Caller, ApiError> {
    let hash = token.and_then(token::hash).ok_or(ErrorCode::NotSignedIn)?;
    let now = app.clock.now();
    let looked =
        app.store.read(|tx| accounts::authenticate(tx, &app.policy, now, &hash, network_prefix)).map_err(told)?;
    if let Known::Good { caller, note_due: false } = looked {
        return Ok(caller);
    }
    let (policy, prefix) = (app.policy.clone(), network_prefix.to_owned());
    let use_case = move |tx: &mut Tx<'_>| accounts::note_use(tx, &policy, now, &hash, &prefix);
    match app.store.write(use_case).map_err(told)? {
        Known::Good { caller, .. } => Ok(caller),
        Known::Copied => {
            tracing::warn!("a token was used again long after it was replaced: its sign-in has ended");
            Err(ErrorCode::SignInCopied.into())
        }
    }
}

/// Whether a sign-in still holds, whichever of its tokens is the newest by now; the use is noted.
///
/// # Errors
/// Those of [`authenticate`].
pub fn still_signed_in(app: &App, session_id: &str) -> Result<(), ApiError> {
    let now = app.clock.now();
    if !app.store.read(|tx| accounts::still_signed_in(tx, now, session_id)).map_err(told)? {
        return Ok(());
    }
    let (policy, session_id) = (app.policy.clone(), session_id.to_owned());
    app.store.write(move |tx| accounts::note_presence(tx, &policy, now, &session_id)).map_err(told)
}
