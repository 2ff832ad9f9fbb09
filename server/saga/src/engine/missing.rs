//! Executions of a definition, or of a version of one, that this program does not have.

use std::time::Duration;

use super::Engine;
use crate::{
    event::{End, Event},
    journal::{ATTENTION, Append, ClaimChange, Lease, LeaseChange, Record},
    progress::Progress,
};

/// For so long an execution of an unknown definition is left to another release of this program.
const MISSING_FOR: Duration = Duration::from_secs(600);

impl Engine {
    /// Gives an execution back that another release may know, and takes nothing for a while, so that the others come first.
    pub(super) async fn leave_to_others(&self, lease: &Lease, record: &Record) {
        let now = self.0.world.now();
        if let Ok(mut until) = self.0.others_first.lock() {
            *until = Some(now + self.0.settings.poll * 3);
        }
        if let Err(error) = self.0.journal.hand_over(lease, now).await {
            tracing::warn!(execution = %record.id, %error, "could not be given back; its lease lapses by itself");
        }
    }

    /// An execution of a definition (or version) that this program does not have. While two releases run side by side the other
    /// one goes on with it, so it is let be at first; then a person is called, once. With the definition back, `retry_now` has it
    /// go on.
    pub(super) async fn missing(&self, lease: Lease, record: &Record) {
        let now = self.0.world.now();
        let idle = record
            .rows
            .last()
            .map_or(Duration::ZERO, |row| Duration::try_from(now.duration_since(row.at)).unwrap_or(Duration::ZERO));
        if idle < MISSING_FOR {
            self.leave_to_others(&lease, record).await;
            return;
        }
        tracing::error!(execution = %record.id, saga = record.saga, version = record.version, "DEFINITION_MISSING");
        let at = now;
        let reason = "DEFINITION_MISSING";
        let Ok(mut progress) = Progress::replay(record.id, &record.rows, &record.audit) else { return };
        let rested = progress.state.is_some_and(crate::state::State::at_rest);
        let (mut rows, mut audit) = (Vec::new(), Vec::new());
        if !rested {
            let ended = Event::Ended { end: End::NeedsAttention, reason: Some(reason.to_owned()) };
            let Ok((row, trail)) = progress.push(ended, at, &lease.worker, lease.fence) else { return };
            rows.push(row);
            audit.extend(trail);
        }
        let append = Append {
            rows,
            audit,
            state: progress.state.unwrap_or(crate::state::State::NeedsAttention),
            wake_at: None,
            lease: LeaseChange::Release,
            claims: ClaimChange::None,
            answer: (!rested).then(|| (self.0.settings.missing)(reason)),
            free_token: false,
            labels: if rested { Vec::new() } else { vec![(ATTENTION.to_owned(), reason.to_owned())] },
            beside: Vec::new(),
            // Nobody here can answer them; they stay beside the journal, and no longer call.
            heard: record.signals.iter().map(|s| s.key.clone()).collect(),
            at,
        };
        if let Err(error) = self.0.journal.append(&lease, append).await {
            tracing::warn!(execution = %record.id, %error, "could not be given to a person yet");
        }
    }
}
