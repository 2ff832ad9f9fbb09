//! Classification of database errors: not committed, possibly committed, or broken.

use dewy_saga::StoreError;

/// Why this release cannot use a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// It has a migration of ours by another name: a program made it before the first release.
    #[error(
        "it was made before the first release (its migration {0} is {1:?}), and no release can upgrade it; use a new, empty database"
    )]
    Unreleased(i64, String),
    /// Migrations are missing.
    #[error(
        "{0} migration(s) of this release are missing; run `dewy migrate` first, or start with `dewy serve --migrate`"
    )]
    Older(usize),
    /// A newer release removed something.
    #[error(
        "a newer release removed something that this one needs (migration {0:?}); install a newer release"
    )]
    Contracted(String),
    /// A much newer release migrated it.
    #[error(
        "it is {0} migrations newer than this release, which supports only one; install a newer release"
    )]
    Newer(usize),
}

/// Why a store could not be opened or prepared.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL's scheme is not a supported database.
    #[error("DATABASE_URL must begin with sqlite:// or postgres://, but begins with {0}")]
    Scheme(String),
    /// The database file must already exist, and does not.
    #[error("there is no store at {0}")]
    Missing(String),
    /// The folder for the database file could not be created, or the lock file not written.
    #[error("{path}: {source}")]
    File {
        /// File or folder.
        path: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// Another process serves this database file.
    #[error(
        "{0} is being served by another process; stop that one first, or use Postgres for several instances"
    )]
    Served(String),
    /// The file, or its folder, is not writable.
    #[error(
        "{0} cannot be written: the file, its folder or the whole disk is read-only for this process. A store needs a file and a folder \
         that it may write"
    )]
    ReadOnly(String),
    /// The file has a second name: its log would exist twice.
    #[error(
        "{0} has {1} names (hard links), and a store must have one: each name would get a log of its own. Remove the other names, or copy \
         the file with `sqlite3 {0} '.backup …'`"
    )]
    Linked(String, u64),
    /// The file is a copy, and the original still exists.
    #[error(
        "{copy} is a copy of {original}, which is still there: both would act for the same guests. Serve {original}; or, to go on with the \
         copy, move {original} away first"
    )]
    Copied {
        /// File to be served.
        copy: String,
        /// File that was served before.
        original: String,
    },
    #[error("the database can't be opened: {0}")]
    Database(#[from] sqlx::Error),
    /// This release cannot use the schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    #[error("the database could not be migrated: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
}

/// Progress of a write when the error occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing can have been committed.
    Before,
    /// The commit (or an auto-committing statement) was in progress.
    Commit,
}

/// Converts an error to a [`StoreError`].
pub(crate) fn store_error(error: &sqlx::Error, stage: Stage) -> StoreError {
    match error {
        sqlx::Error::PoolTimedOut => {
            StoreError::Busy("no connection was free, or none could be opened in time".to_owned())
        }
        sqlx::Error::Encode(_) => StoreError::Refused(error.to_string()),
        sqlx::Error::Database(database) => by_code(
            database.code().as_deref().unwrap_or(""),
            database.message(),
            stage,
        ),
        sqlx::Error::Io(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::Tls(_)
            if stage == Stage::Commit =>
        {
            StoreError::Lost(error.to_string())
        }
        _ => StoreError::Failed(error.to_string()),
    }
}

fn by_code(code: &str, message: &str, stage: Stage) -> StoreError {
    let text = format!("{message} ({code})");
    // Postgres codes have five characters; SQLite's are numbers whose low byte is the primary code.
    if code.len() == 5 {
        return match code {
            // Serialization failure, deadlock, lock not available, out of connections, starting up,
            // out of memory, canceled by the server's own deadline.
            "40001" | "40P01" | "55P03" | "53200" | "53300" | "57P03" | "57014" => {
                StoreError::Busy(text)
            }
            // Disk full.
            "53100" => StoreError::Full(text),
            // The server shut down during the call.
            "57P01" | "57P02" | "57P05" if stage == Stage::Commit => StoreError::Lost(text),
            _ if code.starts_with("08") && stage == Stage::Commit => StoreError::Lost(text),
            "DW001" => parse_taken(message),
            // Data exceptions, integrity constraints, limits: a retry would fail the same way.
            _ if ["22", "23", "54"]
                .iter()
                .any(|class| code.starts_with(class)) =>
            {
                StoreError::Refused(text)
            }
            _ => StoreError::Failed(text),
        };
    }
    let code = code.parse::<i64>().unwrap_or(0);
    match code & 0xff {
        // SQLITE_BUSY, SQLITE_LOCKED.
        5 | 6 => StoreError::Busy(text),
        // SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no room for the index of the log.
        13 => StoreError::Full(text),
        _ if code == 4874 => StoreError::Full(text),
        // SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH.
        18..=20 => StoreError::Refused(text),
        // SQLITE_IOERR: whether a commit reached the disk is unknown.
        10 if stage == Stage::Commit => StoreError::Lost(text),
        _ => StoreError::Failed(text),
    }
}

fn parse_taken(message: &str) -> StoreError {
    match serde_json::from_str::<(String, String, String)>(message) {
        Ok((kind, key, owner)) => StoreError::Taken { kind, key, owner },
        Err(_) => StoreError::Failed(message.to_owned()),
    }
}

/// Converts an error of a read: nothing can have been committed.
pub(crate) fn read_error(error: &sqlx::Error) -> StoreError {
    store_error(error, Stage::Before)
}

/// Converts an error of an auto-committing statement.
pub(crate) fn write_error(error: &sqlx::Error) -> StoreError {
    store_error(error, Stage::Commit)
}

/// Whether the server answered, so that the connection can be reused.
pub(crate) fn is_answered(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(database) => database
            .code()
            .is_some_and(|code| !code.starts_with("08") && !code.starts_with("57P")),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::RowNotFound => true,
        _ => false,
    }
}

/// The store holds invalid data.
pub(crate) fn broken(what: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("the store contains invalid data: {what}"))
}
