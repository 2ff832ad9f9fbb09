//! Checks whether the store accepts writes, at most once every few seconds: the result is shared,
//! because `/readyz` is open to everybody.

use std::{sync::Arc, time::Duration};

use dewy_domain::ports::Clock;
use dewy_store::Store;
use tokio::sync::Mutex;

const RESULT_LIFETIME: Duration = Duration::from_secs(3);

/// Timeout for the test write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// Result of a check: the reason if writing failed.
type ProbeResult = Result<(), String>;

#[derive(Clone, Debug)]
pub struct WriteProbe {
    store: Store,
    clock: Arc<dyn Clock>,
    /// End of the latest check by the monotonic clock, with its result.
    latest: Arc<Mutex<Option<(Duration, ProbeResult)>>>,
}

impl WriteProbe {
    pub fn new(store: Store, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            latest: Arc::default(),
        }
    }

    /// Result of the latest check, or of a new one. Concurrent callers wait for the check in
    /// progress.
    ///
    /// # Errors
    /// With the reason when nothing can be written.
    pub async fn try_writing(&self) -> ProbeResult {
        let mut latest = Arc::clone(&self.latest).lock_owned().await;
        if let Some((at, tried)) = &*latest
            && self.clock.uptime().saturating_sub(*at) < RESULT_LIFETIME
        {
            return tried.clone();
        }
        let Self { store, clock, .. } = self.clone();
        // A separate task: callers that disconnect must not cause one write after another.
        let trying = tokio::spawn(async move {
            let tried = match tokio::time::timeout(WRITE_TIMEOUT, store.try_writing()).await {
                Ok(tried) => tried.map_err(|error| error.to_string()),
                Err(_) => Err("the store's writer is stuck".to_owned()),
            };
            *latest = Some((clock.uptime(), tried.clone()));
            tried
        });
        trying
            .await
            .unwrap_or_else(|_| Err("the probe was interrupted".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use async_trait::async_trait;
    use dewy_connectors::RealClock;
    use futures::future::join_all;
    use jiff::Timestamp;

    use super::*;

    /// Clock whose uptime is set by hand.
    #[derive(Debug, Default)]
    struct Uptime(AtomicU64);

    #[async_trait]
    impl Clock for Uptime {
        fn now(&self) -> Timestamp {
            RealClock.now()
        }

        fn uptime(&self) -> Duration {
            Duration::from_millis(self.0.load(Ordering::SeqCst))
        }

        async fn sleep(&self, pause: Duration) {
            tokio::time::sleep(pause).await;
        }
    }

    #[tokio::test]
    async fn concurrent_probes_share_one_write() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("dewy.db").display());
        let store = Store::open(&url, Arc::new(RealClock)).await.unwrap();
        let clock = Arc::new(Uptime::default());
        let probe = WriteProbe::new(store.clone(), Arc::clone(&clock) as _);
        let written = async || store.get_setting("last_written").await.unwrap();
        assert!(probe.try_writing().await.is_err(), "there are no tables");
        store.migrate().await.unwrap();
        assert!(
            probe.try_writing().await.is_err(),
            "it is not tried anew yet"
        );

        let mut writes = Vec::new();
        for second in 3..20 {
            clock.0.store(second * 1000, Ordering::SeqCst);
            let crowd = join_all((0..20).map(|_| probe.try_writing())).await;
            assert_eq!(crowd, vec![Ok(()); 20]);
            // An early disconnect doesn't cause another write.
            drop(tokio::time::timeout(Duration::ZERO, probe.try_writing()).await);
            writes.push(written().await);
        }
        writes.dedup();
        assert_eq!(writes.len(), 6, "3, 6, 9, 12, 15 and 18 s: {writes:?}");
        store.close().await;
    }
}
