//! Decides which resources an execution may claim, and claims or releases them.

use std::collections::BTreeSet;

use dewy_saga::{
    StoreError,
    journal::{Appended, ClaimChange},
};

use crate::{codec::id, sqlite::plan::Plan};

impl Plan {
    /// Why these resources cannot be claimed, if another execution holds one or one changed after
    /// `mark`.
    pub(super) fn refuses(
        &self,
        name: &str,
        resources: &[String],
        mark: i64,
    ) -> Result<Option<Appended>, StoreError> {
        let sorted: BTreeSet<_> = resources.iter().collect();
        let cells = || sorted.iter().filter_map(|r| self.claims.get(*r));
        if let Some(other) = cells().find_map(|c| c.execution.as_deref().filter(|e| *e != name)) {
            return Ok(Some(Appended::Held { by: id(other)? }));
        }
        if self.floor > mark || cells().any(|c| c.execution.is_none() && c.changed > mark) {
            return Ok(Some(Appended::Stale { mark: self.counter }));
        }
        Ok(None)
    }

    pub(super) fn claim(&mut self, name: &str, change: &ClaimChange) {
        let touched: Vec<String> = match change {
            ClaimChange::None => return,
            ClaimChange::Take { resources, .. } => {
                let free = |r: &&String| self.claims.get(*r).is_none_or(|c| c.execution.is_none());
                resources
                    .iter()
                    .filter(free)
                    .cloned()
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect()
            }
            ClaimChange::Release => self
                .claims
                .iter()
                .filter(|(_, c)| c.execution.as_deref() == Some(name))
                .map(|(r, _)| r.clone())
                .collect(),
        };
        for resource in touched {
            self.counter += 1;
            let cell = self.claims.entry(resource.clone()).or_default();
            cell.execution = matches!(change, ClaimChange::Take { .. }).then(|| name.to_owned());
            cell.changed = self.counter;
            self.writes.claims.insert(resource);
        }
    }
}
