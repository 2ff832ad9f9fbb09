//! What a serving process does beside its requests: executions, receipts by email, the check for
//! orphaned payments, periodic tasks, and the registration of the sandbox's webhook.

use std::{sync::Arc, time::Duration};

use dewy_app::GuestEmails;
use dewy_concierge::ConciergeService;
use dewy_domain::ports::{Clock, Entropy};
use dewy_orchestrators::Hotel;
use dewy_store::Store;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    config::Config,
    startup::{orphan_check_schedule::OrphanCheckSchedule, periodic_tasks::PeriodicTasks},
    systems::{connect_systems::Systems, webhook_registration::SandboxWebhookEndpoint},
};

/// Time that startup waits for the webhook registration at the sandbox; it is retried later.
const REGISTRATION_TIMEOUT: Duration = Duration::from_secs(2);

/// What the background jobs work with.
pub(crate) struct BackgroundJobs<'a> {
    /// Mode and intervals.
    pub config: &'a Config,
    /// Orchestrators.
    pub hotel: &'a Arc<Hotel>,
    /// Receipts and confirmations that are sent by email.
    pub emails: Arc<GuestEmails>,
    /// Conversations.
    pub concierge: ConciergeService,
    /// Store.
    pub store: &'a Store,
    /// Outside systems.
    pub systems: &'a Systems,
    /// Clock.
    pub clock: &'a Arc<dyn Clock>,
    /// Randomness.
    pub entropy: &'a dyn Entropy,
    /// Canceled at shutdown.
    pub stopping: &'a CancellationToken,
    /// Canceled when another process has raised the mode.
    pub overtaken: &'a CancellationToken,
}

impl BackgroundJobs<'_> {
    /// Starts the jobs that must end before the store is closed.
    pub(crate) fn start(self) -> JoinHandle<()> {
        let (hotel, emails) = (Arc::clone(self.hotel), self.emails);
        let stop = self.stopping.clone();
        let work = tokio::spawn(async move {
            let mailing = Arc::clone(&hotel).run_email_outbox(emails, stop.clone());
            tokio::join!(hotel.work(stop), mailing);
        });
        let orphan_checks = OrphanCheckSchedule::new(
            Arc::clone(self.hotel) as _,
            self.store.clone(),
            Arc::clone(self.clock),
            self.entropy,
            self.config.sweep.interval,
        );
        let orphan_checks = tokio::spawn(orphan_checks.run_loop(self.stopping.clone()));
        let periodic_tasks = PeriodicTasks {
            store: self.store.clone(),
            mode: self.config.mode,
            systems: self.systems.clone(),
            concierge: self.concierge,
            clock: Arc::clone(self.clock),
            stopping: self.stopping.clone(),
            overtaken: self.overtaken.clone(),
        };
        let periodic_tasks = tokio::spawn(periodic_tasks.run());
        tokio::spawn(async move {
            drop(tokio::join!(work, orphan_checks, periodic_tasks));
        })
    }
}

/// Registers the sandbox's webhook, and keeps it registered.
pub(crate) async fn keep_registered(endpoint: SandboxWebhookEndpoint, stopping: CancellationToken) {
    drop(tokio::time::timeout(REGISTRATION_TIMEOUT, endpoint.ensure_registered()).await);
    tokio::spawn(endpoint.run_loop(stopping));
}
