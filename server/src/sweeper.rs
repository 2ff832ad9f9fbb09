//! When the sweep runs: every so often, by one instance at a time, and when somebody at a terminal
//! wishes it.
//!
//! ```text
//! timer ─► the pause is over, by the store's clock ─┐
//! a wish in the store ─────────────────────────────┴─► the lease `sweep` ── somebody has it ─► next time
//!                                        │ ours, renewed while it runs
//!                                        ▼
//!                                  Hotel::sweep ─► when it ran, what it found ─► lease given back
//! ```

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    ports::{Clock, Entropy},
    view::SweepView,
};
use dewy_orchestrators::Hotel;
use dewy_saga::StoreError;
use dewy_store::{SWEEP_LEASE, SWEEP_PAUSE, Store};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// How long a sweep whose process died keeps others from it.
const HOLD: Duration = Duration::from_secs(60);
/// How often wishes are looked for.
const TICK: Duration = Duration::from_secs(1);
/// A process that has just started leaves the first sweep for a little later.
const FIRST: Duration = Duration::from_secs(30);
/// When the last one ended; says nothing of what it found.
const LAST: &str = "sweep_last";
/// The newest wish, and the last that was granted.
const WISH: &str = "sweep_wish";
const GRANTED: &str = "sweep_granted";

/// Somebody who can sweep.
#[async_trait]
pub trait Sweeps: Send + Sync + std::fmt::Debug {
    /// Looks once.
    async fn sweep(&self) -> SweepView;
}

#[async_trait]
impl Sweeps for Hotel {
    async fn sweep(&self) -> SweepView {
        Self::sweep(self).await
    }
}

/// Sees to it that it is done.
#[derive(Clone, Debug)]
pub struct Sweeper {
    sweeps: Arc<dyn Sweeps>,
    store: Store,
    clock: Arc<dyn Clock>,
    worker: String,
    interval: Duration,
}

impl Sweeper {
    /// One process's.
    #[must_use]
    pub fn new(
        sweeps: Arc<dyn Sweeps>,
        store: Store,
        clock: Arc<dyn Clock>,
        entropy: &dyn Entropy,
        interval: Duration,
    ) -> Self {
        Self {
            sweeps,
            store,
            clock,
            worker: format!("sweeper-{:016x}", entropy.next_u64()),
            interval,
        }
    }

    /// Sweeps when it is time until told to stop; one that runs then is left where it is, which
    /// does no harm.
    pub async fn keep(self, stopping: CancellationToken) {
        let mut next = self.clock.now() + self.interval.min(FIRST);
        loop {
            tokio::select! {
                biased;
                () = stopping.cancelled() => return,
                () = self.clock.sleep(TICK) => {}
            }
            let turn = async {
                self.grant().await?;
                if self.clock.now() >= next {
                    next = self.on_time().await?;
                }
                Ok::<_, StoreError>(())
            };
            tokio::select! {
                biased;
                () = stopping.cancelled() => {
                    self.let_go().await;
                    return;
                }
                done = turn => if let Err(error) = done {
                    tracing::warn!(%error, "the sweep could not run");
                }
            }
        }
    }

    /// Sweeps if none has lately, whoever did; answers when to look again.
    async fn on_time(&self) -> Result<Timestamp, StoreError> {
        let interval = SignedDuration::try_from(self.interval).unwrap_or(SignedDuration::MAX);
        if let Some(last) = self.last(interval).await? {
            return Ok(last + interval);
        }
        // The instances' clocks may be minutes apart, so the pause between two sweeps is by the
        // store's.
        let turn = format!("{}-{}", self.worker, self.clock.uptime().as_nanos());
        if self.pause(&turn, HOLD).await? && self.hold().await? {
            // Somebody may have swept between the look and the lease.
            let ran = match self.last(interval).await {
                Ok(None) => self.sweep().await.map(drop),
                other => other.map(drop),
            };
            self.let_go().await;
            ran?;
            self.pause(&turn, self.interval).await?;
        }
        Ok(self.clock.now() + interval.min(SignedDuration::from_secs(5)))
    }

