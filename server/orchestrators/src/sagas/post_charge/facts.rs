//! Facts of a charge, as journaled.

use dewy_domain::{money::Cents, ports::CheckOutRecords, stay::Stay};
use dewy_saga::{Context, Plan, StepId};
use serde::{Deserialize, Serialize};

use crate::saga_parts::reconciled_write::missing_fact;

pub(super) const POST: StepId<CheckOutRecords> = StepId::new("post");

/// Facts that are those of the execution.
pub(super) fn journaled(cx: &Context<'_>) -> Result<Facts, Plan> {
    cx.facts()
        .ok_or_else(|| Plan::Refuse(missing_fact("the facts")))
}

/// Result of the prerequisites.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Stay as read.
    pub stay: Stay,
    /// Amount; for a void, the voided amount.
    pub amount: Cents,
    /// Line to void: (id, number).
    pub void: Option<(String, String)>,
}
