//! Connections to one SQLite database, lent to one caller at a time.
//!
//! sqlx's own pool tests each returned connection with an extra exchange with the connection's
//! thread, which costs as much as a small read. Here nothing needs it: commands of one connection
//! are executed in order, also the rollback of a transaction whose caller is gone.

use std::{
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// Maximum wait for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(30);

/// Wait before a locked file is opened again.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// Idle connections, and places for those in use. Callers wait in a fair queue.
#[derive(Debug)]
pub(crate) struct ConnectionPool {
    options: SqliteConnectOptions,
    size: u32,
    idle: Mutex<Vec<SqliteConnection>>,
    places: Arc<Semaphore>,
}

impl ConnectionPool {
    /// Opens a pool with its first connection; the others are opened when needed.
    pub(super) async fn open(
        options: SqliteConnectOptions,
        size: u32,
    ) -> Result<Arc<Self>, sqlx::Error> {
        let first = connect(&options).await?;
        Ok(Arc::new(Self {
            options,
            size,
            idle: Mutex::new(vec![first]),
            places: Arc::new(Semaphore::new(size as usize)),
        }))
    }

    /// The connection used last, or a new one.
    pub(crate) async fn acquire(self: &Arc<Self>) -> Result<LentConnection, sqlx::Error> {
        timeout(ACQUIRE_TIMEOUT, self.acquired())
            .await
            .unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    async fn acquired(self: &Arc<Self>) -> Result<LentConnection, sqlx::Error> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| sqlx::Error::PoolClosed)?;
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect(&self.options).await?,
        };
        Ok(LentConnection {
            connection: Some(connection),
            pool: Arc::clone(self),
            usable: true,
            finished: false,
            _place: place,
        })
    }

    /// Closes all connections, once those in use are returned.
    pub(super) async fn close(&self) {
        let all = self.places.acquire_many(self.size).await;
        self.places.close();
        drop(all);
        let idle = std::mem::take(&mut *self.idle());
        for connection in idle {
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, "a connection to the store was not closed cleanly");
            }
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection in use. Dropping it returns it to its pool, or closes it if it was discarded.
#[derive(Debug)]
pub(crate) struct LentConnection {
    connection: Option<SqliteConnection>,
    pool: Arc<ConnectionPool>,
    usable: bool,
    finished: bool,
    _place: OwnedSemaphorePermit,
}

impl LentConnection {
    /// Has the connection closed instead of returned.
    pub(super) fn discard(&mut self) {
        self.usable = false;
    }

    /// Passes the result of a read on. A connection whose thread has ended is closed.
    pub(crate) fn finish<T>(mut self, done: Result<T, sqlx::Error>) -> Result<T, sqlx::Error> {
        self.finished = true;
        if matches!(done, Err(sqlx::Error::WorkerCrashed)) {
            self.discard();
        }
        done
    }
}

impl Deref for LentConnection {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        match &self.connection {
            Some(connection) => connection,
            // Only `drop` takes it.
            None => unreachable!("a lent connection is there until it is dropped"),
        }
    }
}

impl DerefMut for LentConnection {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => unreachable!("a lent connection is there until it is dropped"),
        }
    }
}

impl Drop for LentConnection {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take().filter(|_| self.usable) else {
            return;
        };
        let mut idle = self.pool.idle();
        // What an absent caller asked for may still be in progress: it is lent last
        let place = if self.finished { idle.len() } else { 0 };
        idle.insert(place, connection);
    }
}

/// Opens a connection. While several processes change a new file to WAL, SQLite answers "locked"
/// without waiting for the busy timeout, as two readers that both want to write would wait forever.
async fn connect(options: &SqliteConnectOptions) -> Result<SqliteConnection, sqlx::Error> {
    const TRIES: u32 = 100;
    for _ in 1..TRIES {
        match SqliteConnection::connect_with(options).await {
            Err(error) if is_locked(&error) => tokio::time::sleep(BETWEEN_TRIES).await,
            opened => return opened,
        }
    }
    SqliteConnection::connect_with(options).await
}

