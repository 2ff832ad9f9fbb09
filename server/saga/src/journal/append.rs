//! One transaction's worth of news, and what became of it.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use crate::{chain::AuditRow, event::Row, id::ExecutionId, state::State};

/// What is to happen to the lease with an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseChange {
    /// It stays as long as it was.
    Keep,
    /// It lasts at least this long from now (by the store's clock).
    For(Duration),
    /// It is given back; `wake_at` says when somebody should take it.
    Release,
}

/// What is to happen to the execution's claims with an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimChange {
    /// Nothing.
    None,
    /// Take all of them or none. Refused as *held* when another execution has one; refused as
    /// *stale* when one was taken or given back after `mark` was read, for then what we read may be
    /// stale as well.
    Take {
        /// Names of resources: `booking:a01…`, `room:302:2026-03-10`.
        resources: Vec<String>,
        /// The change counter as it was before the reading began.
        mark: i64,
    },
    /// Give all of them back.
    Release,
}

/// A row beside the journal that is written in the same transaction: a compensation record, an
/// outbox message.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// What kind: `compensation`.
    pub kind: String,
    /// Unique within the kind: the payment intent's id. A second execution may not take it.
    pub key: String,
    /// The whole row, replacing what was there.
    pub body: Value,
}

/// One transaction's worth of news about an execution.
#[derive(Clone, Debug)]
pub struct Append {
    /// The rows, the first of which must have the seq after the last one stored.
    pub rows: Vec<Row>,
    /// One for each change of state among them.
    pub audit: Vec<AuditRow>,
    /// The state after the last row.
    pub state: State,
    /// When somebody should look at it (again), if nobody holds the lease.
    pub wake_at: Option<Timestamp>,
    /// The lease.
    pub lease: LeaseChange,
    /// The claims.
    pub claims: ClaimChange,
    /// The tool's answer, once there is one.
    pub answer: Option<Value>,
    /// The token may be used again for a new execution: nothing had an effect.
    pub free_token: bool,
    /// Labels to add or replace.
    pub labels: Vec<(String, String)>,
    /// Rows beside the journal.
    pub projections: Vec<Projection>,
    /// Keys of the signals that are answered by this append; they are closed in the same
    /// transaction.
    pub heard: Vec<String>,
    /// The time by the appender's clock.
    pub at: Timestamp,
}

/// What became of an append that was not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// Committed.
    Ok,
    /// Not committed: another execution holds a resource.
    Held {
        /// Which one.
        by: ExecutionId,
    },
    /// Not committed: a resource changed hands after the mark. Read again, with this mark.
    Stale {
        /// The present counter.
        mark: i64,
    },
}
