//! Ending an execution, and rechecking one that has ended.

use super::*;
use crate::{
    event::{Decision, FoundEffect},
    journal::ATTENTION,
    state_machine::State,
};

impl Runner {
    pub(super) async fn end(&mut self, end: End, reason: Option<String>) -> Result<(), RunError> {
        let ahead = self.ahead(self.environment.now())?;
        let (end, reason) = match (end, self.saga.attention_after(self.context(&ahead))) {
            (End::Completed, Some(reason)) => (End::NeedsAttention, Some(reason)),
            (End::Compensated, _) if self.taken => (
                End::NeedsAttention,
                Some("COMPENSATED_BY_ANOTHER".to_owned()),
            ),
            (end, _) => (end, reason),
        };
        let answer = self
            .saga
            .answer_ended(self.context(&ahead), end, reason.as_deref());
        self.uncommitted.push(Event::Ended {
            end,
            reason: reason.clone(),
        });
        let mut with = CommitOptions {
            answer: Some(answer),
            free_token: end == End::Refused && !ahead.had_effect(),
            ..self.end_options()
        };
        if end == End::NeedsAttention {
            with.claims = None;
            // Lists show and find it by this label; they do not read journals.
            with.labels
                .extend(reason.map(|reason| (ATTENTION.to_owned(), reason)));
        }
        with.wake_at = self.first_recheck()?;
        self.commit(with).await
    }

    /// Time of the first recheck, if any, once the uncommitted events are committed.
    pub(super) fn first_recheck(&self) -> Result<Option<Timestamp>, RunError> {
        let now = self.environment.now();
        let ahead = self.ahead(now)?;
        let wanted = self.saga.wants_rechecks(self.context(&ahead));
        Ok(self
            .saga
            .definition()
            .recheck_after
            .first()
            .filter(|_| wanted)
            .map(|after| now + *after))
    }

    /// Rechecks the outside systems once; true when the execution stays ended.
    pub(super) async fn recheck(&mut self, number: u32) -> Result<bool, RunError> {
        let found = self
            .renewing(self.saga.recheck(self.context(&self.progress)))
            .await?;
        match found {
            RecheckResult::Quiet => {
                self.uncommitted.push(Event::Watched { look: number });
                let ended = self
                    .progress
                    .ended
                    .as_ref()
                    .map_or_else(|| self.environment.now(), |(_, _, at)| *at);
                let planned = usize::try_from(number)
                    .ok()
                    .and_then(|n| self.saga.definition().recheck_after.get(n));
                let wanted = self.saga.wants_rechecks(self.context(&self.progress));
                let next = planned.filter(|_| wanted).map(|after| ended + *after);
                let with = CommitOptions {
                    lease: Some(LeaseChange::Release),
                    wake_at: next,
                    ..CommitOptions::default()
                };
                self.commit(with).await?;
                Ok(true)
            }
            RecheckResult::Found { decision, found } => {
                self.uncommitted.push(Event::Reopened { decision, found });
                self.commit(CommitOptions {
                    lease: Some(LeaseChange::For(self.lease_duration)),
                    ..CommitOptions::default()
                })
                .await?;
                Ok(false)
            }
            RecheckResult::Attention {
                decision,
                found,
                reason,
            } => {
                self.end_needing_attention(decision, Some(found), reason)
                    .await?;
                Ok(true)
            }
            RecheckResult::TryLater => {
                // A failed recheck writes no row, so the last one is the end, the last recheck, or
                // the signal that asked for this one.
                let since = self.progress.last_at;
                let tried = since
                    .map(|at| self.environment.now().duration_since(at))
                    .and_then(|tried| Duration::try_from(tried).ok())
                    .unwrap_or_default();
                let settled = self.progress.state == Some(State::SettledByHand);
                if tried > self.budget.back_window && !settled {
                    let fault = Fault::new(
                        "recheck_failed",
                        "the outside systems could not be checked again for a day",
                    );
                    let decision = Decision {
                        because: "recheck".to_owned(),
                        fault,
                        trigger: "watch".to_owned(),
                    };
                    let reason = "UNKNOWN_OUTCOME".to_owned();
                    self.end_needing_attention(decision, None, reason).await?;
                    return Ok(true);
                }
                // Retries become less frequent the longer it fails.
                let pause = self.budget.longest_back.max(tried / 10);
                self.park(Some(self.environment.now() + pause)).await?;
                Ok(true)
            }
        }
    }

    /// Ends an execution at rest again, as one that needs a person.
    async fn end_needing_attention(
        &mut self,
        decision: Decision,
        found: Option<FoundEffect>,
        reason: String,
    ) -> Result<(), RunError> {
        self.uncommitted.push(Event::Reopened { decision, found });
        let ahead = self.ahead(self.environment.now())?;
        let end = End::NeedsAttention;
        let answer = self
            .saga
            .answer_ended(self.context(&ahead), end, Some(&reason));
        self.uncommitted.push(Event::Ended {
            end,
            reason: Some(reason.clone()),
        });
        self.commit(CommitOptions {
            answer: Some(answer),
            lease: Some(LeaseChange::Release),
            labels: vec![(ATTENTION.to_owned(), reason)],
            ..CommitOptions::default()
        })
        .await
    }

    pub(super) fn end_options(&self) -> CommitOptions {
        CommitOptions {
            lease: Some(LeaseChange::Release),
            claims: Some(ClaimChange::Release),
            ..CommitOptions::default()
        }
    }
}
