//! Maintenance tasks, once a minute: purges old rows, checkpoints the audit log, and detects a
//! raised mode.

use std::{sync::Arc, time::Duration};

use dewy_concierge::ConciergeService;
use dewy_domain::{deployment_mode::DeploymentMode, ports::Clock};
use dewy_store::Store;
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::systems::connect_systems::Systems;

/// Interval at which old rows are purged and audit trails are checkpointed.
const INTERVAL: Duration = Duration::from_secs(60);

/// Interval at which fields that Salesforce hides are looked for again.
const FIELDS_INTERVAL: Duration = Duration::from_secs(600);

pub(crate) struct PeriodicTasks {
    pub store: Store,
    /// Mode that the store is served in.
    pub mode: DeploymentMode,
    pub systems: Systems,
    pub concierge: ConciergeService,
    pub clock: Arc<dyn Clock>,
    /// Canceled at shutdown.
    pub stopping: CancellationToken,
    /// Canceled when another process has raised the mode.
    pub overtaken: CancellationToken,
}

impl PeriodicTasks {
    /// Runs once a minute until it is stopped.
    pub(crate) async fn run(self) {
        let mut fields_at = self.clock.now();
        loop {
            tokio::select! {
                biased;
                () = self.stopping.cancelled() => return,
                () = self.clock.sleep(INTERVAL) => {}
            }
            self.once().await;
            self.systems.recheck_access().await;
            self.relearn_fields(&mut fields_at).await;
        }
    }

    /// Checks now and then whether hidden fields have become visible.
    async fn relearn_fields(&self, at: &mut Timestamp) {
        let now = self.clock.now();
        let due =
            Duration::try_from(now.duration_since(*at)).is_ok_and(|age| age >= FIELDS_INTERVAL);
        if due && self.systems.crm.hides_fields() {
            *at = now;
            drop(self.systems.crm.learn_fields().await);
        }
    }

    async fn once(&self) {
        let now = self.clock.now();
        if let Ok(Some((kept, _))) = self.store.highest_mode().await
            && kept > self.mode
        {
            tracing::error!(%kept, mode = %self.mode, "another process has raised the mode of the store");
            self.overtaken.cancel();
        }
        if let Err(error) = self.store.purge(now).await {
            tracing::warn!(%error, "old rows could not be purged");
        }
        // A failure is logged and retried next time
        let _ = self.concierge.clean_up().await;
        if let Err(error) = self.store.write_audit_checkpoint(self.clock.now()).await {
            tracing::error!(%error, "the audit checkpoint could not be written");
        }
    }
}
