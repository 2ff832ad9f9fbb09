//! Commits: outcome n and intent n+1 in one append, under the lease's fencing token.

use super::*;

impl Runner {
    pub(super) async fn commit_news(&mut self) -> Result<(), RunError> {
        if self.uncommitted.is_empty() {
            Ok(())
        } else {
            self.commit(CommitOptions::default()).await
        }
    }

    pub(super) async fn commit(&mut self, with: CommitOptions) -> Result<(), RunError> {
        match self.try_commit(with).await? {
            AppendResult::Ok => Ok(()),
            other => Err(RunError::Broken(format!(
                "an append without claims was answered {other:?}"
            ))),
        }
    }

    pub(super) async fn try_commit(
        &mut self,
        with: CommitOptions,
    ) -> Result<AppendResult, RunError> {
        let settles = self.uncommitted.iter().find_map(|e| match e {
            Event::Settled {
                step, direction, ..
            } => Some((step.clone(), *direction)),
            _ => None,
        });
        if let Some((step, direction)) = &settles
            && self.at(CrashPoint::BeforeOutcome, step, *direction)
        {
            return Err(RunError::Ended);
        }
        let at = self.environment.now();
        let mut progress = self.progress.clone();
        let (mut rows, mut audit) = (Vec::new(), Vec::new());
        for event in &self.uncommitted {
            let (row, trail) =
                progress.push(event.clone(), at, &self.lease.worker, self.lease.fence)?;
            rows.push(row);
            audit.extend(trail);
        }
        let mut labels = with.labels;
        labels.extend(self.saga.labels_after(self.context(&progress)));
        let mut append = Append {
            state: progress
                .state
                .unwrap_or(crate::state_machine::State::Queued),
            rows,
            audit,
            wake_at: with.wake_at,
            lease: with.lease.unwrap_or(LeaseChange::Keep),
            claims: with.claims.unwrap_or(ClaimChange::None),
            answer: with.answer,
            free_token: with.free_token,
            labels,
            projections: if self.taken {
                Vec::new()
            } else {
                self.saga.projections_after(self.context(&progress))
            },
            handled: with.handled_signals,
            at,
        };
        let appended = match self.append(&append).await {
            // A projection belongs to another execution. The money must not wait until that is
            // understood: this execution continues without the row, and ends with
            // `needs_attention`.
            Err(RunError::Store(StoreError::Taken { kind, key, owner })) => {
                tracing::error!(execution = %self.progress.id, kind, key, owner, "another execution has this row");
                self.taken = true;
                append.projections.clear();
                self.append(&append).await?
            }
            other => other?,
        };
        if appended == AppendResult::Ok {
            self.progress = progress;
            self.uncommitted.clear();
            self.last_row.send_replace(self.progress.seq);
            if let Some((step, direction)) = &settles
                && self.at(CrashPoint::AfterOutcome, step, *direction)
            {
                return Err(RunError::Ended);
            }
        }
        Ok(appended)
    }

    pub(super) async fn append(&self, append: &Append) -> Result<AppendResult, RunError> {
        self.store(|journal| {
            let (hold, append) = (self.lease.clone(), append.clone());
            async move { journal.append(&hold, append).await }
        })
        .await
    }

    pub(super) async fn renew(&self) -> Result<(), RunError> {
        let (hold, lease, at) = (
            self.lease.clone(),
            self.lease_duration,
            self.environment.now(),
        );
        self.store(|journal| {
            let hold = hold.clone();
            async move { journal.renew(&hold, lease, at).await }
        })
        .await
    }

    /// Calls the store, and retries while it is busy or its answer was lost (both are safe to
    /// repeat).
    pub(super) async fn store<T, F>(
        &self,
        call: impl Fn(Arc<dyn Journal>) -> F,
    ) -> Result<T, RunError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let mut tries = 0;
        loop {
            match call(Arc::clone(&self.journal)).await {
                Ok(value) => return Ok(value),
                Err(StoreError::Fenced) => return Err(RunError::Fenced),
                Err(
                    e @ (StoreError::Busy(_)
                    | StoreError::Lost(_)
                    | StoreError::Full(_)
                    | StoreError::Failed(_)),
                ) if tries < STORE_TRIES => {
                    tries += 1;
                    tracing::warn!(execution = %self.lease.id, error = %e, tries, "retrying the store call");
                    self.environment
                        .sleep(Duration::from_millis(20 << tries))
                        .await;
                }
                Err(e) => return Err(RunError::Store(e)),
            }
        }
    }
}
