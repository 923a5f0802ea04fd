//! Answers and refusals as HTTP.

use api::{ApiError, ErrorCode};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

/// The status of a refusal.
pub(super) const fn status_of(code: &ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadRequest { .. } => StatusCode::BAD_REQUEST,
        ErrorCode::FieldRefused { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::UnknownCommand | ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::NotSignedIn
        | ErrorCode::SignInExpired
        | ErrorCode::SignInCopied
        | ErrorCode::AccountRemoved
        | ErrorCode::WrongCredentials
        | ErrorCode::AuthenticatorCodeNeeded => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::Throttled { .. } => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Busy => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::RegistrationRefused
        | ErrorCode::CommandReused
        | ErrorCode::PriceChanged { .. }
        | ErrorCode::SoldOut { .. }
        | ErrorCode::UnpaidHoldLimit
        | ErrorCode::HalfOfOfferLimit
        | ErrorCode::OpenPaymentExists { .. }
        | ErrorCode::MoneyInSight { .. }
        | ErrorCode::TooManyOpenPayments
        | ErrorCode::TooManyFromNetwork
        | ErrorCode::MethodUnavailable { .. }
        | ErrorCode::OrderNotOpen { .. }
        | ErrorCode::OrderLapsesSoon { .. }
        | ErrorCode::PaymentClosed
        | ErrorCode::WrongMove { .. }
        | ErrorCode::AcceptanceNotPassed => StatusCode::CONFLICT,
        // Those of the desktop: no server says them.
        ErrorCode::NoWallet
        | ErrorCode::Offline
        | ErrorCode::UnreadableAnswer
        | ErrorCode::LocalData { .. }
        | ErrorCode::UnsentWork { .. }
        | ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A refusal.
pub(super) fn refused(error: &ApiError) -> Response {
    let body = serde_json::to_vec(error).unwrap_or_default();
    let mut response = json(status_of(&error.error), body);
    let wait = match error.error {
        ErrorCode::Throttled { retry_after_seconds } => Some(retry_after_seconds),
        ErrorCode::Busy => Some(2),
        _ => None,
    };
    if let Some(seconds) = wait {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// A JSON answer that nobody on the way keeps.
pub(super) fn json(status: StatusCode, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A text answer.
pub(super) fn text(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
