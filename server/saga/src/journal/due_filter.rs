//! Filter for the due executions a worker takes.

use std::{ops::RangeInclusive, sync::Arc};

use super::execution_record::ExecutionRecord;
use crate::{definition::Definition, execution_id::ExecutionId, state_machine::State};

/// Filter for due executions. A process leaves alone what it does not know, because another release
/// may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueFilter {
    /// Maximum number of executions.
    pub limit: usize,
    /// Only compensating executions.
    pub compensating_only: bool,
    /// Definitions of the worker, by [`DueFilter::key`]; `None` for all.
    pub definitions: Option<Arc<[String]>>,
    /// Executions with rows that only a newer release can read.
    pub newer: Vec<ExecutionId>,
    /// Number of workers in a row that were lost over it without a new row, its holder included if
    /// the lease has lapsed.
    pub lapses: RangeInclusive<u32>,
}

impl DueFilter {
    /// All due executions, up to `limit`.
    #[must_use]
    pub const fn any(limit: usize) -> Self {
        Self {
            limit,
            compensating_only: false,
            definitions: None,
            newer: Vec::new(),
            lapses: 0..=u32::MAX,
        }
    }

    /// Name of a definition's version: `process_guest_checkout/2`.
    #[must_use]
    pub fn key(definition: &Definition) -> String {
        format!("{}/{}", definition.name, definition.version)
    }

    /// States in which an execution may be taken: never one unknown to this release.
    #[must_use]
    pub fn states(&self) -> Vec<&'static str> {
        let wanted = |state: &State| !self.compensating_only || *state == State::Compensating;
        State::ALL
            .into_iter()
            .filter(wanted)
            .map(State::name)
            .collect()
    }

    /// Whether the worker can judge this execution, as far as its head shows.
    #[must_use]
    pub fn knows(&self, record: &ExecutionRecord) -> bool {
        let key = format!("{}/{}", record.saga, record.version);
        self.definitions
            .as_ref()
            .is_none_or(|known| known.contains(&key))
            && !self.newer.contains(&record.id)
    }
}
