//! Sending what the person asked for: saved first, under an id that stays the same until the outcome is known. Pressing the
//! button again after a cut line asks the same question; the server answers its first answer.

use api::Command;
use api::server::{
    CreatePaymentRequest, HandOverRequest, OrderCommand, PaymentCommand, PlaceOrderRequest, PrepareRequest,
    RecordAcceptanceRequest,
};

use crate::account::{Account, Files};
use crate::desktop::Inner;
use crate::error::{ClientError, StorageError};
use crate::outbox::{Kept, SavedCommand};

/// A request that carries its command's id.
pub(crate) trait Identified: Clone {
    /// Puts the id in.
    fn set_command_id(&mut self, id: &str);
}

macro_rules! identified {
    ($($request:ty),+ $(,)?) => {$(
        impl Identified for $request {
            fn set_command_id(&mut self, id: &str) {
                self.command_id = id.to_owned();
            }
        }
    )+};
}

identified!(
    PlaceOrderRequest,
    OrderCommand,
    PaymentCommand,
    CreatePaymentRequest,
    PrepareRequest,
    RecordAcceptanceRequest,
    HandOverRequest,
);

impl Inner {
    /// Saves a command and gives it to the server. A decided outcome ends it.
    pub fn send<C>(&self, account: &Account, request: C::Request) -> Result<C::Answer, ClientError>
    where
        C: Command,
        C::Request: Identified,
    {
        self.send_and::<C>(account, request, |files, command, _| files.outbox.done(&command.id))
    }

    /// Like [`Inner::send`]; `keep` keeps what a good answer teaches and ends the command in one transaction.
    pub fn send_and<C>(
        &self,
        account: &Account,
        request: C::Request,
        keep: impl FnOnce(&mut Files, &SavedCommand, &C::Answer) -> Result<(), StorageError>,
    ) -> Result<C::Answer, ClientError>
    where
        C: Command,
        C::Request: Identified,
    {
        let command = self.save::<C>(account, request, Kept::ByThePerson)?;
        let outcome = self.http.call_raw(C::NAME, Some(&account.token()), command.body.clone().into_bytes());
        self.note(Some(account), &outcome);
        match outcome {
            Ok(body) => {
                let answer = serde_json::from_slice(&body).map_err(|error| {
                    ClientError::Call(crate::error::CallError::Unreadable { detail: error.to_string() })
                })?;
                account.files(|files| keep(files, &command, &answer))?;
                Ok(answer)
            }
            Err(error) => {
                let now = self.now();
                account.files(|files| match error.is_decided() {
                    true => files.outbox.done(&command.id),
                    false => files.outbox.failed(&command, &error.to_string(), now),
                })?;
                Err(error.into())
            }
        }
    }

    /// Saves a command without sending it.
    pub fn save<C>(&self, account: &Account, mut request: C::Request, kept: Kept) -> Result<SavedCommand, ClientError>
    where
        C: Command,
        C::Request: Identified,
    {
        let (now, server_now) = (self.now(), self.server_now());
        request.set_command_id("");
        let subject = written(&request)?;
        let mut failure = None;
        let saved = account.files(|files| {
            files.outbox.save(C::NAME, &subject, kept, (now, server_now), |id| {
                request.set_command_id(id);
                written(&request).unwrap_or_else(|error| {
                    failure = Some(error);
                    String::new()
                })
            })
        })?;
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(saved),
        }
    }
}

/// A request as it travels.
pub(crate) fn written<T: serde::Serialize>(request: &T) -> Result<String, StorageError> {
    serde_json::to_string(request).map_err(|error| StorageError::Damaged { detail: error.to_string() })
}
