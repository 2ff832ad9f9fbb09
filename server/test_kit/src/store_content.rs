//! Content of a store once everything is at rest.

use dewy_saga::journal::{ProjectionRow, Record};
use jiff::Timestamp;

/// Content of a store at the end.
#[derive(Debug, Default)]
pub struct StoreContent {
    /// All executions with their journals.
    pub records: Vec<Record>,
    /// All compensation records.
    pub compensations: Vec<ProjectionRow>,
    /// Texts whose sending has not started.
    pub owed: usize,
    /// Whether a sweep checked everywhere after the faults.
    pub swept: bool,
    /// Time of the read, if texts may still be searched for at the carrier then; none if nothing
    /// may.
    pub at: Option<Timestamp>,
    /// Faults of the hash chains.
    pub broken: Vec<String>,
    /// Installation, where several share an account.
    pub installation: Option<String>,
}

impl StoreContent {
    /// Content of all these stores.
    pub fn together(all: Vec<Self>) -> Self {
        let mut whole = Self {
            swept: true,
            ..Self::default()
        };
        for one in all {
            whole.records.extend(one.records);
            whole.compensations.extend(one.compensations);
            whole.broken.extend(one.broken);
            whole.owed += one.owed;
            whole.swept &= one.swept;
            whole.at = whole.at.max(one.at);
        }
        whole
    }
}
