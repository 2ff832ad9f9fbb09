//! Executions that make no progress: each goes to a person with its claims, and does not run again
//! until that person says so.
//!
//! ```text
//! its activity panics                                    ─┐
//! three workers in a row were lost without a new row     ─┴─► [ended: needs_attention, STUCK], open signals answered "not taken"
//! ```
//! An execution that has ended (a recheck for late effects) stays as it is, with the label
//! `attention`, and is not rechecked again.

use super::Engine;
use crate::{
    event::{End, Event},
    journal::{ATTENTION, Append, ClaimChange, Lease, LeaseChange, Record},
    progress::Progress,
    saga::SOLVED_BY_HAND,
    signal::Ask,
    state::{Illegal, State},
};

/// Attention reason of an execution that makes no progress.
pub const STUCK: &str = "STUCK";

/// Number of workers in a row that may be lost on an execution without appending a row.
pub(super) const LAPSES: u32 = 3;

impl Engine {
    /// Hands an execution whose run panicked to a person. Reloads the journal, because nothing else
    /// of that run can be trusted.
    pub(super) async fn panicked(&self, lease: &Lease, why: &str) {
        match self.0.journal.load(lease.id).await {
            Ok(Some(record)) => {
                self.stuck(lease, &record, &format!("panicked: {why}"))
                    .await
            }
            Ok(None) => {}
            Err(error) => {
                tracing::error!(execution = %lease.id, %error, why, "panicked; its lease will expire")
            }
        }
    }

    /// Hands an execution to a person.
    pub(super) async fn stuck(&self, lease: &Lease, record: &Record, why: &str) {
        tracing::error!(execution = %record.id, saga = record.saga, why, "STUCK");
        let append = match stuck(
            lease,
            record,
            (self.0.settings.missing)(STUCK),
            self.0.world.now(),
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

fn stuck(
    lease: &Lease,
    record: &Record,
    answer: serde_json::Value,
    at: jiff::Timestamp,
) -> Result<Append, Illegal> {
    let mut progress = Progress::replay(record.id, &record.rows, &record.audit)?;
    let state = progress.state.unwrap_or(State::Queued);
    // Marking it as solved needs none of the failing code.
    let solved =
        state == State::NeedsAttention && record.signals.iter().any(|s| s.ask == Ask::MarkSolved);
    let mut events = Vec::new();
    for signal in &record.signals {
        let (key, ask, by) = (signal.key.clone(), signal.ask, signal.by.clone());
        events.push(Event::Heard {
            key,
            ask,
            by,
            taken: solved && ask == Ask::MarkSolved,
        });
    }
    if solved {
        events.push(Event::Ended {
            end: End::SettledByHand,
            reason: Some(SOLVED_BY_HAND.to_owned()),
        });
    } else if !state.at_rest() {
        events.push(Event::Ended {
            end: End::NeedsAttention,
            reason: Some(STUCK.to_owned()),
        });
    }
    let (mut rows, mut audit) = (Vec::new(), Vec::new());
    for event in events {
        let (row, trail) = progress.push(event, at, &lease.worker, lease.fence)?;
        rows.push(row);
        audit.extend(trail);
    }
    Ok(Append {
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
        answer: (!state.at_rest()).then_some(answer),
        free_token: false,
        labels: if solved {
            Vec::new()
        } else {
            vec![(ATTENTION.to_owned(), STUCK.to_owned())]
        },
        projections: Vec::new(),
        heard: record.signals.iter().map(|s| s.key.clone()).collect(),
        at,
    })
}
