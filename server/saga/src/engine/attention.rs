//! Hands an execution that cannot be run to a person: its row cannot be read, or it makes no
//! progress.
//!
//! ```text
//! not at rest ─────────► [ended: needs_attention, the reason], claims kept, signals answered "not taken"
//! marked as solved ────► [heard, ended: settled_by_hand], claims released
//! settled by hand ─────► signals answered; nothing else changes
//! otherwise at rest ───► signals answered; it stays as it is, with the label `attention`, and is
//! not rechecked
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Engine;
use crate::{
    context::Context,
    event::{End, Event, RESOLVED_BY_HAND},
    journal::{
        ATTENTION, Append, ClaimChange, ExecutionRecord, Lease, LeaseChange, Projection, StoreError,
    },
    progress::Progress,
    signal::SignalAction,
    state_machine::{IllegalTransition, State},
};

impl Engine {
    /// Ends an execution with this reason. If that fails, it is tried again when the lease expires.
    pub(super) async fn end_needing_attention(
        &self,
        lease: &Lease,
        record: &ExecutionRecord,
        progress: Progress,
        reason: &str,
    ) {
        let answer = (self.0.settings.attention_answer)(reason);
        let now = self.0.environment.now();
        let (mut append, progress) = match append(lease, record, progress, reason, answer, now) {
            Ok(made) => made,
            Err(error) => {
                tracing::error!(execution = %record.id, %error, "could not be given to a person");
                return;
            }
        };
        append.projections = self.projections(record, &progress);
        let mut appended = self.0.journal.append(lease, append.clone()).await;
        if matches!(appended, Err(StoreError::Taken { .. })) {
            append.projections.clear();
            appended = self.0.journal.append(lease, append).await;
        }
        if let Err(error) = appended {
            tracing::warn!(execution = %record.id, %error, "could not be given to a person yet");
        }
    }

    /// Projections of the saga, updated for this end. None if the execution is unreadable or
    /// unknown, or if the saga's own code panics.
    fn projections(&self, record: &ExecutionRecord, progress: &Progress) -> Vec<Projection> {
        if record.damage.is_some() {
            return Vec::new();
        }
        let Some(saga) = self.saga_of(record) else {
            return Vec::new();
        };
        let context = Context {
            id: record.id,
            input: &record.input,
            progress,
            now: self.0.environment.now(),
            definition: saga.definition(),
            step: None,
        };
        catch_unwind(AssertUnwindSafe(|| saga.projections_after(context))).unwrap_or_default()
    }
}

fn append(
    lease: &Lease,
    record: &ExecutionRecord,
    mut progress: Progress,
    reason: &str,
    answer: serde_json::Value,
    at: jiff::Timestamp,
) -> Result<(Append, Progress), IllegalTransition> {
    let state = progress.state.unwrap_or(State::Queued);
    // Marking it as solved needs none of the failing code.
    let solved = state == State::NeedsAttention
        && record
            .signals
            .iter()
            .any(|s| s.action == SignalAction::MarkSolved);
    let handled = record.signals.iter().map(|signal| Event::SignalHandled {
        key: signal.key.clone(),
        action: signal.action,
        by: signal.by.clone(),
        accepted: solved && signal.action == SignalAction::MarkSolved,
    });
    let end = |end, reason: &str| Event::Ended {
        end,
        reason: Some(reason.to_owned()),
    };
    let ended = if solved {
        Some(end(End::SettledByHand, RESOLVED_BY_HAND))
    } else {
        (!state.has_ended()).then(|| end(End::NeedsAttention, reason))
    };
    let (mut rows, mut audit) = (Vec::new(), Vec::new());
    for event in handled.chain(ended) {
        let (row, trail) = progress.push(event, at, &lease.worker, lease.fence)?;
        rows.push(row);
        audit.extend(trail);
    }
    let label = match state {
        _ if solved => Some(RESOLVED_BY_HAND),
        State::SettledByHand => None,
        _ => Some(reason),
    };
    let unreadable = record
        .damage
        .iter()
        .flat_map(|damage| damage.signals.clone());
    let made = Append {
        rows,
        audit,
        state: progress.state.unwrap_or(State::NeedsAttention),
        wake_at: None,
        lease: LeaseChange::Release,
        claims: if solved {
            ClaimChange::Release
        } else {
            ClaimChange::None
        },
        answer: (!state.has_ended()).then_some(answer),
        free_token: false,
        labels: label
            .map(|reason| (ATTENTION.to_owned(), reason.to_owned()))
            .into_iter()
            .collect(),
        projections: Vec::new(),
        handled: record
            .signals
            .iter()
            .map(|s| s.key.clone())
            .chain(unreadable)
            .collect(),
        at,
    };
    Ok((made, progress))
}
