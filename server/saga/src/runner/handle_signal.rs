//! Answering signals.

use super::*;
use crate::{
    event::RESOLVED_BY_HAND,
    handle_signal::{SignalEffect, succeeded},
};

impl Runner {
    /// Answers one open signal and applies its consequence, in one commit; true when this ended the
    /// execution.
    pub(super) async fn handle_signal(
        &mut self,
        key: &str,
        then: SignalEffect,
    ) -> Result<bool, RunError> {
        let Some(at) = self.signals.iter().position(|s| s.key == key) else {
            return Err(RunError::Broken(format!("no signal {key} is open")));
        };
        let signal = self.signals.remove(at);
        let taken = then != SignalEffect::Nothing;
        let by = signal.by.clone();
        self.uncommitted.push(Event::SignalHandled {
            key: signal.key.clone(),
            action: signal.action,
            by: signal.by,
            accepted: taken,
        });
        let with = CommitOptions {
            handled_signals: vec![signal.key],
            lease: Some(LeaseChange::For(self.lease_duration)),
            ..CommitOptions::default()
        };
        match then {
            SignalEffect::Nothing | SignalEffect::Recheck => {}
            SignalEffect::Continue => self.due = true,
            SignalEffect::Compensate(decision) => {
                self.uncommitted.push(Event::Decided { decision })
            }
            SignalEffect::Reopen(decision) => self.uncommitted.push(Event::Reopened {
                decision,
                found: None,
            }),
            SignalEffect::Resume => self.uncommitted.push(Event::Resumed { by }),
            SignalEffect::Resolve => {
                let ahead = self.ahead(self.environment.now())?;
                let end = if succeeded(self.saga.definition(), &ahead) {
                    End::Completed
                } else {
                    End::SettledByHand
                };
                let reason = Some(RESOLVED_BY_HAND.to_owned());
                let answer = self
                    .saga
                    .answer_ended(self.context(&ahead), end, reason.as_deref());
                self.uncommitted.push(Event::Ended { end, reason });
                let resting = self.end_options();
                let wake_at = self.first_recheck()?;
                self.commit(CommitOptions {
                    answer: Some(answer),
                    handled_signals: with.handled_signals,
                    wake_at,
                    ..resting
                })
                .await?;
                return Ok(true);
            }
        }
        // Held until the loop has planned what is left to do; after a crash, a takeover sees the
        // same.
        self.commit(with).await?;
        Ok(false)
    }

    /// Loads the signals that arrived while this execution slept.
    pub(super) async fn load_signals(&mut self) -> Result<(), RunError> {
        let id = self.lease.id;
        self.signals = self
            .store(|journal| async move { journal.signals(id).await })
            .await?;
        Ok(())
    }
}
