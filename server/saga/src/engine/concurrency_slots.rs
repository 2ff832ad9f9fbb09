//! Concurrency limits: how many executions run at once, and which kinds may use which slots.
//!
//! ```text
//! new calls     ─► workers
//! due work      ─► recovery ─► workers
//! compensations ─► compensation ─► recovery ─► workers
//! ```
//!
//! New calls cannot block work that has to be finished, and an outage that keeps recoveries busy
//! cannot block refunds.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[derive(Debug)]
pub(super) struct Slots {
    workers: Arc<Semaphore>,
    recovery: Arc<Semaphore>,
    compensation: Arc<Semaphore>,
}

impl Slots {
    /// Creates `workers` slots for new calls, a quarter more for due work, and an eighth more for
    /// compensations only.
    pub(super) fn new(workers: usize) -> Self {
        let places = |count: usize| Arc::new(Semaphore::new(count));
        Self {
            workers: places(workers),
            recovery: places((workers / 4).max(2)),
            compensation: places((workers / 8).max(1)),
        }
    }

    /// A slot for a new call; `None` when all are taken.
    pub(super) fn for_new(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.workers).try_acquire_owned().ok()
    }

    pub(super) fn for_due(&self, compensating: bool) -> Option<OwnedSemaphorePermit> {
        let own = if compensating {
            Arc::clone(&self.compensation).try_acquire_owned().ok()
        } else {
            None
        };
        own.or_else(|| Arc::clone(&self.recovery).try_acquire_owned().ok())
            .or_else(|| self.for_new())
    }

    /// Number of free slots for any due work.
    pub(super) fn free(&self) -> usize {
        self.recovery.available_permits() + self.workers.available_permits()
    }

    /// Number of additional free slots for compensations.
    pub(super) fn free_for_compensations(&self) -> usize {
        self.compensation.available_permits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes slots until none is left.
    fn all(take: impl Fn() -> Option<OwnedSemaphorePermit>) -> Vec<OwnedSemaphorePermit> {
        std::iter::from_fn(take).collect()
    }

    #[test]
    fn reserved_slots_are_never_used_by_new_calls() {
        let slots = Slots::new(8);
        let new = all(|| slots.for_new());
        assert_eq!((new.len(), slots.free()), (8, 2));
        let due = all(|| slots.for_due(false));
        assert_eq!((due.len(), slots.free()), (2, 0));
        assert_eq!(slots.free_for_compensations(), 1);
        let compensating = all(|| slots.for_due(true));
        assert_eq!(compensating.len(), 1);
        assert_eq!(slots.free_for_compensations(), 0);
        drop(new);
        // Without new calls, whatever is due may use their slots too.
        assert_eq!(all(|| slots.for_due(true)).len(), 8);
    }
}
