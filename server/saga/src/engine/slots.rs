//! How many executions run at once, and who may use which of the places.
//!
//! ```text
//! new calls     ─► workers
//! what is due   ─► recovery ─► workers
//! compensations ─► compensation ─► recovery ─► workers
//! ```
//!
//! A crowd of new calls cannot keep out what has to be finished, and an outage that keeps
//! recoveries busy cannot keep out refunds.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places of one process.
#[derive(Debug)]
pub(super) struct Slots {
    workers: Arc<Semaphore>,
    recovery: Arc<Semaphore>,
    compensation: Arc<Semaphore>,
}

impl Slots {
    /// So many for new calls; a quarter as many more for what is due, and an eighth for
    /// compensations alone.
    pub(super) fn new(workers: usize) -> Self {
        let places = |count: usize| Arc::new(Semaphore::new(count));
        Self {
            workers: places(workers),
            recovery: places((workers / 4).max(2)),
            compensation: places((workers / 8).max(1)),
        }
    }

    /// A place for a new call; `None` when all are taken.
    pub(super) fn for_new(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.workers).try_acquire_owned().ok()
    }

    /// A place for what is due.
    pub(super) fn for_due(&self, compensating: bool) -> Option<OwnedSemaphorePermit> {
        let own = if compensating {
            Arc::clone(&self.compensation).try_acquire_owned().ok()
        } else {
            None
        };
        own.or_else(|| Arc::clone(&self.recovery).try_acquire_owned().ok())
            .or_else(|| self.for_new())
    }

    /// Number of free places for anything that is due.
    pub(super) fn free(&self) -> usize {
        self.recovery.available_permits() + self.workers.available_permits()
    }

    /// Number of further free places for compensations.
    pub(super) fn free_for_compensations(&self) -> usize {
        self.compensation.available_permits()
    }
}
