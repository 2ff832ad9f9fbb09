//! The SQLite store: one writer task with group commit, and separate connections for reading.
//!
//! A commit costs an fsync; under load all waiting jobs share one. The writer reads what a batch
//! needs, decides every job in memory in the order of arrival, writes everything in a few
//! statements and commits once.

mod batch_state;
mod connection_pool;
mod database_file;
mod decide_jobs;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod full_disk;
mod serving_lock;
mod write_batch;
mod writer;
mod writer_job;
mod writing_connection;

use std::{path::Path, str::FromStr, sync::Arc, time::Duration};

use dewy_domain::ports::Clock;
use dewy_saga::{
    ExecutionId, Lease, Signal, StoreError,
    journal::{Append, AppendResult, DueFilter, NewExecution},
};
use sqlx::{
    Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use tokio::sync::mpsc;

pub(crate) use writer_job::{BeginOutcome, TakenLease};
pub(crate) use writing_connection::{Writing, transaction, writing};

use self::{
    connection_pool::ConnectionPool,
    serving_lock::ServingLock,
    writer_job::{Done, Job, Ticket, crossed},
};
use crate::migrations;
use crate::{
    error::{OpenError, read_error},
    orphan_check_leases::{ORPHAN_CHECK_LEASE, ORPHAN_CHECK_PAUSE},
    private_file::{create_private_file, create_private_folder},
    row_conversion::to_json,
    work_signal::WorkSignal,
};

/// Maximum number of queued jobs before callers have to wait.
const QUEUE: usize = 1024;

/// Connections for reading.
const READERS: u32 = 4;

#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    reader: Arc<ConnectionPool>,
    writer: Arc<ConnectionPool>,
    jobs: mpsc::Sender<Ticket>,
    work_signal: Arc<WorkSignal>,
    lock: Arc<ServingLock>,
}

/// Has a job done whose answer is of this kind.
macro_rules! run_job {
    ($sqlite:expr, $job:expr, $kind:ident) => {
        match $sqlite.run_job($job).await? {
            Done::$kind(answer) => Ok(answer),
            _ => Err(crossed()),
        }
    };
}

