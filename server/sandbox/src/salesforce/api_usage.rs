//! Calls of the last 24 hours, as an org counts them against its quota.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

const HOUR: i64 = 3600;

/// Calls by the hour in which they were made, since 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ApiUsage(BTreeMap<i64, u64>);

impl ApiUsage {
    /// Forgets calls older than 24 hours.
    pub fn forget(&mut self, now: Timestamp) {
        self.0
            .retain(|hour, _| hour + 24 > now.as_second().div_euclid(HOUR));
    }

    pub fn count(&mut self, now: Timestamp) {
        *self.0.entry(now.as_second().div_euclid(HOUR)).or_default() += 1;
    }

    pub fn calls(&self) -> u64 {
        self.0.values().sum()
    }
}
