//! What a person is shown about a fact, as it was read when it was found.

use dewy_domain::payment::Payment;
use dewy_saga::{ExecutionId, Progress};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Finding;
use crate::bridge;

/// A fact with everything that is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// What was found.
    pub finding: Finding,
    /// `pi_…`.
    pub payment_intent_id: String,
    /// The payment, where it could be read.
    pub payment: Option<Payment>,
    /// The execution that took it, if the journal knows it.
    pub execution: Option<ExecutionId>,
}

impl Evidence {
    /// The input of its execution; `by` found it.
    pub(crate) fn input(&self, by: &str) -> Value {
        json!({ "evidence": self, "_by": { "key": by, "role": "clock", "clock": true } })
    }

    /// From the input of an execution.
    pub(crate) fn of_input(input: &Value) -> Option<Self> {
        bridge::read(&input["evidence"])
    }

    /// From the journal.
    pub(crate) fn of(progress: &Progress) -> Option<Self> {
        progress.facts.as_ref().and_then(bridge::read)
    }

    /// As it is journaled.
    pub(crate) fn value(&self) -> Value {
        bridge::value(self)
    }
}
