//! The orphan check as staff see it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Result of the orphan check, the scheduled job that finds orphaned payments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrphanCheckView {
    /// Time of the last complete run.
    pub last_run_at: Option<Timestamp>,
    /// Payments that run checked.
    pub looked_at: u32,
    /// Orphans of this installation it found.
    pub found: u32,
    /// Compensations it started.
    pub fixed: u32,
    /// Payments it left to a person.
    pub flagged: u32,
    /// Payments it could not judge; the next run checks them again.
    #[serde(default)]
    pub failed: u32,
    /// The first of those failures: which payment, and why.
    #[serde(default)]
    pub failures: Vec<String>,
    /// True if it was this installation's first run, which only reports.
    #[serde(default)]
    pub reported_only: bool,
    /// Every payment created before this time has been checked.
    #[serde(default)]
    pub watermark: Option<Timestamp>,
    /// Total number of other programs' payments ever seen on the account.
    #[serde(default)]
    pub foreign: u64,
    /// Payments of other installations on the account that the last run saw, by installation.
    #[serde(default)]
    pub other_installations: BTreeMap<String, u32>,
    /// Why the last run stopped early, if it did.
    #[serde(rename = "trouble")]
    pub error: Option<String>,
    /// Time of the next run.
    pub next_run_at: Option<Timestamp>,
}
