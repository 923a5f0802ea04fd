//! Who may give which command. Whose a thing is, is asked by the use case.

use api::server::Role;
use api::{ApiError, Audience, CommandInfo, ErrorCode};
use backend::{Caller, accounts};

use crate::app::{App, told};
use crate::token;

/// Commands of a customer that operators give too: they have a sign-in, a password and an account row of their own.
const SHARED: [&str; 3] = ["change_password", "sign_out", "sync"];

/// Who is asking.
pub struct Asking {
    caller: Option<Caller>,
    /// Prefix of the client's network address.
    pub network_prefix: String,
}

impl Asking {
    /// Somebody whom nothing is known of.
    pub fn nobody() -> Self {
        Self { caller: None, network_prefix: String::new() }
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
/// `UnknownCommand` for a sandbox command elsewhere; `NotSignedIn`, `SignInExpired`, `Forbidden`.
pub fn admit(
    app: &App,
    command: &CommandInfo,
    token: Option<&str>,
    network_prefix: String,
) -> Result<Asking, ApiError> {
    match command.audience {
        Audience::Sandbox if app.sandbox.is_none() => return Err(ErrorCode::UnknownCommand.into()),
        Audience::Everyone | Audience::Sandbox => return Ok(Asking { caller: None, network_prefix }),
        Audience::Customer | Audience::Operator => {}
    }
    let caller = authenticate(app, token, &network_prefix)?;
    let allowed = match command.audience {
        Audience::Operator => caller.role != Role::Customer,
        _ => caller.role == Role::Customer || SHARED.contains(&command.name),
    };
    if allowed { Ok(Asking { caller: Some(caller), network_prefix }) } else { Err(ErrorCode::Forbidden.into()) }
}

/// Whom a token belongs to; its use is noted.
///
/// # Errors
/// `NotSignedIn`, `SignInExpired`, `Forbidden` for a blocked account.
pub fn authenticate(app: &App, token: Option<&str>, network_prefix: &str) -> Result<Caller, ApiError> {
    let hash = token.and_then(token::hash).ok_or(ErrorCode::NotSignedIn)?;
    let now = app.clock.now();
    let known = app.store.read(|tx| accounts::authenticate(tx, now, &hash, network_prefix)).map_err(told)?;
    if known.touch_due {
        let session_id = known.caller.session_id.clone();
        app.store.write(move |tx| accounts::touch(tx, now, &session_id)).map_err(told)?;
    }
    Ok(known.caller)
}
