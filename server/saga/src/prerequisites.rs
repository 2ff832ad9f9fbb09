//! What a saga reads and validates before it does anything.

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::{context::Context, event::Fault};

#[derive(Debug)]
pub enum PrerequisitesResult {
    /// The saga can start.
    Ready {
        /// Facts the steps work from; journaled, so ids and states only.
        facts: Value,
        /// Resources to claim for the duration of the execution.
        claims: Vec<String>,
        /// Labels to find it by.
        labels: Vec<(String, String)>,
    },
    /// Nothing to do: the requested state is already there.
    Finished {
        /// The tool's answer.
        answer: Value,
        /// Labels to find it by.
        labels: Vec<(String, String)>,
    },
    /// Not allowed; nothing was done.
    Refused {
        /// The tool's answer.
        answer: Value,
    },
    /// An outside system did not answer.
    TryLater {
        /// Cause.
        fault: Fault,
    },
}

#[async_trait]
pub trait Prerequisites: Send + Sync {
    /// Reads and validates everything, without any effect.
    async fn read(&self, cx: Context<'_>) -> PrerequisitesResult;
}

pub(crate) struct NoPrerequisites;

#[async_trait]
impl Prerequisites for NoPrerequisites {
    async fn read(&self, _: Context<'_>) -> PrerequisitesResult {
        PrerequisitesResult::Ready {
            facts: json!({}),
            claims: Vec::new(),
            labels: Vec::new(),
        }
    }
}
