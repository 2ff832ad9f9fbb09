//! What a compensation works from, as journaled.

use dewy_domain::payment::Payment;
use dewy_saga::{Direction, ExecutionId, Progress};
use serde::{Deserialize, Serialize};

use crate::{bridge, undo};

/// The prerequisites' result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// The payment as read.
    pub payment: Payment,
    /// The execution that took it, if the journal knows it.
    pub owner: Option<ExecutionId>,
    /// The execution that the payment itself names.
    pub taken_by: Option<String>,
    /// The booking that the payment itself names.
    pub booking_number: Option<String>,
    /// Why a person has to decide first (`ORPHAN_OVER_LIMIT`, …).
    pub flag: Option<String>,
}

/// The facts of an execution.
pub(crate) fn facts(progress: &Progress) -> Option<Facts> {
    progress.facts.as_ref().and_then(bridge::read)
}

/// The refund that this execution itself made or found.
pub(crate) fn refund(progress: &Progress) -> Option<dewy_domain::payment::Refund> {
    undo::refund_of(progress.side("refund", Direction::Forward))
}
