//! Facts of a compensation, as journaled.

use dewy_domain::payment::Payment;
use dewy_saga::{Direction, ExecutionId, Progress};
use serde::{Deserialize, Serialize};

use crate::{bridge, undo};

/// Result of the prerequisites.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Payment as read.
    pub payment: Payment,
    /// Execution that took it, if the journal knows it.
    pub owner: Option<ExecutionId>,
    /// Execution named in the payment's metadata.
    pub taken_by: Option<String>,
    /// Booking named in the payment's metadata.
    pub booking_number: Option<String>,
    /// Why a person has to decide first (`ORPHAN_OVER_LIMIT`, …).
    pub flag: Option<String>,
}

/// Facts of an execution.
pub(crate) fn facts(progress: &Progress) -> Option<Facts> {
    progress.facts.as_ref().and_then(bridge::read)
}

/// The refund this execution itself created or found.
pub(crate) fn refund(progress: &Progress) -> Option<dewy_domain::payment::Refund> {
    undo::refund_of(progress.side("refund", Direction::Forward))
}
