//! Controls for simulated runs: injected faults, power loss, damage, and inspection.

use dewy_saga::{
    ExecutionId,
    journal::{ExecutionRecord, ProjectionRow},
};

use super::{InjectedFaults, MemoryJournal};

impl MemoryJournal {
    pub fn hooks<T>(&self, change: impl FnOnce(&mut InjectedFaults) -> T) -> T {
        change(&mut self.inner().hooks)
    }

    /// Whether each commit reaches the disk before it is answered (as it must) or stays in memory
    /// until [`Self::sync`].
    pub fn sync_commits(&self, synced: bool) {
        let mut inner = self.inner();
        inner.synced = if synced {
            None
        } else {
            Some(inner.tables.clone())
        };
    }

    /// Syncs everything committed to the disk.
    pub fn sync(&self) {
        let mut inner = self.inner();
        if inner.synced.is_some() {
            inner.synced = Some(inner.tables.clone());
        }
    }

    /// Discards every commit after the last sync.
    pub fn power_loss(&self) {
        let mut inner = self.inner();
        if let Some(synced) = inner.synced.clone() {
            inner.tables = synced;
        }
    }

    /// Damages the last journal row of an execution, so that it is unreadable, or restores it.
    pub fn damage_last_row(&self, id: ExecutionId, spoiled: bool) {
        let cut_off = || ("cannot be read: cut off".to_owned(), false);
        self.inner()
            .tables
            .damage_last_row(id, spoiled.then(cut_off));
    }

    /// Makes the last journal row of an execution one of a kind that only a newer release knows, or
    /// one that all know.
    pub fn make_newer(&self, id: ExecutionId, newer: bool) {
        let words = "has the event \"dreamed\", which this release does not know";
        let unknown = || (words.to_owned(), true);
        self.inner().tables.damage_last_row(id, newer.then(unknown));
    }

    /// Everything stored, journals included, by id.
    #[must_use]
    pub fn snapshot(&self) -> Vec<ExecutionRecord> {
        self.inner()
            .tables
            .executions
            .values()
            .map(|e| e.record.clone())
            .collect()
    }

    /// All projections of a kind.
    #[must_use]
    pub fn projected(&self, kind: &str) -> Vec<ProjectionRow> {
        self.inner().tables.projections(kind, None, usize::MAX)
    }

    /// Number of appends accepted under an outdated fencing token.
    #[must_use]
    pub fn stale_appends(&self) -> usize {
        self.inner().tables.stale_appends
    }
}
