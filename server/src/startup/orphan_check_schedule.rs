//! Schedule of the orphan check: at an interval, by one instance at a time, and on request from the
//! command line.
//!
//! ```text
//! timer ─► interval over, by the store's clock ─┐
//! request in the store ────────────────────────┴─► the lease `sweep` ── held by another ─► next time
//!                                                   │ acquired, renewed meanwhile
//!                                                   ▼
//!                                                  Hotel::check_orphan_payments ─► time and result ─► lease released
//! ```

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    orphan_check_view::OrphanCheckView,
    ports::{Clock, Entropy},
};
use dewy_orchestrators::Hotel;
use dewy_saga::StoreError;
use dewy_store::{ORPHAN_CHECK_LEASE, ORPHAN_CHECK_PAUSE, Store};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// How long the lease of a dead process blocks other orphan checks.
const LEASE_TIME: Duration = Duration::from_secs(60);
/// Polling interval for requests.
const TICK: Duration = Duration::from_secs(1);
/// Delay of the first check after startup.
const FIRST_RUN_DELAY: Duration = Duration::from_secs(30);
/// Key of the time the last check ended; it doesn't include the result.
const LAST_RUN_KEY: &str = "sweep_last";
/// Key of the newest request and of the last answered one.
const REQUEST_KEY: &str = "sweep_wish";
const RESPONSE_KEY: &str = "sweep_granted";

#[async_trait]
pub trait OrphanCheckRunner: Send + Sync + std::fmt::Debug {
    async fn run_orphan_check(&self) -> OrphanCheckView;
}

#[async_trait]
impl OrphanCheckRunner for Hotel {
    async fn run_orphan_check(&self) -> OrphanCheckView {
        Self::check_orphan_payments(self).await
    }
}

#[derive(Clone, Debug)]
pub struct OrphanCheckSchedule {
    runner: Arc<dyn OrphanCheckRunner>,
    store: Store,
    clock: Arc<dyn Clock>,
    worker: String,
    interval: Duration,
}

impl OrphanCheckSchedule {
    #[must_use]
    pub fn new(
        runner: Arc<dyn OrphanCheckRunner>,
        store: Store,
        clock: Arc<dyn Clock>,
        entropy: &dyn Entropy,
        interval: Duration,
    ) -> Self {
        Self {
            runner,
            store,
            clock,
            worker: format!("sweeper-{:016x}", entropy.next_u64()),
            interval,
        }
    }

    /// Runs checks on schedule until asked to stop. A check in progress is abandoned then, which is
    /// harmless.
    pub async fn run_loop(self, stopping: CancellationToken) {
        let mut next = self.clock.now() + self.interval.min(FIRST_RUN_DELAY);
        loop {
            tokio::select! {
                biased;
                () = stopping.cancelled() => return,
                () = self.clock.sleep(TICK) => {}
            }
            let turn = async {
                self.serve_request().await?;
                if self.clock.now() >= next {
                    next = self.on_time().await?;
                }
                Ok::<_, StoreError>(())
            };
            tokio::select! {
                biased;
                () = stopping.cancelled() => {
                    self.release().await;
                    return;
                }
                done = turn => if let Err(error) = done {
                    tracing::warn!(%error, "the sweep could not run");
                }
            }
        }
    }

    /// Runs a check unless any process has done so recently; returns the time of the next check.
    async fn on_time(&self) -> Result<Timestamp, StoreError> {
        let interval = SignedDuration::try_from(self.interval).unwrap_or(SignedDuration::MAX);
        if let Some(last) = self.last(interval).await? {
            return Ok(last + interval);
        }
        // Clocks of instances may be minutes apart, so the pause between checks follows the store's
        // clock.
        let turn = format!("{}-{}", self.worker, self.clock.uptime().as_nanos());
        if self.pause(&turn, LEASE_TIME).await? && self.acquire().await? {
            // Another process may have finished one before this one got the lease.
            let ran = match self.last(interval).await {
                Ok(None) => self.check().await.map(drop),
                other => other.map(drop),
            };
            self.release().await;
            ran?;
            self.pause(&turn, self.interval).await?;
        }
        Ok(self.clock.now() + interval.min(SignedDuration::from_secs(5)))
    }

