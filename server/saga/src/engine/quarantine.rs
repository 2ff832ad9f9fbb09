//! Quarantine for executions with an unreadable row. Each goes to a person and keeps its claims;
//! all others continue.
//!
//! ```text
//! unreadable ─┬─ written by a newer release ─► released unchanged: that release continues it
//!             ├─ not ended ───────────► [ended: needs_attention, RECORD_UNREADABLE], signals closed
//!             ├─ marked as solved ────► [heard, ended: settled_by_hand], claims released
//!             └─ ended ───────────────► signals closed; it stays as it is, with the label `attention`
//! ```
//! The rows are appended after the damaged one, chained to its stored digest. Once that row is
//! restored from a backup, the journal is complete again and `retry_now` resumes the execution.

use super::Engine;
use crate::{
    event::{End, Event},
    journal::{ATTENTION, Append, ClaimChange, Lease, LeaseChange, Record},
    progress::Progress,
    saga::SOLVED_BY_HAND,
    signal::{Ask, Signal},
    state::{Illegal, State},
};

/// Attention reason of an execution whose record cannot be read.
pub const RECORD_UNREADABLE: &str = "RECORD_UNREADABLE";

impl Engine {
    /// Hands an execution to a person because a row of it cannot be read.
    pub(super) async fn unreadable(&self, lease: &Lease, record: &Record) {
        let Err(damage) = record.progress() else {
            return;
        };
        let now = self.0.world.now();
        if damage.newer {
            tracing::warn!(execution = %record.id, row = damage.row, why = damage.why, "left to a newer release");
            return self.leave_to_newer(lease).await;
        }
        tracing::error!(execution = %record.id, row = damage.row, why = damage.why, "RECORD_UNREADABLE");
        let append = match quarantine(
            lease,
            record,
            &(self.0.settings.missing)(RECORD_UNREADABLE),
            now,
        ) {
            Ok(append) => append,
            Err(error) => {
                tracing::error!(execution = %record.id, %error, "could not be escalated to a person");
                return;
            }
        };
        if let Err(error) = self.0.journal.append(lease, append).await {
            tracing::warn!(execution = %record.id, %error, "could not be escalated to a person yet");
        }
    }
}

/// Answer to a signal. Only `mark_solved` needs nothing from the journal.
fn heard(signal: &Signal, solved: bool) -> Event {
    let (key, ask, by) = (signal.key.clone(), signal.ask, signal.by.clone());
    Event::Heard {
        key,
        ask,
        by,
        taken: solved && ask == Ask::MarkSolved,
    }
}

fn quarantine(
    lease: &Lease,
    record: &Record,
    answer: &serde_json::Value,
    at: jiff::Timestamp,
) -> Result<Append, Illegal> {
    let Err(damage) = record.progress() else {
        return Err(Illegal {
            state: Some(record.state),
            event: "ended_attention",
        });
    };
    let mut progress = Progress::end_of(record.id, record.state, &damage);
    let solved = record.signals.iter().any(|s| s.ask == Ask::MarkSolved)
        && record.state == State::NeedsAttention;
    let mut events: Vec<_> = record.signals.iter().map(|s| heard(s, solved)).collect();
    let (mut claims, mut kept, mut answer) = (
        ClaimChange::None,
        Some(RECORD_UNREADABLE),
        Some(answer.clone()),
    );
    if solved {
        events.push(Event::Ended {
            end: End::SettledByHand,
            reason: Some(SOLVED_BY_HAND.to_owned()),
        });
        (claims, kept, answer) = (ClaimChange::Release, Some(SOLVED_BY_HAND), None);
    } else if record.state == State::SettledByHand {
        (kept, answer) = (None, None);
    } else if record.state.at_rest() {
        answer = None;
    } else {
        events.push(Event::Ended {
            end: End::NeedsAttention,
            reason: Some(RECORD_UNREADABLE.to_owned()),
        });
    }
    let (mut rows, mut audit) = (Vec::new(), Vec::new());
    for event in events {
        let (row, trail) = progress.push(event, at, &lease.worker, lease.fence)?;
        rows.push(row);
        audit.extend(trail);
    }
    let heard = record
        .signals
        .iter()
        .map(|s| s.key.clone())
        .chain(damage.signals);
    Ok(Append {
        rows,
        audit,
        state: progress.state.unwrap_or(State::NeedsAttention),
        wake_at: None,
        lease: LeaseChange::Release,
        claims,
        answer,
        free_token: false,
        labels: kept
            .map(|reason| (ATTENTION.to_owned(), reason.to_owned()))
            .into_iter()
            .collect(),
        projections: Vec::new(),
        heard: heard.collect(),
        at,
    })
}
