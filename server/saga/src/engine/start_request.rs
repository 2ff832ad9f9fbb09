//! Requests to start an execution, and their results.

use serde_json::Value;

use crate::{
    execution_id::ExecutionId,
    journal::{ExecutionRecord, StoreError},
};

#[derive(Clone, Debug)]
pub struct StartRequest {
    pub saga: &'static str,
    /// Caller's stable key.
    pub caller: String,
    pub interface: String,
    /// Caller's idempotency token.
    pub token: Option<String>,
    /// Hash over tool and input as sent.
    pub input_digest: String,
    /// Validated input.
    pub input: Value,
    /// Labels to find it by.
    pub labels: Vec<(String, String)>,
}

#[derive(Debug)]
pub enum StartResult {
    Started(ExecutionId),
    /// The same token named this execution before.
    Known(Box<ExecutionRecord>),
    /// The token was used with different input.
    Mismatch(ExecutionId),
    /// All workers are busy; nothing was persisted.
    Overloaded,
    /// The store did not accept it.
    Failed(StoreError),
}
