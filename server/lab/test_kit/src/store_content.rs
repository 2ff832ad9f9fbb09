//! Content of a store once everything is at rest.

use dewy_saga::journal::{ExecutionRecord, ProjectionRow};
use jiff::Timestamp;

/// Content of a store at the end.
#[derive(Debug, Default)]
pub struct StoreContent {
    /// All executions with their journals.
    pub records: Vec<ExecutionRecord>,
    /// All compensation records.
    pub compensations: Vec<ProjectionRow>,
    /// Texts whose sending has not started.
    pub unsent_texts: usize,
    /// Whether a full orphan check completed after the faults.
    pub orphan_check_ran: bool,
    /// Time of the read, if texts may still be looked up at the carrier at that time; otherwise
    /// none.
    pub at: Option<Timestamp>,
    /// Faults of the hash chains.
    pub chain_faults: Vec<String>,
    /// Installation, where several share an account.
    pub installation: Option<String>,
}

impl StoreContent {
    pub fn merge(all: Vec<Self>) -> Self {
        let mut whole = Self {
            orphan_check_ran: true,
            ..Self::default()
        };
        for one in all {
            whole.records.extend(one.records);
            whole.compensations.extend(one.compensations);
            whole.chain_faults.extend(one.chain_faults);
            whole.unsent_texts += one.unsent_texts;
            whole.orphan_check_ran &= one.orphan_check_ran;
            whole.at = whole.at.max(one.at);
        }
        whole
    }
}