    /// When the last sweep ended, if that is not longer ago than so long.
    async fn last(&self, within: SignedDuration) -> Result<Option<Timestamp>, StoreError> {
        let last = self
            .store
            .get_fact(LAST)
            .await?
            .and_then(|at| at.as_str()?.parse::<Timestamp>().ok());
        let now = self.clock.now();
        // One that claims to have run in the future had a wrong clock.
        Ok(last.filter(|last| *last <= now && now.duration_since(*last) < within))
    }

    /// Sweeps now; `None` when another process does just that.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn run(&self) -> Result<Option<SweepView>, StoreError> {
        if !self.hold().await? {
            return Ok(None);
        }
        let view = self.sweep().await;
        self.let_go().await;
        view.map(Some)
    }

    /// Does what somebody at a terminal wished, if it was not done yet.
    async fn grant(&self) -> Result<(), StoreError> {
        if self.wished().await?.is_none() || !self.hold().await? {
            return Ok(());
        }
        // Looked at again under the lease: another process may have just done it.
        let granted = async {
            if let Some(wish) = self.wished().await? {
                let view = self.sweep().await?;
                self.store
                    .put_fact(GRANTED, &json!({ "wish": wish, "view": view }))
                    .await?;
            }
            Ok(())
        };
        let granted = granted.await;
        self.let_go().await;
        granted
    }

    /// The newest wish, if it was not granted.
    async fn wished(&self) -> Result<Option<Value>, StoreError> {
        let Some(wish) = self.store.get_fact(WISH).await?.filter(Value::is_string) else {
            return Ok(None);
        };
        let granted = self
            .store
            .get_fact(GRANTED)
            .await?
            .is_some_and(|granted| granted["wish"] == wish);
        Ok((!granted).then_some(wish))
    }

    /// Keeps the next sweep away for so long; false when another turn does.
    async fn pause(&self, turn: &str, lasts: Duration) -> Result<bool, StoreError> {
        self.store
            .try_hold(SWEEP_PAUSE, turn, lasts, self.clock.now())
            .await
    }

    async fn hold(&self) -> Result<bool, StoreError> {
        self.store
            .try_hold(SWEEP_LEASE, &self.worker, HOLD, self.clock.now())
            .await
    }

    async fn let_go(&self) {
        if let Err(error) = self.store.let_go(SWEEP_LEASE, &self.worker).await {
            tracing::debug!(%error, "the sweep's lease will expire");
        }
    }

    /// Under the lease, which is renewed for as long as it takes.
    async fn sweep(&self) -> Result<SweepView, StoreError> {
        let renewing = async {
            loop {
                self.clock.sleep(HOLD / 3).await;
                if let Err(error) = self.hold().await {
                    tracing::warn!(%error, "the sweep's lease was not renewed");
                }
            }
        };
        let view = tokio::select! {
            view = self.sweeps.sweep() => view,
            never = renewing => never,
        };
        self.store.put_fact(LAST, &json!(self.clock.now())).await?;
        Ok(view)
    }
}

/// Wishes for a sweep by whoever serves, and waits for what it finds; `None` when nobody answered
/// in time.
///
/// # Errors
/// When the store failed.
pub async fn wish(
    store: &Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    patience: Duration,
) -> Result<Option<SweepView>, StoreError> {
    let until = clock.now() + patience;
    let ours = json!(entropy.uuid_v7(clock.now()).simple().to_string());
    store.put_fact(WISH, &ours).await?;
    while clock.now() < until {
        clock.sleep(TICK / 4).await;
        let granted = store.get_fact(GRANTED).await?.unwrap_or_default();
        if granted["wish"] == ours {
            return Ok(serde_json::from_value(granted["view"].clone()).ok());
        }
        // Somebody else wished meanwhile, and was answered: it is our turn again.
        let newest = store.get_fact(WISH).await?.unwrap_or_default();
        if newest != ours && granted["wish"] == newest {
            store.put_fact(WISH, &ours).await?;
        }
    }
    Ok(None)
}
