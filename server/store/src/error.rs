//! What a database's error means: not committed, perhaps committed, or broken.

use dewy_saga::StoreError;

/// Why a schema cannot be used by this release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// It lacks migrations.
    #[error(
        "it lacks {0} migration(s) of this release; run `dewy migrate` first, or start with `dewy serve --migrate`"
    )]
    Older(usize),
    /// A newer release took something away.
    #[error("a newer release took away what this one needs (migration {0:?}); install a newer release")]
    Contracted(String),
    /// It was migrated by a release far ahead.
    #[error("it is {0} steps newer than this release, which can use one; install a newer release")]
    Newer(usize),
}

/// Why a store could not be opened or made ready.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names no kind of database that we know.
    #[error("DATABASE_URL must begin with sqlite:// or postgres://, but begins with {0}")]
    Scheme(String),
    /// The database file is to be there already, and is not.
    #[error("there is no store at {0}")]
    Missing(String),
    /// The folder for the database file could not be made, or the lock file not written.
    #[error("{path}: {source}")]
    File {
        /// Which file or folder.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// Another process serves this database file.
    #[error("{0} is being served by another process; stop that one first, or use Postgres for several instances")]
    Served(String),
    /// The database refused.
    #[error("the database cannot be opened: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema is not one that this release can use.
    #[error("the schema does not fit: {0}")]
    Schema(#[from] SchemaError),
    /// A migration failed.
    #[error("the database could not be migrated: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
}

/// How far a write had come when the error arose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing can have been committed.
    Before,
    /// The commit (or a statement that commits by itself) was under way.
    Commit,
}

/// The error in the engine's words.
pub(crate) fn store_error(error: &sqlx::Error, stage: Stage) -> StoreError {
    match error {
        sqlx::Error::PoolTimedOut => StoreError::Busy("all connections are in use".to_owned()),
        sqlx::Error::Database(database) => by_code(database.code().as_deref().unwrap_or(""), database.message(), stage),
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed | sqlx::Error::Tls(_)
            if stage == Stage::Commit =>
        {
            StoreError::Lost(error.to_string())
        }
        _ => StoreError::Failed(error.to_string()),
    }
}

fn by_code(code: &str, message: &str, stage: Stage) -> StoreError {
    let text = format!("{message} ({code})");
    // Postgres has five characters; SQLite a number, whose low byte is the primary code.
    if code.len() == 5 {
        return match code {
            // Serialization failure, deadlock, lock not available, out of connections, starting up.
            "40001" | "40P01" | "55P03" | "53300" | "57P03" => StoreError::Busy(text),
            // The server went away under us.
            "57P01" | "57P02" | "57P05" if stage == Stage::Commit => StoreError::Lost(text),
            _ if code.starts_with("08") && stage == Stage::Commit => StoreError::Lost(text),
            "DW001" => taken(message),
            _ => StoreError::Failed(text),
        };
    }
    match code.parse::<i64>().unwrap_or(0) & 0xff {
        // SQLITE_BUSY, SQLITE_LOCKED.
        5 | 6 => StoreError::Busy(text),
        // SQLITE_IOERR: of a commit it is not known whether it reached the disk.
        10 if stage == Stage::Commit => StoreError::Lost(text),
        _ => StoreError::Failed(text),
    }
}

fn taken(message: &str) -> StoreError {
    match serde_json::from_str::<(String, String, String)>(message) {
        Ok((kind, key, owner)) => StoreError::Taken { kind, key, owner },
        Err(_) => StoreError::Failed(message.to_owned()),
    }
}

/// For reads: nothing can have been committed.
pub(crate) fn read_error(error: &sqlx::Error) -> StoreError {
    store_error(error, Stage::Before)
}

/// For statements that commit by themselves.
pub(crate) fn write_error(error: &sqlx::Error) -> StoreError {
    store_error(error, Stage::Commit)
}

/// The store holds what it must not.
pub(crate) fn broken(what: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("the store holds what it must not: {what}"))
}
