//! An append: the changes of one transaction, and its result.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use crate::{event::Row, execution_id::ExecutionId, hash_chain::AuditRow, state_machine::State};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseChange {
    Keep,
    /// Extends it to at least this long from now (by the store's clock).
    For(Duration),
    /// Releases it; `wake_at` says when the execution is due again.
    Release,
}

/// Change of the execution's claims with an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimChange {
    None,
    /// Takes all or none. Refused as *held* when another execution has one; refused as *stale* when
    /// one was taken or released after `mark` was read, because what we read may be stale too.
    Take {
        /// Resource names: `booking:a01…`, `room:302:2026-03-10`.
        resources: Vec<String>,
        /// Change counter as of before the read.
        mark: i64,
    },
    /// Releases all of them.
    Release,
}

/// A row stored outside the journal and written in the same transaction: a compensation record, an
/// outbox message.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// Kind: `compensation`.
    pub kind: String,
    /// Key, unique within the kind: the payment intent's id. Another execution may not take it.
    pub key: String,
    /// Complete content; replaces the previous row.
    pub body: Value,
}

/// The changes of one transaction on an execution.
#[derive(Clone, Debug)]
pub struct Append {
    /// Journal rows; the first must follow the last stored sequence number.
    pub rows: Vec<Row>,
    /// One audit row for each state change among them.
    pub audit: Vec<AuditRow>,
    /// State after the last row.
    pub state: State,
    /// When the execution is due again, if nobody holds the lease.
    pub wake_at: Option<Timestamp>,
    pub lease: LeaseChange,
    pub claims: ClaimChange,
    /// The tool's answer, once there is one.
    pub answer: Option<Value>,
    /// Frees the token for a new execution: nothing had an effect.
    pub free_token: bool,
    /// Labels to add or replace.
    pub labels: Vec<(String, String)>,
    pub projections: Vec<Projection>,
    /// Keys of the signals this append answers; they are closed in the same transaction.
    pub handled: Vec<String>,
    /// Time by the appender's clock.
    pub at: Timestamp,
}

/// Result of an append without an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppendResult {
    /// Committed.
    Ok,
    /// Not committed: another execution holds a resource.
    Held {
        /// Holder.
        by: ExecutionId,
    },
    /// Not committed: a resource changed hands after the mark. Read again, with this mark.
    Stale {
        /// Current counter.
        mark: i64,
    },
}
