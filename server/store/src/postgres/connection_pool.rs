//! Connections to Postgres. All calls go through this pool, and each has a client-side deadline, so
//! that a silently dead link costs seconds. A connection with an unanswered call is closed and
//! never reused, because its next answer is unpredictable.
//!
//! ```text
//! enter ─► an idle connection (tested after a long idle time) or a new one ─► call, within its deadline
//!             answered ─► idle again          not answered ─► closed, with all idle connections
//! ```
//! Other pools test each returned connection with an extra round trip, which would double the work
//! of single-statement writes. This one tests a connection only after it was idle.

use std::{
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use dewy_saga::StoreError;
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, error::Elapsed, timeout},
};

use crate::error::{Stage, is_answered, read_error, store_error};

/// Maximum wait for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// Time to connect, including TLS and sign-in.
const CONNECT: Duration = Duration::from_secs(5);

/// Idle time after which a connection is tested before use: a gateway in between may have dropped
/// it.
const TEST_AFTER_IDLE: Duration = Duration::from_secs(15);

/// Timeout of such a test.
const TEST: Duration = Duration::from_secs(2);

/// Session settings. As statements instead of connection parameters, which session poolers refuse.
/// The server gives up shortly after us, so that abandoned work neither holds locks nor runs
/// forever.
const SESSION: &str = "set synchronous_commit = on; set statement_timeout = '20s'; set idle_in_transaction_session_timeout = '20s'";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A read: nothing can have been committed.
    Read,
    /// An auto-committing statement, or a transaction.
    Write,
}

impl Purpose {
    const fn stage(self) -> Stage {
        match self {
            Self::Read => Stage::Before,
            Self::Write => Stage::Commit,
        }
    }

    /// Deadline of a call.
    pub(crate) const fn deadline(self) -> Duration {
        match self {
            Self::Read => Duration::from_secs(10),
            Self::Write => Duration::from_secs(5),
        }
    }
}

#[derive(Debug)]
struct IdleConnection {
    connection: PgConnection,
    since: Instant,
}

/// Idle connections, and slots for those in use.
#[derive(Debug)]
pub(crate) struct ConnectionPool {
    options: PgConnectOptions,
    /// None once the store closes.
    resting: Mutex<Option<Vec<IdleConnection>>>,
    reading: Arc<Semaphore>,
    writing: Arc<Semaphore>,
}

impl ConnectionPool {
    /// Creates a pool with these limits for reading and writing.
    pub(super) fn new(options: PgConnectOptions, reading: usize, writing: usize) -> Arc<Self> {
        Arc::new(Self {
            options,
            resting: Mutex::new(Some(Vec::new())),
            reading: Arc::new(Semaphore::new(reading)),
            writing: Arc::new(Semaphore::new(writing)),
        })
    }

    /// Gets a connection. On failure nothing was sent, so nothing was committed.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        purpose: Purpose,
    ) -> Result<PooledConnection, StoreError> {
        let places = match purpose {
            Purpose::Read => &self.reading,
            Purpose::Write => &self.writing,
        };
        let Ok(Ok(place)) = timeout(ACQUIRE_TIMEOUT, Arc::clone(places).acquire_owned()).await
        else {
            return Err(StoreError::Busy("all connections are in use".to_owned()));
        };
        let connection = match self.idle_connection().await {
            Some(connection) => connection,
            None => self.connect().await.map_err(|e| read_error(&e))?,
        };
        Ok(PooledConnection {
            connection: Some(connection),
            home: Arc::clone(self),
            purpose,
            _place: place,
            good: false,
        })
    }

    /// An idle connection that still answers.
    async fn idle_connection(&self) -> Option<PgConnection> {
        let mut resting = self.pop()?;
        if resting.since.elapsed() < TEST_AFTER_IDLE {
            return Some(resting.connection);
        }
        match timeout(TEST, resting.connection.ping()).await {
            Ok(Ok(())) => Some(resting.connection),
            _ => {
                self.clear();
                None
            }
        }
    }

    fn pop(&self) -> Option<IdleConnection> {
        self.resting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
            .and_then(Vec::pop)
    }

    pub(crate) async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let connect = async {
            let mut connection = PgConnection::connect_with(&self.options).await?;
            sqlx::raw_sql(SESSION).execute(&mut connection).await?;
            Ok(connection)
        };
        timeout(CONNECT, connect)
            .await
            .unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut))
    }

    /// Drops all idle connections: what broke one may have broken them.
    fn clear(&self) {
        if let Some(resting) = self
            .resting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
        {
            resting.clear();
        }
    }

    /// Closes every idle connection; the pool keeps none from now on.
    pub(super) async fn close(&self) {
        let resting = self
            .resting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        for one in resting.into_iter().flatten() {
            drop(timeout(TEST, one.connection.close()).await);
        }
    }
}

