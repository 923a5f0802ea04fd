//! What can go wrong, as a closed list of codes with data. Sentences belong to the window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use ts_rs::TS;

use crate::views::{MethodReason, OrderState};
use crate::wire::{Instant, Usd};

/// A refusal or a failure. One shape everywhere: from the server, and from the program behind the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, Error)]
#[error("{error:?}")]
pub struct ApiError {
    /// What it is, with its data.
    pub error: ErrorCode,
}

impl From<ErrorCode> for ApiError {
    fn from(error: ErrorCode) -> Self {
        Self { error }
    }
}

/// Every refusal and failure there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request could not be read.
    BadRequest {
        /// For the log of whoever wrote the client; never shown as a sentence.
        reason: String,
    },
    /// A field of a form was refused.
    FieldRefused {
        /// The field's name in the request.
        field: String,
        /// A short code of the domain's own, such as `too_short`.
        reason: String,
    },
    /// There is no such command.
    UnknownCommand,
    /// Nobody is signed in.
    NotSignedIn,
    /// The sign-in has ended: revoked, expired, or its password changed elsewhere.
    SignInExpired,
    /// A token was used again after it was replaced: two have what one was given, and the sign-in has ended for both.
    SignInCopied,
    /// The account was removed: it never ordered nor topped up, and was not used for long.
    AccountRemoved,
    /// This account may not do that.
    Forbidden,
    /// There is no such thing, or it belongs to somebody else; the two are not told apart.
    NotFound,
    /// The registration was refused, whatever the reason about the email may be.
    RegistrationRefused,
    /// Email, password or authenticator code do not match.
    WrongCredentials,
    /// The account needs an authenticator code beside the password.
    AuthenticatorCodeNeeded,
    /// Too many tries.
    Throttled {
        /// Seconds to wait.
        retry_after_seconds: u32,
    },
    /// The server is too busy to check a password just now.
    Busy,
    /// A command id was used before for another request.
    CommandReused,
    /// The offer's price or terms are not the ones that were confirmed.
    PriceChanged {
        /// The total as confirmed.
        confirmed: Usd,
        /// The total now.
        now: Usd,
    },
    /// Not enough lots are free.
    SoldOut {
        /// Lots free now.
        free_lots: u32,
    },
    /// One unpaid order at a time until a first payment has settled.
    UnpaidHoldLimit,
    /// Unpaid orders together would hold more than half of an offer.
    HalfOfOfferLimit,
    /// The order has a payment that is still open.
    OpenPaymentExists {
        /// The open payment.
        payment_id: String,
    },
    /// Money on its way covers the order: nobody is asked to pay twice.
    MoneyInSight {
        /// What is on its way.
        in_sight: Usd,
    },
    /// The account has as many open payments as it may.
    TooManyOpenPayments,
    /// Too many open payments from this network.
    TooManyFromNetwork,
    /// No instructions can be given for this method.
    MethodUnavailable {
        /// The method's code.
        method: String,
        /// Which part is missing.
        reason: MethodReason,
    },
    /// The order is not open.
    OrderNotOpen {
        /// What it is.
        state: OrderState,
    },
    /// The order's price lapses too soon for new instructions.
    OrderLapsesSoon {
        /// When it lapses.
        lapses_at: Instant,
    },
    /// The payment's deadline has passed.
    PaymentClosed,
    /// Fulfilment can't move that way.
    WrongMove {
        /// Where it stands.
        from: String,
        /// Where it was asked to go.
        to: String,
    },
    /// The acceptance check did not pass.
    AcceptanceNotPassed,
    /// No program on this device opens the payment's link.
    NoWallet,
    /// The server can't be reached; what was asked needs it.
    Offline,
    /// The server answered something this version can't read.
    UnreadableAnswer,
    /// The data on this device can't be opened or written.
    LocalData {
        /// A short code: `locked`, `full`, `damaged`.
        reason: String,
    },
    /// Something unsent stands in the way; the choice is the person's.
    UnsentWork {
        /// Commands not yet sent.
        count: u32,
    },
    /// An error inside; the log has it.
    Internal,
}
