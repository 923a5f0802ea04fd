//! One token after another: what was stolen from a disk or a backup is worth nothing soon, and using it is noticed. The next
//! token is made and saved here before the server hears of it, so that no lost answer and no kill leaves this device without
//! one that is good (`docs/adr/0014-sign-ins-are-renewed.md`).

use api::ErrorCode;
use api::server::{self, RenewSignInRequest};
use sha2::{Digest, Sha256};

use crate::account::Account;
use crate::desktop::Inner;
use crate::error::{CallError, ClientError, StorageError};

/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;

impl Inner {
    /// Renews the sign-in when its token has its age. Whatever stands in the way, the token that is held stays good: the next
    /// round tries again.
    pub fn renew_if_due(&self, account: &Account) {
        if account.has_ended() || self.server_now() < account.renew_at() {
            return;
        }
        if let Err(error) = self.renew(account) {
            tracing::info!(%error, "the sign-in is renewed later");
        }
    }

    fn renew(&self, account: &Account) -> Result<(), ClientError> {
        let _one_at_a_time = account.renewing();
        if self.server_now() < account.renew_at() {
            return Ok(());
        }
        let fresh = fresh_token()?;
        let next = account.files(|files| files.outbox.next_token(&fresh))?;
        let request = RenewSignInRequest { next_hash: hex::encode(Sha256::digest(&next)) };
        match self.ask::<server::RenewSignIn>(Some(account), &request) {
            Ok(renewed) => Ok(account.go_on_with(next, renewed.renew_at.0)?),
            Err(CallError::Refused(ErrorCode::FieldRefused { field, reason })) => {
                tracing::warn!(field, reason, "the next token was refused");
                Ok(account.files(|files| files.outbox.forget_next_token(&next))?)
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn fresh_token() -> Result<String, StorageError> {
    let mut bytes = [0u8; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| StorageError::NoRandom)?;
    Ok(hex::encode(bytes))
}
