//! Request counters of an outside system, for metrics.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use dewy_domain::upstream_request::{Outcome, System};

/// Number of exchanges of one operation with one outcome.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    pub system: System,
    /// Operation: `query`, `payment_intent_create`.
    pub operation: String,
    /// `done`, `refused`, `try_later`, `unknown`; `expired_session` for a call that was answered
    /// with 401 and replayed, `connect` and `moved` for one that was sent to the org's new host.
    pub outcome: &'static str,
    /// HTTP exchanges so far.
    pub calls: u64,
}

#[derive(Debug)]
pub(crate) struct RequestCounters {
    system: System,
    counts: Mutex<BTreeMap<(String, &'static str), u64>>,
}

impl RequestCounters {
    pub(crate) fn new(system: System) -> Self {
        Self {
            system,
            counts: Mutex::default(),
        }
    }

    pub(crate) const fn system(&self) -> System {
        self.system
    }

    pub(crate) fn add(&self, operation: &str, outcome: &'static str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry((operation.to_owned(), outcome)).or_default() += 1;
    }

    pub(crate) fn all(&self) -> Vec<Count> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |((operation, outcome), calls): (&(String, &'static str), &u64)| Count {
            system: self.system,
            operation: operation.clone(),
            outcome,
            calls: *calls,
        };
        counts.iter().map(count).collect()
    }
}

pub(crate) const fn outcome<T>(reply: &Outcome<T>) -> &'static str {
    match reply {
        Outcome::Done(_) => "done",
        Outcome::Refused(_) => "refused",
        Outcome::TryLater(_) => "try_later",
        Outcome::Unknown(_) => "unknown",
        Outcome::Waiting(_) => "waiting",
    }
}
