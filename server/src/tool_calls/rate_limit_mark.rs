//! Marks a request as rate limited.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// In a request's extensions: whether it was rate limited, and for how long.
#[derive(Clone, Debug, Default)]
pub struct RateLimitMark(Arc<AtomicU64>);

impl RateLimitMark {
    pub fn record(&self, wait: Duration) {
        self.0.store(wait.as_secs().max(1), Ordering::Relaxed);
    }

    #[must_use]
    pub fn wait(&self) -> Option<Duration> {
        Some(self.0.load(Ordering::Relaxed))
            .filter(|seconds| *seconds > 0)
            .map(Duration::from_secs)
    }
}
