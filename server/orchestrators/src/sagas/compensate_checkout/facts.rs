//! Facts of a compensation, as journaled.

use dewy_domain::{booking_number::BookingNumber, payment::Payment, vocabulary::AttentionReason};
use dewy_saga::{ExecutionId, Progress, StepId};
use serde::{Deserialize, Serialize};

use crate::saga_parts::refund_and_revert::{Refunded, Reverted};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Payment as read.
    pub payment: Payment,
    /// Execution that took it, if the journal knows it.
    pub owner: Option<ExecutionId>,
    /// Execution named in the payment's metadata.
    pub taken_by: Option<String>,
    /// Booking named in the payment's metadata.
    pub booking_number: Option<BookingNumber>,
    /// Why a person has to decide first (`ORPHAN_OVER_LIMIT`, …).
    pub flag: Option<AttentionReason>,
}

pub(crate) const JUDGE: StepId = StepId::new("judge");
pub(crate) const REFUND: StepId<Refunded> = StepId::new("refund");
pub(crate) const REVERT: StepId<Reverted> = StepId::new("revert");

/// The refund this execution itself created or found.
pub(crate) fn refund(progress: &Progress) -> Option<dewy_domain::payment::Refund> {
    progress.recorded(REFUND).map(Refunded::total)
}
