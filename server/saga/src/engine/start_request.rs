//! How an engine is set up, what callers hand in, and what becomes of handing it in.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    crash_points::{CrashPoints, NoProbe},
    id::ExecutionId,
    journal::{Record, StoreError},
    plan::Budget,
};

/// How an engine is set up.
#[derive(Clone)]
pub struct Settings {
    /// This process's name among the workers; unique per start.
    pub worker: String,
    /// How many new executions run at once; what is due has further places (`slots.rs`).
    pub workers: usize,
    /// How long a lease lasts; it is renewed half-way for as long as its worker lives.
    pub lease: Duration,
    /// How long and how often things are tried.
    pub budget: Budget,
    /// How often due work is looked for even if no doorbell rings.
    pub poll: Duration,
    /// The answer of an execution that needs a person for this reason, where no saga is there to
    /// word it.
    pub missing: fn(&str) -> Value,
    /// Where tests end workers.
    pub probe: Arc<dyn CrashPoints>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            worker: "worker".to_owned(),
            workers: 64,
            lease: Duration::from_secs(8),
            budget: Budget::default(),
            poll: Duration::from_secs(1),
            missing: |_| Value::Null,
            probe: Arc::new(NoProbe),
        }
    }
}

/// What a caller hands in.
#[derive(Clone, Debug)]
pub struct StartRequest {
    /// Which saga.
    pub saga: &'static str,
    /// Who asks, as a stable key.
    pub caller: String,
    /// Through which door.
    pub interface: String,
    /// The caller's token.
    pub token: Option<String>,
    /// Hash over tool and input as sent.
    pub input_digest: String,
    /// The validated input.
    pub input: Value,
    /// What to find it by later.
    pub labels: Vec<(String, String)>,
}

/// What became of handing it in.
#[derive(Debug)]
pub enum Accepted {
    /// It runs.
    Started(ExecutionId),
    /// The same token named it before.
    Known(Box<Record>),
    /// The token was used with another input.
    Mismatch(ExecutionId),
    /// All workers are busy; nothing was persisted.
    Overloaded,
    /// The store did not take it.
    Failed(StoreError),
}
