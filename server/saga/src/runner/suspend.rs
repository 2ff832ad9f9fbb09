//! Waiting, handing over to another worker, and releasing the lease.

use super::*;
use crate::state_machine::State;

impl Runner {
    /// Waits; true when the execution was released for it.
    pub(super) async fn pause(&mut self, until: Timestamp) -> Result<bool, RunError> {
        let pause =
            Duration::try_from(until.duration_since(self.environment.now())).unwrap_or_default();
        let resting = self
            .ahead(self.environment.now())?
            .state
            .is_some_and(State::has_ended);
        if pause <= MAX_SLEEP && !resting {
            if self.uncommitted.is_empty() {
                self.renew().await?;
            } else {
                self.commit(CommitOptions {
                    lease: Some(LeaseChange::For(self.lease_duration)),
                    ..CommitOptions::default()
                })
                .await?;
            }
            self.sleep_renewing(pause).await?;
            // The full pause has passed, even if the clock was set in the meantime.
            self.due = true;
            self.load_signals().await?;
            return Ok(false);
        }
        let with = CommitOptions {
            lease: Some(LeaseChange::Release),
            wake_at: Some(until),
            ..CommitOptions::default()
        };
        if self.uncommitted.is_empty() {
            self.park(Some(until)).await?;
        } else {
            self.commit(with).await?;
        }
        Ok(true)
    }

    pub(super) async fn hand_over(mut self) -> Result<Progress, RunError> {
        self.commit_news().await?;
        self.store(|journal| {
            let (hold, now) = (self.lease.clone(), self.environment.now());
            async move { journal.hand_over(&hold, now).await }
        })
        .await?;
        Ok(self.progress)
    }

    /// Releases the lease without changes.
    pub(super) async fn release_lease(&mut self) -> Result<(), RunError> {
        self.commit_news().await?;
        self.park(None).await
    }

    /// Releases the lease; the execution is due at `wake_at` (never, for `None`).
    pub(super) async fn park(&mut self, wake_at: Option<Timestamp>) -> Result<(), RunError> {
        self.commit(CommitOptions {
            lease: Some(LeaseChange::Release),
            wake_at,
            ..CommitOptions::default()
        })
        .await
    }
}
