//! Connections for the engine's writes, kept between them. A pool tests each connection that comes back with a round trip of
//! its own; for writes of one statement that would double the work. Here a connection is tested only after a failure.

use std::{
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use dewy_saga::StoreError;
use sqlx::{PgConnection, PgPool, Postgres as Pg, pool::PoolConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::read_error;

/// How long a write waits for a connection, as the pool does.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connections at rest, and how many there may be.
#[derive(Debug)]
pub(super) struct Lanes {
    pool: PgPool,
    /// None once the store closes.
    idle: Mutex<Option<Vec<PoolConnection<Pg>>>>,
    places: Arc<Semaphore>,
}

impl Lanes {
    /// At most so many at once, all from this pool.
    pub(super) fn of(pool: PgPool, most: usize) -> Arc<Self> {
        Arc::new(Self { pool, idle: Mutex::new(Some(Vec::new())), places: Arc::new(Semaphore::new(most)) })
    }

    /// A connection. When there is none, nothing was sent, so nothing was committed.
    pub(super) async fn enter(self: &Arc<Self>) -> Result<Lane, StoreError> {
        let place = tokio::time::timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else {
            return Err(StoreError::Busy("all connections are in use".to_owned()));
        };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut().and_then(Vec::pop);
        let connection = match idle {
            Some(connection) => connection,
            None => self.pool.acquire().await.map_err(|e| read_error(&e))?,
        };
        Ok(Lane { connection: Some(connection), home: Arc::clone(self), _place: place, good: false })
    }

    /// Gives everything at rest back to the pool, which tests it.
    fn clear(&self) {
        if let Some(idle) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            idle.clear();
        }
    }

    /// The same, and nothing is kept any more: a pool that closes waits for every connection.
    pub(super) fn close(&self) {
        drop(self.idle.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // Not to the pool: its test needs a runtime, and there may be none any more.
        for connection in idle.into_iter().flatten() {
            drop(connection.detach());
        }
    }
}

/// A connection in use. Unless its write is known to have gone well ([`Lane::good`]) it goes back to the pool to be tested, and
/// so do those at rest: what broke it may have broken them.
#[derive(Debug)]
pub(super) struct Lane {
    connection: Option<PoolConnection<Pg>>,
    home: Arc<Lanes>,
    _place: OwnedSemaphorePermit,
    good: bool,
}

impl Lane {
    /// The write was answered, so the connection is as it was before.
    pub(super) fn good(&mut self) {
        self.good = true;
    }
}

impl Deref for Lane {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match &self.connection {
            Some(connection) => connection,
            // Taken by `drop` alone.
            None => unreachable!("a lane has its connection until it is dropped"),
        }
    }
}

impl DerefMut for Lane {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => unreachable!("a lane has its connection until it is dropped"),
        }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if !self.good {
            drop(connection);
            self.home.clear();
        } else if let Some(idle) = self.home.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            idle.push(connection);
        }
    }
}