impl Sqlite {
    pub(crate) async fn open(
        url: &str,
        clock: Arc<dyn Clock>,
        make: bool,
    ) -> Result<Self, OpenError> {
        let in_memory = url.contains(":memory:");
        let options = SqliteConnectOptions::from_str(url)?
            .create_if_missing(make)
            // FULL instead of NORMAL: after a power loss the journal must still know that a charge
            // was sent.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(5))
            .statement_cache_capacity(256)
            .optimize_on_close(false, None);
        let path = options.get_filename().to_path_buf();
        if !make && !in_memory && !path.exists() {
            return Err(OpenError::Missing(path.display().to_string()));
        }
        // One writing connection; other writers (accounts, sessions) wait for it in the pool's fair
        // queue.
        let (writer, reader) = if in_memory {
            let only = ConnectionPool::open(options, 1).await?;
            (Arc::clone(&only), only)
        } else {
            if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
                create_private_folder(folder).map_err(|source| OpenError::File {
                    path: folder.display().to_string(),
                    source,
                })?;
            }
            if make {
                // What fails here fails when the file is opened, with an error that says why
                drop(create_private_file(&path));
            }
            // Checked before opening: even reading under a second name does harm.
            database_file::refuse_hard_links(&database_file::canonical_path(&path))?;
            serving_lock::refuse_if_served_elsewhere(&database_file::canonical_path(&path))?;
            let options = options.journal_mode(SqliteJournalMode::Wal);
            let opened = async {
                let writer = ConnectionPool::open(options.clone(), 1).await?;
                let reader = ConnectionPool::open(options.read_only(true), READERS).await?;
                Ok((writer, reader))
            };
            opened
                .await
                .map_err(|error| database_file::unwritable(&path, error))?
        };
        let (jobs, waiting) = mpsc::channel(QUEUE);
        let work_signal = Arc::new(WorkSignal::default());
        tokio::spawn(writer::run(
            Arc::clone(&writer),
            waiting,
            clock,
            Arc::clone(&work_signal),
        ));
        let file = (!in_memory).then(|| database_file::canonical_path(&path));
        Ok(Self {
            reader,
            writer,
            jobs,
            work_signal,
            lock: Arc::new(ServingLock::of(file)),
        })
    }

    pub(crate) fn reader(&self) -> &Arc<ConnectionPool> {
        &self.reader
    }

    /// The writing connection, once it is free.
    pub(crate) async fn writing(&self) -> Result<Writing, StoreError> {
        Writing::begin(&self.writer).await
    }

    pub(crate) fn work_signal(&self) -> &WorkSignal {
        &self.work_signal
    }

    /// Migrates in one transaction that begins before the applied migrations are read: of several
    /// processes that start at once, one migrates, and the others wait and find nothing to do.
    pub(crate) async fn migrate(&self) -> Result<(), OpenError> {
        let mut connection = self.writer.acquire().await?;
        // No timeout: only the migrating process waits.
        sqlx::query("pragma busy_timeout = 600000")
            .execute(&mut *connection)
            .await?;
        let mut all = connection.begin_with("begin immediate").await?;
        migrations::SQLITE
            .run_direct(None, &mut *all, false)
            .await?;
        all.commit().await?;
        sqlx::query("pragma busy_timeout = 5000")
            .execute(&mut *connection)
            .await?;
        Ok(())
    }

    pub(crate) async fn lock_for_serving(&self, now: i64) -> Result<(), OpenError> {
        if self.lock.take().await? {
            let mut writer = self.writer.acquire().await?;
            if let Some(file) = self.lock.file() {
                enter(file, &mut writer).await?;
            }
            // The clock was set back while nobody served the file: waits restart from now, without
            // getting longer.
            sqlx::query(
                "update execution set wake_at = $1 + (wake_at - updated_at) where wake_at > $1 and updated_at > $1",
            )
            .bind(now)
            .execute(&mut *writer)
            .await?;
            // The only possible serving process starts now, so nobody else holds these leases.
            sqlx::query("delete from named_lease where name in ($1, $2)")
                .bind(ORPHAN_CHECK_LEASE)
                .bind(ORPHAN_CHECK_PAUSE)
                .execute(&mut *writer)
                .await?;
            sqlx::query("update execution set lease_until = 0 where worker is not null")
                .execute(&mut *writer)
                .await?;
            sqlx::query("update conversation set turn = null where turn is not null")
                .execute(&mut *writer)
                .await?;
            self.work_signal.notify();
        }
        Ok(())
    }

    pub(crate) async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }

    async fn run_job(&self, job: Job) -> Result<Done, StoreError> {
        let (ticket, answer) = Ticket::new(job);
        self.jobs
            .send(ticket)
            .await
            .map_err(|_| StoreError::Failed("the store's writer has stopped".to_owned()))?;
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::Lost("the store's writer stopped".to_owned())))
    }

    pub(crate) async fn begin(&self, new: NewExecution) -> Result<BeginOutcome, StoreError> {
        run_job!(self, Job::Begin(Box::new(new)), Begun)
    }

    pub(crate) async fn append(
        &self,
        lease: Lease,
        append: Append,
    ) -> Result<AppendResult, StoreError> {
        run_job!(self, Job::Append(lease, Box::new(append)), Appended)
    }

    pub(crate) async fn renew(&self, lease: Lease, lease_for: Duration) -> Result<(), StoreError> {
        self.run_job(Job::Renew(lease, lease_for)).await.map(drop)
    }

    pub(crate) async fn hand_over(&self, lease: Lease) -> Result<(), StoreError> {
        self.run_job(Job::HandOver(lease)).await.map(drop)
    }

    pub(crate) async fn wake(&self, id: ExecutionId, pause: Duration) -> Result<bool, StoreError> {
        run_job!(self, Job::Wake(id, pause), Found)
    }

    pub(crate) async fn signal(&self, id: ExecutionId, signal: Signal) -> Result<bool, StoreError> {
        run_job!(self, Job::Signal(id, signal), Found)
    }

    pub(crate) async fn take(
        &self,
        worker: String,
        filter: DueFilter,
        lease_for: Duration,
    ) -> Result<Vec<TakenLease>, StoreError> {
        let job = Job::Take {
            worker,
            filter,
            lease_for,
        };
        run_job!(self, job, Taken)
    }

    pub(crate) async fn due_elsewhere(
        &self,
        filter: &DueFilter,
        now: i64,
    ) -> Result<Vec<String>, StoreError> {
        let definitions = filter.definitions.as_deref().map(to_json).transpose()?;
        let query = sqlx::query_scalar(write_batch::SKIPPED_EXECUTIONS)
            .bind(now)
            .bind(to_json(&filter.states())?)
            .bind(definitions)
            .bind(to_json(&filter.newer)?)
            .bind(i64::try_from(filter.limit).unwrap_or(i64::MAX));
        let mut reader = self.reader.acquire().await.map_err(|e| read_error(&e))?;
        let done = query.fetch_all(&mut *reader).await;
        reader.finish(done).map_err(|e| read_error(&e))
    }
}

/// Refuses a file that is a copy of another one that still exists, and stores where this one is.
async fn enter(file: &Path, writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let here = file.display().to_string();
    let sql = "select value from setting where name = 'file'";
    let before: Option<(String,)> = sqlx::query_as(sql).fetch_optional(&mut *writer).await?;
    if let Some((before,)) = before.filter(|(before,)| *before != here) {
        if database_file::same_store(Path::new(&before), writer).await? {
            return Err(OpenError::Copied {
                copy: here,
                original: before,
            });
        }
        tracing::warn!(
            before,
            here,
            "the store was moved here; do not serve it from its previous location"
        );
    }
    let sql = "insert into setting (name, value, updated_at) values ('file', $1, 0)
               on conflict (name) do update set value = excluded.value where setting.value <> excluded.value";
    sqlx::query(sql)
        .bind(here)
        .execute(writer)
        .await
        .map_err(|error| database_file::unwritable(file, error))?;
    Ok(())
}
