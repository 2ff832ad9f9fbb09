//! The start of an execution: the prerequisites are read, and committed together with the claims
//! and the first intent.

use super::*;

impl Runner {
    /// Reads the prerequisites; true when this ended the execution.
    pub(super) async fn read(&mut self) -> Result<bool, RunError> {
        let began = self
            .progress
            .began_at
            .unwrap_or_else(|| self.environment.now());
        let mut tries = 0;
        loop {
            // The mark is older than the read, so that anyone who acts in between makes it stale. A
            // new execution has its own.
            if self.mark < 0 {
                self.mark = self
                    .store(|journal| async move { journal.claim_mark().await })
                    .await?;
                self.renew().await?;
            }
            let read = self
                .renewing(self.saga.read(self.context(&self.progress)))
                .await?;
            match read {
                PrerequisitesResult::Ready {
                    facts,
                    claims,
                    labels,
                } => {
                    self.choose_version(&facts)?;
                    self.uncommitted.push(Event::Read { facts });
                    return self.begin(claims, labels).await;
                }
                PrerequisitesResult::Finished { answer, labels } => {
                    self.uncommitted.push(Event::Read { facts: Value::Null });
                    self.uncommitted.push(Event::Ended {
                        end: End::Completed,
                        reason: None,
                    });
                    let with = CommitOptions {
                        answer: Some(answer),
                        labels,
                        ..self.end_options()
                    };
                    self.commit(with).await?;
                    return Ok(true);
                }
                PrerequisitesResult::Refused { answer } => return self.refuse(answer).await,
                PrerequisitesResult::TryLater { fault } => {
                    tries += 1;
                    let now = self.environment.now();
                    let spent = Duration::try_from(now.duration_since(began)).unwrap_or_default();
                    if tries >= self.budget.forward_tries || spent >= self.budget.forward_window {
                        let answer = self.saga.answer_unavailable(&fault);
                        return self.refuse(answer).await;
                    }
                    self.sleep_renewing(self.budget.first_pause * tries).await?;
                    self.mark = -1;
                }
            }
        }
    }

    /// Goes on with the version that fits these facts. The read may be repeated with others, so it
    /// is chosen anew each time.
    fn choose_version(&mut self, facts: &Value) -> Result<(), RunError> {
        let find = |version: u32| {
            let mut versions = self.versions.iter();
            let found = versions.find(|saga| saga.definition().version == version);
            found.cloned().ok_or_else(|| {
                RunError::Broken(format!("version {version} was chosen and is not known"))
            })
        };
        let accepted = find(self.accepted_version)?;
        self.saga = match accepted.version_of(facts) {
            None => accepted,
            Some(version) => {
                let chosen = find(version)?;
                self.uncommitted.push(Event::VersionChosen { version });
                chosen
            }
        };
        Ok(())
    }

    pub(super) async fn refuse(&mut self, answer: Value) -> Result<bool, RunError> {
        self.uncommitted.push(Event::Ended {
            end: End::Refused,
            reason: None,
        });
        let with = CommitOptions {
            answer: Some(answer),
            free_token: true,
            ..self.end_options()
        };
        self.commit(with).await?;
        Ok(true)
    }

    /// Commits the facts together with the first intents and the claims. A stale read is repeated.
    pub(super) async fn begin(
        &mut self,
        resources: Vec<String>,
        labels: Vec<(String, String)>,
    ) -> Result<bool, RunError> {
        let now = self.environment.now();
        let mut request = None;
        // Steps that follow from the facts alone join the same commit, up to the first one that
        // sends something.
        loop {
            let ahead = self.ahead(now)?;
            let Move::Act(step, direction) = next_move(
                self.saga.definition(),
                &ahead,
                &[],
                &self.budget,
                now,
                false,
            ) else {
                break;
            };
            let plan = self
                .saga
                .activity(step, direction)
                .and_then(|a| a.build(self.context(&ahead).at(step, direction)));
            match plan {
                Some(Plan::Skip(why)) => self.uncommitted.push(Event::Skipped {
                    step: step.to_owned(),
                    direction,
                    why,
                }),
                Some(Plan::Send(wanted)) => {
                    self.uncommitted
                        .push(intended(step, direction, &ahead, false, &wanted));
                    request = Some((step, direction, wanted));
                    break;
                }
                _ => break,
            }
        }
        if self.at(
            CrashPoint::BeforeIntent,
            request.as_ref().map_or("read", |(s, _, _)| s),
            Direction::Forward,
        ) {
            return Err(RunError::Ended);
        }
        let claims = if resources.is_empty() {
            ClaimChange::None
        } else {
            ClaimChange::Take {
                resources,
                mark: self.mark,
            }
        };
        let with = CommitOptions {
            lease: Some(LeaseChange::For(self.lease_duration)),
            claims: Some(claims),
            labels,
            ..CommitOptions::default()
        };
        match self.try_commit(with).await? {
            AppendResult::Ok => {}
            AppendResult::Held { by } => {
                self.uncommitted.clear();
                let answer = self.saga.answer_held(by);
                return self.refuse(answer).await;
            }
            AppendResult::Stale { mark } => {
                tracing::debug!(execution = %self.progress.id, "reading again: a claim changed hands");
                self.uncommitted.clear();
                self.mark = mark;
                self.renew().await?;
                return Ok(false);
            }
        }
        match request {
            Some((step, direction, request)) => {
                self.send(step, direction, &request).await.map(|()| false)
            }
            None => Ok(false),
        }
    }
}
