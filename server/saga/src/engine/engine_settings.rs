//! Settings of the engine.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    crash_points::{CrashPoints, NoCrashPoints},
    next_move::Budget,
};

#[derive(Clone)]
pub struct EngineSettings {
    /// Worker name of this process; unique per start.
    pub worker: String,
    /// Number of new executions that run at once; due work has additional slots (`concurrency_slots.rs`).
    pub workers: usize,
    /// Duration of a lease. A live worker renews it halfway.
    pub lease: Duration,
    /// Retry limits.
    pub budget: Budget,
    /// Poll interval for due work, even without notifications.
    pub poll: Duration,
    /// Builds the answer of an execution that needs attention for this reason when no saga is
    /// available to word it.
    pub attention_answer: fn(&str) -> Value,
    /// Where tests end workers.
    pub crash_points: Arc<dyn CrashPoints>,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            worker: "worker".to_owned(),
            workers: 64,
            lease: Duration::from_secs(8),
            budget: Budget::default(),
            poll: Duration::from_secs(1),
            attention_answer: |_| Value::Null,
            crash_points: Arc::new(NoCrashPoints),
        }
    }
}
