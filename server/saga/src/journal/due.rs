//! Which of the due executions a worker takes.

use std::sync::Arc;

use super::Record;
use crate::{definition::Definition, id::ExecutionId, state::State};

/// A choice among what is due. What a process does not know it leaves alone: another release may be
/// there that does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueFilter {
    /// Maximum number of executions.
    pub limit: usize,
    /// Only those that are compensating.
    pub compensating_only: bool,
    /// Definitions that the worker has, by [`DueFilter::key`]; `None` for all there are.
    pub definitions: Option<Arc<[String]>>,
    /// Executions with rows that only a newer release can read.
    pub newer: Vec<ExecutionId>,
}

impl DueFilter {
    /// Up to so many of all that is due.
    #[must_use]
    pub const fn any(limit: usize) -> Self {
        Self {
            limit,
            compensating_only: false,
            definitions: None,
            newer: Vec::new(),
        }
    }

    /// The name of a definition's version: `process_guest_checkout/2`.
    #[must_use]
    pub fn key(definition: &Definition) -> String {
        format!("{}/{}", definition.name, definition.version)
    }

    /// The states that an execution may be in to be taken: never one that this release does not
    /// know.
    #[must_use]
    pub fn states(&self) -> Vec<&'static str> {
        let wanted = |state: &State| !self.compensating_only || *state == State::Compensating;
        State::ALL
            .into_iter()
            .filter(wanted)
            .map(State::name)
            .collect()
    }

    /// Whether the worker can judge this execution, as far as its head tells.
    #[must_use]
    pub fn knows(&self, record: &Record) -> bool {
        let key = format!("{}/{}", record.saga, record.version);
        self.definitions
            .as_ref()
            .is_none_or(|known| known.contains(&key))
            && !self.newer.contains(&record.id)
    }
}
