//! Executions that make no progress: each goes to a person with its claims, and does not run again
//! until that person says so. Its activity panicked, or three workers in a row were lost without a
//! new row, the last one while it ran alone (`crash_suspects.rs`).

use super::{Engine, attention_reasons::STUCK};
use crate::journal::{ExecutionRecord, Lease};

/// Number of workers in a row that may be lost on an execution without appending a row.
pub(super) const MAX_LOST_WORKERS: u32 = 3;

impl Engine {
    /// Hands an execution whose run panicked to a person. Reloads the journal, because nothing else
    /// of that run can be trusted.
    pub(super) async fn panicked(&self, lease: &Lease, why: &str) {
        match self.0.journal.load(lease.id).await {
            Ok(Some(record)) => {
                self.end_as_stuck(lease, &record, &format!("panicked: {why}"))
                    .await
            }
            Ok(None) => {}
            Err(error) => {
                tracing::error!(execution = %lease.id, %error, why, "panicked; its lease will expire")
            }
        }
    }

    /// Hands an execution to a person.
    pub(super) async fn end_as_stuck(&self, lease: &Lease, record: &ExecutionRecord, why: &str) {
        let Ok(progress) = record.progress() else {
            return self.quarantine(lease, record).await;
        };
        tracing::error!(execution = %record.id, saga = record.saga, why, "STUCK");
        self.end_needing_attention(lease, record, progress, STUCK)
            .await;
    }
}
