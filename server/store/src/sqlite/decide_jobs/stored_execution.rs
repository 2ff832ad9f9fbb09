//! Stored rows of one execution, as decisions read them, and the claims it takes or releases.

use dewy_saga::StoreError;

use crate::{
    journal_rules::{self, Rows},
    row_conversion::id,
    sqlite::batch_state::{BatchState, Head},
};

/// One execution in the state that the batch has reached.
pub(super) struct Execution<'a> {
    pub plan: &'a BatchState,
    pub name: &'a str,
}

impl Head {
    pub(super) fn decisive(&self) -> journal_rules::Head<'_> {
        journal_rules::Head {
            fence: self.fence,
            worker: self.worker.as_deref(),
            seq: self.seq,
        }
    }
}

impl Rows for Execution<'_> {
    fn head(&self) -> Option<journal_rules::Head<'_>> {
        self.plan.heads.get(self.name).map(Head::decisive)
    }

    fn journal_row(&self, seq: i64) -> Option<(&str, i64)> {
        let stored = self.plan.stored.get(&(self.name.to_owned(), seq));
        stored
            .map(|(digest, fence)| (&**digest, *fence))
            .or_else(|| {
                let mut written = self.plan.writes.journal.iter();
                written
                    .find(|(id, of, ..)| id == self.name && *of == seq)
                    .map(|(.., fence, _, digest)| (&**digest, *fence))
            })
    }

    fn claim(&self, resource: &str) -> Result<Option<journal_rules::Claim>, StoreError> {
        let claim = |claim: &crate::sqlite::batch_state::Claim| {
            Ok(journal_rules::Claim {
                owner: claim.execution.as_deref().map(id).transpose()?,
                changed: claim.changed,
            })
        };
        self.plan.claims.get(resource).map(claim).transpose()
    }

    fn owner(&self, kind: &str, key: &str) -> Option<String> {
        let key = (kind.to_owned(), key.to_owned());
        self.plan.owners.get(&key).cloned()
    }

    fn counter(&self) -> i64 {
        self.plan.counter
    }

    fn floor(&self) -> i64 {
        self.plan.floor
    }
}

impl BatchState {
    pub(super) fn claim(&mut self, name: &str, resources: Vec<String>) {
        for resource in resources {
            self.change_claim(resource, Some(name.to_owned()));
        }
    }

    pub(super) fn release(&mut self, name: &str) {
        let held =
            |claim: &crate::sqlite::batch_state::Claim| claim.execution.as_deref() == Some(name);
        let resources: Vec<String> = self
            .claims
            .iter()
            .filter(|(_, claim)| held(claim))
            .map(|(resource, _)| resource.clone())
            .collect();
        for resource in resources {
            self.change_claim(resource, None);
        }
    }

    fn change_claim(&mut self, resource: String, owner: Option<String>) {
        self.counter += 1;
        let claim = self.claims.entry(resource.clone()).or_default();
        claim.execution = owner;
        claim.changed = self.counter;
        self.writes.claims.insert(resource);
    }
}
