//! What can go wrong in the store, the same on both engines.

use migrate::MigrationError;

/// A failure of the store. Constraint names are those of the schema, the same on both engines
/// (see [`crate::sqlite`] for how SQLite's messages are turned into names).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A unique index or primary key already holds the key.
    #[error("unique constraint {constraint} violated")]
    Unique {
        /// `table_pkey`, `table_column_key` or the name of the unique index.
        constraint: String,
    },
    /// A named CHECK refused the row.
    #[error("check constraint {constraint} violated")]
    Check {
        /// The name given by `CONSTRAINT name CHECK (…)`.
        constraint: String,
    },
    /// A row points at one that does not exist, or is pointed at. SQLite does not say by which constraint.
    #[error("foreign key violated")]
    ForeignKey,
    /// A column that must hold a value got none.
    #[error("{column} must not be null")]
    NotNull {
        /// `table.column`.
        column: String,
    },
    /// Text with a NUL character: PostgreSQL cannot hold one, so neither engine is asked to.
    #[error("text with a NUL character")]
    NulInText,
    /// A value is of another type, or outside the range, of what was asked for.
    #[error("{what}: {found} where {wanted} was expected")]
    Type {
        /// The column, parameter or statement.
        what: String,
        /// The type asked for.
        wanted: &'static str,
        /// What was there.
        found: String,
    },
    /// The statement has no such column.
    #[error("no column {column}")]
    NoColumn {
        /// Name or index asked for.
        column: String,
    },
    /// `query_one` found nothing.
    #[error("no row where one must exist")]
    RowMissing,
    /// `query_one` or `query_opt` found more than one row.
    #[error("more than one row where at most one may exist")]
    TooManyRows,
    /// The statement takes another number of parameters.
    #[error("statement takes {wanted} parameters, {given} given")]
    ParameterCount {
        /// Highest `$n` in the statement.
        wanted: usize,
        /// Number of values given.
        given: usize,
    },
    /// An earlier statement of this use case failed; what follows it is refused on both engines.
    #[error("an earlier statement of this transaction failed")]
    AfterFailure,
    /// The use case panicked; its own changes are undone.
    #[error("use case panicked: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// A use case asked for an advisory lock that its session does not hold; the store takes it and runs the use case again.
    #[error("advisory lock {key} is not held")]
    LockNeeded {
        /// Its key.
        key: i64,
    },
    /// A use case called the store again: it would wait for itself.
    #[error("store called from inside a transaction")]
    Nested,
    /// The store has been closed.
    #[error("store is closed")]
    Closed,
    /// A write in a read-only transaction.
    #[error("write in a read-only transaction")]
    ReadOnly,
    /// The engine did not get to it in time; nothing was done.
    #[error("store is busy")]
    Busy,
    /// The disk is full; nothing was done.
    #[error("disk is full")]
    Full,
    /// The disk or the file failed.
    #[error("input or output failed: {detail}")]
    Io {
        /// The engine's own words.
        detail: String,
    },
    /// Two transactions could not both have happened; this one did not.
    #[error("serialization failure")]
    Serialization,
    /// The server is away or the connection broke before the commit was sent; nothing was done.
    #[error("database unreachable: {detail}")]
    Disconnected {
        /// The engine's own words.
        detail: String,
    },
    /// The commit was sent and its answer never came: it may have happened.
    #[error("outcome of the commit is unknown: {detail}")]
    CommitUnknown {
        /// The engine's own words.
        detail: String,
    },
    /// Another process holds the SQLite file.
    #[error("{path} is in use by another process")]
    InUse {
        /// The database file.
        path: String,
    },
    /// The database is set up in a way that this program refuses.
    #[error("database refused: {reason}")]
    Unfit {
        /// What is wrong and how to put it right.
        reason: String,
    },
    /// The schema could not be brought up to date.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// A backup or restore was refused or failed its verification.
    #[error("backup: {reason}")]
    Backup {
        /// What is wrong.
        reason: String,
    },
    /// Any other error of the engine: a mistake in a statement.
    #[error("statement failed ({code}): {message}")]
    Sql {
        /// SQLSTATE, or SQLite's extended result code.
        code: String,
        /// The engine's own words.
        message: String,
    },
}

impl StoreError {
    /// Whether running the same use case again, at once, can succeed. Safe because every use case has a unique
    /// cause: a run whose commit did happen is recognised by the next one.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Serialization | Self::Disconnected { .. } | Self::CommitUnknown { .. })
    }

    /// Whether the failure can go away without anyone changing the program: jobs wait for that.
    pub fn is_transient(&self) -> bool {
        self.is_retryable() || matches!(self, Self::Busy | Self::Full | Self::Io { .. })
    }

    /// The schema is older than this program.
    pub(crate) fn lacks(migration: &str) -> Self {
        let reason = format!("migration {migration} has not been applied: start the server once, which does it");
        Self::Unfit { reason }
    }

    /// Whether the failure ends the whole transaction, so that no savepoint can save it.
    pub(crate) fn ends_transaction(&self) -> bool {
        self.is_transient() || matches!(self, Self::LockNeeded { .. })
    }
}
