//! Rechecks of the outside systems after an execution has ended.

use async_trait::async_trait;

use crate::{
    context::Context,
    event::{Decision, FoundEffect},
};

/// Result of a recheck after the execution ended.
#[derive(Debug)]
pub enum RecheckResult {
    /// Nothing new.
    Quiet,
    /// An effect of ours that must be compensated (again).
    Found {
        /// Why it is reopened.
        decision: Decision,
        found: Option<FoundEffect>,
    },
    /// Something only a person can judge: it is reported, and nothing else is done about it.
    Attention {
        /// Why it is reopened.
        decision: Decision,
        found: FoundEffect,
        /// Why it needs attention.
        reason: String,
    },
    /// The outside system did not answer.
    TryLater,
}

#[async_trait]
pub trait Rechecks: Send + Sync {
    /// Whether they are needed: only where something was believed not applied.
    fn wanted(&self, cx: Context<'_>) -> bool;

    /// Rechecks the outside systems once.
    async fn recheck(&self, cx: Context<'_>) -> RecheckResult;
}
