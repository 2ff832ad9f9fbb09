//! One step: plan it, commit its intent, send it, determine its outcome.

use super::*;

impl Runner {
    pub(super) async fn run_step(
        &mut self,
        step: &'static str,
        direction: Direction,
    ) -> Result<(), RunError> {
        let now = self.environment.now();
        let ahead = self.ahead(now)?;
        let activity = self.saga.activity(step, direction);
        let context = self.context(&ahead).at(step, direction);
        let quick = activity.as_ref().and_then(|a| a.build(context));
        let plan = match quick {
            Some(plan) => plan,
            None => {
                // Something has to be read first, so commit what is known before.
                self.commit_news().await?;
                self.renew().await?;
                match activity {
                    Some(activity) => {
                        let context = self.context(&self.progress).at(step, direction);
                        self.renewing(activity.prepare(context)).await?
                    }
                    None => Plan::Skip(Value::Null),
                }
            }
        };
        match plan {
            Plan::Send(request) => {
                self.commit_intent(step, direction, false, &request).await?;
                self.send(step, direction, &request).await?;
            }
            Plan::Guard(request) => {
                self.commit_intent(step, direction, true, &request).await?;
                self.send_guard(step, direction, &request).await?;
            }
            Plan::Skip(why) => self.uncommitted.push(Event::Skipped {
                step: step.to_owned(),
                direction,
                why,
            }),
            Plan::Refuse(fault) => self.settle(step, direction, true, Outcome::Refused(fault)),
            Plan::TryLater(fault) => self.settle(step, direction, true, Outcome::TryLater(fault)),
        }
        Ok(())
    }

    fn activity(
        &self,
        step: &str,
        direction: Direction,
    ) -> Result<Arc<JournaledActivity>, RunError> {
        let activity = self.saga.activity(step, direction);
        activity.ok_or_else(|| RunError::Broken(format!("{step} has no activity")))
    }

    async fn commit_intent(
        &mut self,
        step: &'static str,
        direction: Direction,
        guard: bool,
        request: &Request,
    ) -> Result<(), RunError> {
        let ahead = self.ahead(self.environment.now())?;
        self.uncommitted
            .push(intended(step, direction, &ahead, guard, request));
        if self.at(CrashPoint::BeforeIntent, step, direction) {
            return Err(RunError::Ended);
        }
        self.commit(CommitOptions {
            lease: Some(LeaseChange::For(self.lease_duration)),
            ..CommitOptions::default()
        })
        .await
    }

    /// Sends the journaled bytes again after they were definitely not applied. That they are in
    /// flight again is journaled first: if this worker ends now, the older outcome must not stand.
    pub(super) async fn send_again(
        &mut self,
        step: &'static str,
        direction: Direction,
    ) -> Result<(), RunError> {
        let ahead = self.ahead(self.environment.now())?;
        let Some(request) = ahead
            .direction_progress(step, direction)
            .and_then(|s| s.request.clone())
        else {
            return Err(RunError::Broken(format!(
                "{step} has no request to send again"
            )));
        };
        self.commit_intent(step, direction, false, &request).await?;
        self.send(step, direction, &request).await
    }

    pub(super) async fn send(
        &mut self,
        step: &'static str,
        direction: Direction,
        request: &Request,
    ) -> Result<(), RunError> {
        if self.at(CrashPoint::AfterIntent, step, direction) {
            return Err(RunError::Ended);
        }
        let activity = self.activity(step, direction)?;
        let context = self.context(&self.progress).at(step, direction);
        let outcome = self.renewing(activity.send(context, request)).await?;
        if self.at(CrashPoint::AfterSend, step, direction) {
            return Err(RunError::Ended);
        }
        self.settle(step, direction, false, outcome);
        Ok(())
    }

