//! The database file: its real path, and checks that it has one name and is not a copy.

use std::path::{Path, PathBuf};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::error::OpenError;

/// The real path, with symbolic links resolved.
pub(super) fn canonical_path(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Refuses a file with several names: SQLite names its log after the name used to open it.
#[cfg(unix)]
pub(super) fn refuse_hard_links(file: &Path) -> Result<(), OpenError> {
    let links =
        std::fs::metadata(file).map_or(1, |about| std::os::unix::fs::MetadataExt::nlink(&about));
    if links > 1 {
        Err(OpenError::Linked(file.display().to_string(), links))
    } else {
        Ok(())
    }
}

/// Refuses a file with several names, where the system reports them.
#[cfg(not(unix))]
pub(super) fn alone(_file: &Path) -> Result<(), OpenError> {
    Ok(())
}

/// Whether `other` holds a store of the same installation.
pub(super) async fn same_store(
    other: &Path,
    ours: &mut SqliteConnection,
) -> Result<bool, OpenError> {
    if !other.exists() {
        return Ok(false);
    }
    let sql = "select value from setting where name = 'installation'";
    let ours: Option<(String,)> = sqlx::query_as(sql).fetch_optional(ours).await?;
    let options = SqliteConnectOptions::new().filename(other).read_only(true);
    let Ok(mut connection) = SqliteConnection::connect_with(&options).await else {
        return Ok(false);
    };
    let theirs: Option<(String,)> = sqlx::query_as(sql)
        .fetch_optional(&mut connection)
        .await
        .unwrap_or_default();
    connection.close().await?;
    Ok(ours.is_some() && ours == theirs)
}

/// The error of a file that is not writable, with a message that says so.
pub(super) fn unwritable(file: &Path, error: sqlx::Error) -> OpenError {
    let code = error
        .as_database_error()
        .and_then(|e| e.code())
        .and_then(|code| code.parse::<i64>().ok());
    match code.map(|code| code & 0xff) {
        // SQLITE_READONLY; SQLITE_CANTOPEN of an existing file, whose folder cannot hold the log.
        Some(8) => OpenError::ReadOnly(file.display().to_string()),
        Some(14) if file.exists() => OpenError::ReadOnly(file.display().to_string()),
        _ => OpenError::Database(error),
    }
}
