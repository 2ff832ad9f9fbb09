//! The call log.

use serde::{Deserialize, Serialize};

use crate::System;

/// One call as it arrived, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallEntry {
    /// Place in the order of arrival, from 1.
    pub seq: u64,
    /// When it arrived, RFC 3339.
    pub time: String,
    /// Who was called.
    pub system: System,
    /// What was asked.
    pub operation: String,
    /// The HTTP method.
    pub method: String,
    /// The path, without its query.
    pub path: String,
    /// `Idempotency-Key`, where one was sent.
    pub idempotency_key: Option<String>,
    /// The answer's status; `None` when no answer was given (yet).
    pub status: Option<u16>,
    /// `pending` not yet, `none` nothing changed, `applied`, `replayed` an older answer again,
    /// `late` applied after the caller had gone.
    pub effect: String,
    /// The call of which this is another delivery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<u64>,
}
