//! Maintenance tasks, once a minute: purges old rows, checkpoints the audit log, and detects a
//! raised mode.

use std::{sync::Arc, time::Duration};

use dewy_concierge::ConciergeService;
use dewy_domain::{deployment_mode::DeploymentMode, ports::Clock};
use dewy_store::Store;
use tokio_util::sync::CancellationToken;

/// Interval at which old rows are purged and audit trails are checkpointed.
const INTERVAL: Duration = Duration::from_secs(60);

/// Periodic tasks of one process.
pub(crate) struct PeriodicTasks {
    /// Store.
    pub store: Store,
    /// Mode that the store is served in.
    pub mode: DeploymentMode,
    /// Conversations.
    pub concierge: ConciergeService,
    /// Clock.
    pub clock: Arc<dyn Clock>,
    /// Canceled at shutdown.
    pub stopping: CancellationToken,
    /// Canceled when another process has raised the mode.
    pub overtaken: CancellationToken,
}

impl PeriodicTasks {
    /// Runs once a minute until it is stopped.
    pub(crate) async fn run(self) {
        loop {
            tokio::select! {
                biased;
                () = self.stopping.cancelled() => return,
                () = self.clock.sleep(INTERVAL) => {}
            }
            self.once().await;
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
