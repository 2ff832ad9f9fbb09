//! Persistent state: one SQLite file of rows, synced before any response is sent.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::{Mutex, PoisonError};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use crate::stored_row::{ChangedRow, Row};

/// Failure to open, read or write the file.
#[derive(Debug, thiserror::Error)]
#[error("the sandbox's file: {0}")]
pub struct DiskError(#[from] sqlx::Error);

/// Change to be written.
#[derive(Clone, Debug)]
pub enum Write {
    /// Deletes everything.
    Wipe,
    /// Writes or removes a row of one part (`salesforce`, `stripe`, `twilio`, `core`).
    Row(&'static str, ChangedRow),
}

/// The file, and the queue of changes.
pub struct SandboxFile {
    connection: tokio::sync::Mutex<SqliteConnection>,
    queue: Mutex<Vec<Write>>,
}

impl std::fmt::Debug for SandboxFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Disk")
    }
}

impl SandboxFile {
    pub async fn open(path: &Path) -> Result<Self, DiskError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(sqlx::Error::Io)?;
        }
        let options = SqliteConnectOptions::from_str("sqlite:")?
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .disable_statement_logging();
        let mut connection = options.connect().await?;
        sqlx::query("CREATE TABLE IF NOT EXISTS rows (part TEXT NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (part, tbl, id)) WITHOUT ROWID")
            .execute(&mut connection)
            .await?;
        Ok(Self {
            connection: tokio::sync::Mutex::new(connection),
            queue: Mutex::new(Vec::new()),
        })
    }

    /// All rows of a part, by table and id.
    pub async fn load(&self, part: &str) -> Result<Vec<Row>, DiskError> {
        let mut connection = self.connection.lock().await;
        let rows = sqlx::query("SELECT tbl, id, json FROM rows WHERE part = ?1 ORDER BY tbl, id")
            .bind(part)
            .fetch_all(&mut *connection)
            .await?;
        rows.iter()
            .map(|row| {
                Ok(Row {
                    table: row.try_get(0)?,
                    id: row.try_get(1)?,
                    json: row.try_get(2)?,
                })
            })
            .collect()
    }

    /// Queues changes in order.
    pub fn queue(&self, writes: Vec<Write>) {
        self.queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(writes);
    }

    /// Returns when all changes queued before are synced. Concurrent callers share one commit.
    pub async fn flush(&self) -> Result<(), DiskError> {
        // Changes leave the queue only once they are synced.
        if self.waiting().is_empty() {
            return Ok(());
        }
        let mut connection = self.connection.lock().await;
        let writes = self.waiting();
        if writes.is_empty() {
            return Ok(());
        }
        let mut transaction = connection.begin().await?;
        for write in &writes {
            match write {
                Write::Wipe => sqlx::query("DELETE FROM rows").execute(&mut *transaction).await?,
                Write::Row(part, ChangedRow { table, id, json: Some(json) }) => {
                    sqlx::query("INSERT INTO rows (part, tbl, id, json) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET json = excluded.json")
                        .bind(*part)
                        .bind(table)
                        .bind(id)
                        .bind(json)
                        .execute(&mut *transaction)
                        .await?
                }
                Write::Row(part, ChangedRow { table, id, json: None }) => {
                    sqlx::query("DELETE FROM rows WHERE part = ?1 AND tbl = ?2 AND id = ?3")
                        .bind(*part)
                        .bind(table)
                        .bind(id)
                        .execute(&mut *transaction)
                        .await?
                }
            };
        }
        transaction.commit().await?;
        // Only now: a canceled caller must not lose the others' changes.
        self.queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..writes.len());
        Ok(())
    }

    fn waiting(&self) -> Vec<Write> {
        self.queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
