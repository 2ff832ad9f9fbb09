//! Facts of a charge, as journaled.

use dewy_domain::{money::Cents, ports::CheckOutRecords, stay::Stay};
use dewy_saga::StepId;
use serde::{Deserialize, Serialize};

pub(super) const POST: StepId<CheckOutRecords> = StepId::new("post");

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