    /// End of the last check, if it is within the given duration.
    async fn last(&self, within: SignedDuration) -> Result<Option<Timestamp>, StoreError> {
        let last = self
            .store
            .get_json(LAST_RUN_KEY)
            .await?
            .and_then(|at| at.as_str()?.parse::<Timestamp>().ok());
        let now = self.clock.now();
        // A time in the future comes from a wrong clock.
        Ok(last.filter(|last| *last <= now && now.duration_since(*last) < within))
    }

    /// Runs a check now; `None` when another process is running one.
    pub async fn run(&self) -> Result<Option<OrphanCheckView>, StoreError> {
        if !self.acquire().await? {
            return Ok(None);
        }
        let view = self.check().await;
        self.release().await;
        view.map(Some)
    }

    /// Runs a check requested at a terminal, unless it has been run.
    async fn serve_request(&self) -> Result<(), StoreError> {
        if self.pending_request().await?.is_none() || !self.acquire().await? {
            return Ok(());
        }
        // Checked again under the lease: another process may have just run it.
        let served = async {
            if let Some(request) = self.pending_request().await? {
                let view = self.check().await?;
                self.store
                    .put_json(RESPONSE_KEY, &json!(Response { request, view }))
                    .await?;
            }
            Ok(())
        };
        let served = served.await;
        self.release().await;
        served
    }

    /// Newest request, if it is not answered yet.
    async fn pending_request(&self) -> Result<Option<String>, StoreError> {
        let Some(request) = read::<String>(&self.store, REQUEST_KEY).await? else {
            return Ok(None);
        };
        let answered = read::<Response>(&self.store, RESPONSE_KEY)
            .await?
            .is_some_and(|response| response.request == request);
        Ok((!answered).then_some(request))
    }

    /// Delays the next check; false when another turn already does.
    async fn pause(&self, turn: &str, lasts: Duration) -> Result<bool, StoreError> {
        self.store
            .acquire_named_lease(ORPHAN_CHECK_PAUSE, turn, lasts, self.clock.now())
            .await
    }

    async fn acquire(&self) -> Result<bool, StoreError> {
        self.store
            .acquire_named_lease(
                ORPHAN_CHECK_LEASE,
                &self.worker,
                LEASE_TIME,
                self.clock.now(),
            )
            .await
    }

    async fn release(&self) {
        if let Err(error) = self
            .store
            .release_named_lease(ORPHAN_CHECK_LEASE, &self.worker)
            .await
        {
            tracing::debug!(%error, "the sweep's lease will expire");
        }
    }

    /// Runs a check under the lease, which is renewed meanwhile.
    async fn check(&self) -> Result<OrphanCheckView, StoreError> {
        let renewing = async {
            loop {
                self.clock.sleep(LEASE_TIME / 3).await;
                if let Err(error) = self.acquire().await {
                    tracing::warn!(%error, "the sweep's lease could not be renewed");
                }
            }
        };
        let view = tokio::select! {
            view = self.runner.run_orphan_check() => view,
            never = renewing => never,
        };
        self.store
            .put_json(LAST_RUN_KEY, &json!(self.clock.now()))
            .await?;
        Ok(view)
    }
}

/// Requests a check from the serving process and waits for the result; `None` if nobody answered in
/// time.
pub async fn request_run(
    store: &Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    patience: Duration,
) -> Result<Option<OrphanCheckView>, StoreError> {
    let until = clock.now() + patience;
    let ours = entropy.uuid_v7(clock.now()).simple().to_string();
    store.put_json(REQUEST_KEY, &json!(ours)).await?;
    while clock.now() < until {
        clock.sleep(TICK / 4).await;
        let Some(response) = read::<Response>(store, RESPONSE_KEY).await? else {
            continue;
        };
        if response.request == ours {
            return Ok(Some(response.view));
        }
        // Another request was answered in the meantime; ours is next.
        let newest = read::<String>(store, REQUEST_KEY).await?;
        if newest.is_some_and(|newest| newest != ours && newest == response.request) {
            store.put_json(REQUEST_KEY, &json!(ours)).await?;
        }
    }
    Ok(None)
}

/// Answer to a request, as stored.
#[derive(Debug, Serialize, Deserialize)]
struct Response {
    request: String,
    /// Result of the run.
    view: OrphanCheckView,
}

/// A stored fact; `None` also for one that another release wrote differently.
async fn read<T: DeserializeOwned>(store: &Store, key: &str) -> Result<Option<T>, StoreError> {
    let fact = store.get_json(key).await?;
    Ok(fact.and_then(|fact| serde_json::from_value(fact).ok()))
}