    pub(super) async fn resolve(
        &mut self,
        step: &'static str,
        direction: Direction,
    ) -> Result<(), RunError> {
        self.commit_news().await?;
        let Some(direction_progress) = self.progress.direction_progress(step, direction).cloned()
        else {
            return Err(RunError::Broken(format!("{step} has nothing to resolve")));
        };
        let Some(request) = direction_progress.request.clone() else {
            // An effect found without a request of ours: nothing to look up.
            let outcome = Outcome::TryLater(Fault::new(NOT_APPLIED, "nothing was sent"));
            self.settle(step, direction, true, outcome);
            return Ok(());
        };
        self.renew().await?;
        let activity = self.activity(step, direction)?;
        // A guard with an open outcome may have been sent: sending the same bytes again tells.
        if let Some(guard) = direction_progress.guard.filter(|g| g.outcome.is_none()) {
            return self.send_guard(step, direction, &guard.request).await;
        }
        let context = self.context(&self.progress).at(step, direction);
        let check = activity.determine_outcome(context, &request);
        match self.renewing(check).await? {
            OutcomeCheck::Outcome(outcome) => self.settle(step, direction, true, outcome),
            OutcomeCheck::SendAgain => {
                self.send(step, direction, &request).await?;
                // The response to this request says nothing certain about the earlier one.
                if let Some(Event::Settled { outcome, .. }) = self.uncommitted.last_mut() {
                    match outcome {
                        // The activity has checked: no request was applied.
                        Outcome::TryLater(fault) if fault.code == NOT_APPLIED => {}
                        Outcome::TryLater(fault) => *outcome = Outcome::Unknown(fault.clone()),
                        Outcome::Refused(fault) if !activity.is_replayed_refusal(fault) => {
                            let details = serde_json::json!({ "refusal": fault });
                            let repeated = Fault::new(
                                REFUSED_ON_REPEAT,
                                format!("a retry was refused: {}", fault.code),
                            );
                            *outcome = Outcome::Unknown(repeated.with(details));
                        }
                        _ => {}
                    }
                }
            }
            OutcomeCheck::Guard(guard) => {
                // Without a compensation, only the fence makes "not applied" certain, however late.
                let gives_up = self
                    .saga
                    .definition()
                    .step(step)
                    .is_some_and(|s| s.patience == UnknownOutcomePolicy::Budget);
                let inherited = self.progress.is_inherited(step, direction);
                let spent = self
                    .progress
                    .direction_progress(step, direction)
                    .is_some_and(|s| {
                        direction == Direction::Forward
                            && gives_up
                            && s.phase != Phase::Waiting
                            && crate::next_move::budget_is_exhausted(
                                s,
                                inherited,
                                &self.budget,
                                self.environment.now(),
                            )
                    });
                if spent {
                    // It will not be sent again, so a late effect is left to the compensation.
                    let fault =
                        Fault::new(NOT_APPLIED, "not applied, and its time limit has passed");
                    self.settle(step, direction, true, Outcome::Unknown(fault));
                    return Ok(());
                }
                self.commit_intent(step, direction, true, &guard).await?;
                self.send_guard(step, direction, &guard).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn send_guard(
        &mut self,
        step: &'static str,
        direction: Direction,
        request: &Request,
    ) -> Result<(), RunError> {
        if self.at(CrashPoint::AfterIntent, step, direction) {
            return Err(RunError::Ended);
        }
        let activity = self.activity(step, direction)?;
        let context = self.context(&self.progress).at(step, direction);
        let outcome = self.renewing(activity.send_guard(context, request)).await?;
        if self.at(CrashPoint::AfterSend, step, direction) {
            return Err(RunError::Ended);
        }
        // The activity decides what a guard's success means and is called again immediately. After
        // a failure the runner waits first; if the guard protects a request that was sent, that
        // request's outcome stays unknown.
        let failed = match &outcome {
            Outcome::Done(_) => None,
            Outcome::Refused(fault) | Outcome::TryLater(fault) | Outcome::Unknown(fault) => {
                Some(fault.clone())
            }
            Outcome::Waiting(_) => Some(Fault::new("waiting", "a guard can't wait for a person")),
        };
        let direction_progress = self.progress.direction_progress(step, direction);
        let open =
            direction_progress.is_some_and(|s| matches!(s.phase, Phase::Unknown | Phase::Intended));
        let waiting = direction_progress
            .filter(|s| s.phase == Phase::Waiting)
            .map(|s| s.value.clone().unwrap_or_default());
        self.uncommitted.push(Event::Settled {
            step: step.to_owned(),
            direction,
            guard: true,
            looked: false,
            outcome,
        });
        match failed {
            None => self.due = true,
            // It counts as an outcome check, so the pause grows.
            Some(_) if waiting.is_some() => {
                let value = waiting.unwrap_or_default();
                self.settle(step, direction, true, Outcome::Waiting(value));
            }
            Some(fault) if open => self.settle(step, direction, true, Outcome::Unknown(fault)),
            Some(fault) => self.settle(step, direction, true, Outcome::TryLater(fault)),
        }
        Ok(())
    }

    pub(super) fn settle(
        &mut self,
        step: &str,
        direction: Direction,
        looked: bool,
        outcome: Outcome,
    ) {
        self.uncommitted.push(Event::Settled {
            step: step.to_owned(),
            direction,
            guard: false,
            looked,
            outcome,
        });
    }
}
