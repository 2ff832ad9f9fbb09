//! Opens, migrates, locks, and closes the store.

use std::{path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use dewy_domain::ports::Clock;
use sqlx::sqlite::SqliteConnectOptions;

use crate::{
    backend::Backend, error::OpenError, fetch::fetch, postgres::Postgres, row_conversion,
    sqlite::Sqlite, store::Store,
};

/// How long startup waits for a database that is unreachable or starting.
const STARTING: Duration = Duration::from_secs(30);

/// File of an embedded store; `None` for a database in memory or on a server.
#[must_use]
pub fn database_file(url: &str) -> Option<PathBuf> {
    if !url.starts_with("sqlite:") || url.contains(":memory:") {
        return None;
    }
    let options = SqliteConnectOptions::from_str(url).ok()?;
    Some(options.get_filename().to_path_buf())
}

impl Store {
    /// Opens `sqlite://path` (created if missing, with its folders), `sqlite::memory:` (for tests)
    /// or `postgres://…`. Does not migrate.
    ///
    /// # Errors
    /// When the URL has another scheme, or the database cannot be opened.
    pub async fn open(url: &str, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        Self::open_or_make(url, clock, true).await
    }

    /// Opens an existing store.
    ///
    /// # Errors
    /// [`OpenError::Missing`] when the file does not exist; otherwise as [`Store::open`].
    pub async fn open_existing(url: &str, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        Self::open_or_make(url, clock, false).await
    }

    async fn open_or_make(url: &str, clock: Arc<dyn Clock>, make: bool) -> Result<Self, OpenError> {
        let backend = if url.starts_with("sqlite:") {
            Backend::Sqlite(Sqlite::open(url, Arc::clone(&clock), make).await?)
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            // A caller that may create a store is about to serve, so wait for a database that is
            // starting.
            let patience = if make { STARTING } else { Duration::ZERO };
            Backend::Postgres(Postgres::open(url, patience).await?)
        } else {
            // Only the scheme: the rest may contain a password.
            return Err(OpenError::Scheme(
                url.split(':').next().unwrap_or_default().to_owned(),
            ));
        };
        Ok(Self { backend, clock })
    }

    /// Migrates the schema to this release; forward only.
    ///
    /// # Errors
    /// When a migration fails, or the schema is too new for this release.
    pub async fn migrate(&self) -> Result<(), OpenError> {
        self.may_migrate().await?;
        match &self.backend {
            Backend::Sqlite(s) => s.migrate().await,
            Backend::Postgres(p) => p.migrate().await,
        }
    }

    /// Whether every migration of this release was applied; for `/readyz`.
    pub async fn migrated(&self) -> bool {
        let wanted = match &self.backend {
            Backend::Sqlite(_) => crate::migrations::SQLITE.iter().count(),
            Backend::Postgres(_) => crate::migrations::POSTGRES.iter().count(),
        };
        let sql = "select count(*) from _sqlx_migrations where success";
        fetch!(self, (i64,), sql).is_ok_and(|rows| {
            rows.first()
                .is_some_and(|&(n,)| usize::try_from(n).is_ok_and(|n| n >= wanted))
        })
    }

    /// On SQLite: takes the lock only one serving process may hold, and expires every lease,
    /// including the orphan check's, because their holders are gone; recovery is therefore
    /// immediate. If the clock was set back meanwhile, waits count from now. The lock is held as
    /// long as any clone of this store exists. On Postgres this does nothing.
    ///
    /// # Errors
    /// [`OpenError::Served`] when another process holds the lock.
    pub async fn lock_for_serving(&self) -> Result<(), OpenError> {
        match &self.backend {
            Backend::Sqlite(s) => {
                s.lock_for_serving(row_conversion::micros(self.clock.now()))
                    .await
            }
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// Commits pending work and closes every connection.
    pub async fn close(&self) {
        match &self.backend {
            Backend::Sqlite(s) => s.close().await,
            Backend::Postgres(p) => p.close().await,
        }
    }
}
