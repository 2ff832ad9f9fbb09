//! Evidence of a fact, as read when it was found.

use dewy_domain::{payment::Payment, payment_intent_id::PaymentIntentId};
use dewy_saga::{ExecutionId, Progress};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Finding;
use crate::saga_parts::{engine_conversions, started_by};

/// A fact with everything known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    pub finding: Finding,
    pub payment_intent_id: PaymentIntentId,
    /// Payment, if readable.
    pub payment: Option<Payment>,
    /// Execution that took it, if the journal knows it.
    pub execution: Option<ExecutionId>,
}

impl Evidence {
    /// Input of its execution; `by` found it.
    pub(crate) fn input(&self, by: &str) -> Value {
        json!({ "evidence": self, "_by": started_by::clock(by) })
    }

    /// Parses the input of an execution.
    pub(crate) fn of_input(input: &Value) -> Option<Self> {
        #[derive(Deserialize)]
        struct Input {
            evidence: Evidence,
        }
        engine_conversions::read::<Input>(input).map(|input| input.evidence)
    }

    /// Reads it from the journal.
    pub(crate) fn of(progress: &Progress) -> Option<Self> {
        progress.facts()
    }

    /// Journal form.
    pub(crate) fn value(&self) -> Value {
        engine_conversions::value(self)
    }
}
