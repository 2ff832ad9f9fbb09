//! Call log.

use serde::{Deserialize, Serialize};

use crate::System;

/// Logged call and its effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallEntry {
    /// Sequence number, from 1.
    pub seq: u64,
    /// Arrival time, RFC 3339.
    pub time: String,
    pub system: System,
    pub operation: String,
    pub method: String,
    /// Path without its query.
    pub path: String,
    /// `Idempotency-Key`, if one was sent.
    pub idempotency_key: Option<String>,
    /// Status of the response; `None` when there is none (yet).
    pub status: Option<u16>,
    /// Effect: `pending` (not yet), `none` (nothing changed), `applied`, `replayed` (an older
    /// response again), `late` (applied after the caller had disconnected).
    pub effect: String,
    /// Call that this one redelivers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<u64>,
}
