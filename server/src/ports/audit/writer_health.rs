//! Health of a writer, for readiness and metrics.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use dewy_saga::StoreError;
use tokio::time::Instant;

/// Health of a writer that retries until the store accepts its data.
#[derive(Debug, Default)]
pub struct WriterHealth {
    stuck: Mutex<Option<(Instant, String)>>,
    aside: AtomicU64,
}

impl WriterHealth {
    /// Records a failure. The time counts from the first failure in a row.
    pub fn failed(&self, error: &StoreError) {
        let mut stuck = self.stuck.lock().unwrap_or_else(PoisonError::into_inner);
        let since = stuck
            .as_ref()
            .map_or_else(Instant::now, |(since, _)| *since);
        *stuck = Some((since, error.to_string()));
    }

    /// Records that everything was written, and how many records were set aside so far.
    pub fn progressed(&self, aside: u64) {
        *self.stuck.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.aside.store(aside, Ordering::Relaxed);
    }

    /// Time since writing began to fail, and the reason; `None` while the writer makes progress.
    pub fn stuck(&self) -> Option<(Duration, String)> {
        let stuck = self.stuck.lock().unwrap_or_else(PoisonError::into_inner);
        stuck
            .as_ref()
            .map(|(since, why)| (since.elapsed(), why.clone()))
    }

    /// Number of records that were set aside.
    pub fn set_aside_count(&self) -> u64 {
        self.aside.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_audit_log_is_failing_since_its_first_failure() {
        let health = WriterHealth::default();
        assert_eq!(health.stuck(), None);
        health.failed(&StoreError::Full("no room".to_owned()));
        tokio::time::advance(Duration::from_secs(11)).await;
        health.failed(&StoreError::Full("still none".to_owned()));
        let (since, why) = health.stuck().unwrap();
        assert_eq!(
            (since.as_secs(), why.as_str()),
            (11, "the store is full: still none")
        );
        health.progressed(2);
        assert_eq!((health.stuck(), health.set_aside_count()), (None, 2));
    }
}
