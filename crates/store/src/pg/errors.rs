//! PostgreSQL's errors in the store's terms.

use ::postgres::error::{DbError, SqlState};

use crate::StoreError;

/// The error in the store's terms.
pub(crate) fn from_postgres(error: &::postgres::Error) -> StoreError {
    match error.as_db_error() {
        Some(db) => from_server(db),
        None if error.is_closed() || is_io(error) => StoreError::Disconnected { detail: with_causes(error) },
        None => StoreError::Sql { code: "driver".to_owned(), message: with_causes(error) },
    }
}

/// The outcome of a COMMIT that failed: unless the server itself said no, it may have happened.
pub(super) fn from_commit(error: &::postgres::Error) -> StoreError {
    match from_postgres(error) {
        StoreError::Disconnected { detail } => StoreError::CommitUnknown { detail },
        StoreError::Sql { code, message } if code == "driver" => StoreError::CommitUnknown { detail: message },
        other => other,
    }
}

fn from_server(db: &DbError) -> StoreError {
    let code = db.code();
    let constraint = || db.constraint().unwrap_or_default().to_owned();
    match *code {
        SqlState::UNIQUE_VIOLATION => StoreError::Unique { constraint: constraint() },
        SqlState::CHECK_VIOLATION => StoreError::Check { constraint: constraint() },
        SqlState::FOREIGN_KEY_VIOLATION => StoreError::ForeignKey,
        SqlState::NOT_NULL_VIOLATION => StoreError::NotNull {
            column: format!("{}.{}", db.table().unwrap_or_default(), db.column().unwrap_or_default()),
        },
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => StoreError::Serialization,
        SqlState::READ_ONLY_SQL_TRANSACTION => StoreError::ReadOnly,
        SqlState::DISK_FULL => StoreError::Full,
        SqlState::IO_ERROR => StoreError::Io { detail: db.message().to_owned() },
        SqlState::LOCK_NOT_AVAILABLE | SqlState::QUERY_CANCELED => StoreError::Busy,
        SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::TOO_MANY_CONNECTIONS
        | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => StoreError::Disconnected { detail: db.message().to_owned() },
        _ if code.code().starts_with("08") => StoreError::Disconnected { detail: db.message().to_owned() },
        _ => StoreError::Sql { code: code.code().to_owned(), message: db.message().to_owned() },
    }
}

fn is_io(error: &::postgres::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        if inner.is::<std::io::Error>() {
            return true;
        }
        cause = inner.source();
    }
    // Connecting fails without a source when a name has no address or a timeout ended it.
    error.to_string().starts_with("error connecting") || error.to_string().contains("timed out")
}

fn with_causes(error: &::postgres::Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
}