/// SQLITE_BUSY, whatever its reason.
fn is_locked(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(|e| e.code())
        .and_then(|code| code.parse::<i64>().ok())
        .is_some_and(|code| code & 0xff == 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn pool(size: u32) -> (tempfile::TempDir, Arc<ConnectionPool>) {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteConnectOptions::new()
            .filename(folder.path().join("pool.db"))
            .create_if_missing(true);
        let pool = ConnectionPool::open(options, size).await.unwrap();
        let mut one = pool.acquire().await.unwrap();
        sqlx::raw_sql("create table entry (id integer)")
            .execute(&mut *one)
            .await
            .unwrap();
        drop(one);
        (folder, pool)
    }

    async fn count(pool: &Arc<ConnectionPool>) -> i64 {
        let mut one = pool.acquire().await.unwrap();
        let done = sqlx::query_scalar("select count(*) from entry")
            .fetch_one(&mut *one)
            .await;
        one.finish(done).unwrap()
    }

    #[tokio::test]
    async fn an_abandoned_transaction_is_rolled_back_before_the_next_use() {
        let (_folder, pool) = pool(1).await;
        for _ in 0..50 {
            let mut one = pool.acquire().await.unwrap();
            let mut transaction = one.begin_with("begin immediate").await.unwrap();
            sqlx::query("insert into entry values (1)")
                .execute(&mut *transaction)
                .await
                .unwrap();
            drop(transaction);
            drop(one);
            assert_eq!(count(&pool).await, 0);
        }
        // Also one whose beginning nobody waited for, and a list nobody reads to its end.
        for _ in 0..50 {
            let mut one = pool.acquire().await.unwrap();
            let begun = timeout(Duration::ZERO, one.begin_with("begin immediate")).await;
            drop(begun);
            let rows = sqlx::query(
                "with recursive n(i) as (select 1 union all select i + 1 from n limit 100000) select i from n",
            );
            let cut = timeout(Duration::ZERO, rows.fetch_all(&mut *one)).await;
            assert!(cut.is_err());
            drop(one);
            let mut one = pool.acquire().await.unwrap();
            let transaction = one.begin_with("begin immediate").await.unwrap();
            transaction.commit().await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_connection_is_lent_to_one_caller_at_a_time() {
        let (_folder, pool) = pool(1).await;
        let one = pool.acquire().await.unwrap();
        let next = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { count(&pool).await }
        });
        tokio::task::yield_now().await;
        assert!(!next.is_finished());
        drop(one);
        assert_eq!(next.await.unwrap(), 0);
    }

    #[tokio::test]
    async fn a_connection_whose_caller_left_is_lent_last() {
        let (_folder, pool) = pool(2).await;
        let (mut first, second) = (pool.acquire().await.unwrap(), pool.acquire().await.unwrap());
        sqlx::raw_sql("create temp table first (id integer)")
            .execute(&mut *first)
            .await
            .unwrap();
        second.finish(Ok(())).unwrap();
        drop(first);
        let mut next = pool.acquire().await.unwrap();
        let tables: i64 = sqlx::query_scalar("select count(*) from sqlite_temp_master")
            .fetch_one(&mut *next)
            .await
            .unwrap();
        assert_eq!(tables, 0, "not the first");
    }

    #[tokio::test]
    async fn a_discarded_connection_is_replaced() {
        let (_folder, pool) = pool(1).await;
        let mut one = pool.acquire().await.unwrap();
        sqlx::query("pragma query_only = 1")
            .execute(&mut *one)
            .await
            .unwrap();
        let crashed: Result<(), _> = one.finish(Err(sqlx::Error::WorkerCrashed));
        assert!(crashed.is_err());
        let mut one = pool.acquire().await.unwrap();
        sqlx::query("insert into entry values (1)")
            .execute(&mut *one)
            .await
            .unwrap();
        drop(one);
        assert_eq!(count(&pool).await, 1);
    }

    #[tokio::test]
    async fn closing_waits_for_connections_in_use_and_lends_no_more() {
        let (folder, pool) = pool(2).await;
        let one = pool.acquire().await.unwrap();
        let closing = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.close().await }
        });
        tokio::task::yield_now().await;
        assert!(!closing.is_finished());
        drop(one);
        closing.await.unwrap();
        let refused = pool.acquire().await;
        assert!(matches!(refused, Err(sqlx::Error::PoolClosed)));
        drop(folder);
    }
}
