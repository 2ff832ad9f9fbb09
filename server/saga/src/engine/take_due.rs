//! Takes due executions, except those only another release can judge.

use std::{ops::RangeInclusive, sync::Arc};

use super::{Engine, crash_suspects::SUSPECT_LOSSES, stuck_executions};
use crate::{
    execution_id::ExecutionId,
    journal::{DueFilter, ExecutionRecord, Lease, StoreError},
    state_machine::State,
};

/// Maximum number of listed executions that only another release can run.
const MAX_SKIPPED: usize = 1000;

impl Engine {
    /// Takes due executions while there are free slots; returns how many. Definitions unknown to
    /// this process are left alone, and so is what may not run next to a suspect.
    pub async fn take_due(&self) -> usize {
        let mut started = 0;
        while self.max_unproven_losses() == 0 {
            let full = self.0.slots.free() == 0;
            if full && self.0.slots.free_for_compensations() == 0 {
                break;
            }
            let suspect = self.take(1, full, SUSPECT_LOSSES..=u32::MAX).await.pop();
            let Some((lease, record)) = suspect else {
                break;
            };
            started += usize::from(self.run(lease, record).await);
        }
        let most = if self.max_unproven_losses() < SUSPECT_LOSSES {
            SUSPECT_LOSSES - 1
        } else {
            0
        };
        let free = self.0.slots.free();
        let mut taken = self.take(free, false, 0..=most).await;
        if taken.len() == free {
            // There may be more, and compensations have their own slots.
            let places = self.0.slots.free_for_compensations();
            taken.extend(self.take(places, true, 0..=most).await);
        }
        for (lease, record) in taken {
            started += usize::from(self.run(lease, record).await);
        }
        started
    }

    /// Runs a taken execution; false if it must not run, or not in this process.
    async fn run(&self, lease: Lease, record: ExecutionRecord) -> bool {
        if record.damage.is_some() {
            self.quarantine(&lease, &record).await;
            return false;
        }
        let slot = self.0.slots.for_due(record.state == State::Compensating);
        let (Some(slot), Some(saga)) = (slot, self.saga_of(&record).cloned()) else {
            // A new call took the slot meanwhile.
            self.return_lease(&lease).await;
            return false;
        };
        if record.lapses >= stuck_executions::MAX_LOST_WORKERS {
            self.end_as_stuck(
                &lease,
                &record,
                "three workers in a row died while running it",
            )
            .await;
            return false;
        }
        self.spawn(saga, lease, record, None, slot);
        true
    }

    /// Due executions that only another release can continue, oldest first; at most a thousand.
    ///
    /// # Errors
    /// Returns a [`StoreError`] when the store fails.
    pub async fn due_elsewhere(&self) -> Result<Vec<ExecutionId>, StoreError> {
        let filter = self.filter(MAX_SKIPPED, false, DueFilter::any(0).lapses);
        self.0.journal.due_elsewhere(&filter).await
    }

    /// Returns an execution that a newer release wrote to, unchanged, and never takes it again.
    pub(super) async fn leave_to_newer(&self, lease: &Lease) {
        if let Ok(mut newer) = self.0.newer.lock() {
            newer.insert(lease.id);
        }
        self.return_lease(lease).await;
    }

    async fn return_lease(&self, lease: &Lease) {
        if let Err(error) = self
            .0
            .journal
            .hand_over(lease, self.0.environment.now())
            .await
        {
            tracing::warn!(execution = %lease.id, %error, "could not be released; its lease will expire");
        }
    }

    async fn take(
        &self,
        limit: usize,
        compensating_only: bool,
        lapses: RangeInclusive<u32>,
    ) -> Vec<(Lease, ExecutionRecord)> {
        if limit == 0 {
            return Vec::new();
        }
        let (settings, filter) = (
            &self.0.settings,
            self.filter(limit, compensating_only, lapses),
        );
        let taken = self
            .0
            .journal
            .take(
                &settings.worker,
                &filter,
                settings.lease,
                self.0.environment.now(),
            )
            .await;
        taken.unwrap_or_else(|error| {
            tracing::warn!(%error, "due work could not be claimed");
            Vec::new()
        })
    }

    fn filter(
        &self,
        limit: usize,
        compensating_only: bool,
        lapses: RangeInclusive<u32>,
    ) -> DueFilter {
        let newer = self
            .0
            .newer
            .lock()
            .map(|newer| newer.iter().copied().collect())
            .unwrap_or_default();
        DueFilter {
            limit,
            compensating_only,
            definitions: Some(Arc::clone(&self.0.known)),
            newer,
            lapses,
        }
    }
}
