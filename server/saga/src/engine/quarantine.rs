//! Quarantine for executions with an unreadable row. Each goes to a person and keeps its claims;
//! all others continue. One written by a newer release is released unchanged: that release
//! continues it.
//!
//! The rows are appended after the damaged one, chained to its stored digest. Once that row is
//! restored from a backup, the journal is complete again and `retry_now` resumes the execution.

use super::{Engine, attention_reasons::RECORD_UNREADABLE};
use crate::{
    journal::{ExecutionRecord, Lease},
    progress::Progress,
};

impl Engine {
    /// Hands an execution to a person because a row of it cannot be read.
    pub(super) async fn quarantine(&self, lease: &Lease, record: &ExecutionRecord) {
        let Err(damage) = record.progress() else {
            return;
        };
        if damage.newer {
            tracing::warn!(execution = %record.id, row = damage.row, why = damage.why, "left to a newer release");
            return self.leave_to_newer(lease).await;
        }
        tracing::error!(execution = %record.id, row = damage.row, why = damage.why, "RECORD_UNREADABLE");
        let progress = Progress::end_of(record.id, record.state, &damage);
        self.end_needing_attention(lease, record, progress, RECORD_UNREADABLE)
            .await;
    }
}