/// A connection in use. Dropping it closes it, unless its call was answered.
#[derive(Debug)]
pub(crate) struct PooledConnection {
    connection: Option<PgConnection>,
    home: Arc<ConnectionPool>,
    purpose: Purpose,
    _place: OwnedSemaphorePermit,
    good: bool,
}

impl PooledConnection {
    /// Classifies the result of a call.
    pub(crate) fn settle<T>(
        &mut self,
        done: Result<Result<T, sqlx::Error>, Elapsed>,
    ) -> Result<T, StoreError> {
        match done {
            Ok(Ok(value)) => {
                self.good = true;
                Ok(value)
            }
            Ok(Err(error)) => {
                self.good = is_answered(&error);
                Err(store_error(&error, self.purpose.stage()))
            }
            Err(_) => Err(self.unanswered()),
        }
    }

    /// Classifies the result of a transaction, whose own steps have classified its errors. Closes
    /// the connection after an error.
    pub(crate) fn settle_transaction<T>(
        &mut self,
        done: Result<Result<T, StoreError>, Elapsed>,
    ) -> Result<T, StoreError> {
        let done = done.unwrap_or_else(|_| Err(self.unanswered()));
        self.good = done.is_ok();
        done
    }

    fn unanswered(&self) -> StoreError {
        let seconds = self.purpose.deadline().as_secs();
        let text = format!("the database did not answer within {seconds} s");
        match self.purpose {
            Purpose::Read => StoreError::Busy(text),
            Purpose::Write => StoreError::Lost(text),
        }
    }
}

impl Deref for PooledConnection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match &self.connection {
            Some(connection) => connection,
            // Only `drop` takes it.
            None => unreachable!("a lane has its connection until it is dropped"),
        }
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => unreachable!("a lane has its connection until it is dropped"),
        }
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        if !self.good {
            self.home.clear();
        } else if let Some(resting) = self
            .home
            .resting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
        {
            resting.push(IdleConnection {
                connection,
                since: Instant::now(),
            });
        }
    }
}

/// One exchange with Postgres, within its deadline: `exchange!(postgres, Purpose::Write,
/// |connection| query.execute(connection))`.
macro_rules! exchange {
    ($postgres:expr, $purpose:expr, |$connection:ident| $work:expr) => {
        async {
            let mut lane = $postgres.connection_pool().enter($purpose).await?;
            let done = {
                let $connection: &mut sqlx::PgConnection = &mut lane;
                tokio::time::timeout($purpose.deadline(), $work).await
            };
            lane.settle(done)
        }
        .await
    };
}

/// One transaction with Postgres, within one deadline.
macro_rules! transaction {
    ($postgres:expr, |$transaction:ident| $work:expr) => {
        async {
            let purpose = $crate::postgres::Purpose::Write;
            let mut lane = $postgres.connection_pool().enter(purpose).await?;
            let work = async {
                let $transaction = sqlx::Connection::begin(&mut *lane)
                    .await
                    .map_err(|e| $crate::error::read_error(&e))?;
                $work
            };
            let done = tokio::time::timeout(purpose.deadline(), work).await;
            lane.settle_transaction(done)
        }
        .await
    };
}

pub(crate) use {exchange, transaction};
