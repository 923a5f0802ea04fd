//! Why a use case did nothing.

use api::{ApiError, ErrorCode};
use store::StoreError;
use thiserror::Error;

/// A refusal for the caller, or a failure of the store.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The caller is told this.
    #[error("{0:?}")]
    Told(ErrorCode),
    /// The store failed; the caller is told that something inside went wrong.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Stored rows contradict each other or the domain.
    #[error("stored data makes no sense: {what}")]
    Broken {
        /// What does.
        what: String,
    },
}

impl From<ErrorCode> for Refusal {
    fn from(code: ErrorCode) -> Self {
        Refusal::Told(code)
    }
}

impl Refusal {
    /// Stored rows make no sense.
    pub fn broken(what: impl Into<String>) -> Self {
        Refusal::Broken { what: what.into() }
    }

    /// A form's field was refused.
    pub fn field(field: &str, reason: &str) -> Self {
        Refusal::Told(ErrorCode::FieldRefused { field: field.to_owned(), reason: reason.to_owned() })
    }

    /// What the caller is told. Details of the inside stay inside.
    pub fn to_wire(&self) -> ApiError {
        match self {
            Refusal::Told(code) => code.clone().into(),
            Refusal::Store(StoreError::Busy | StoreError::Serialization) => ErrorCode::Busy.into(),
            Refusal::Store(_) | Refusal::Broken { .. } => ErrorCode::Internal.into(),
        }
    }
}

/// What a use case returns.
pub type Outcome<T> = Result<T, Refusal>;
