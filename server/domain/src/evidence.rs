//! Evidence of an execution for people outside: what was asked, sent and answered, and the hash
//! chains that show that nothing was changed since.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    money::{Cents, Currency},
    room_number::RoomNumber,
    vocabulary::ExecutionState,
};

/// Name of the format, with its version.
pub const FORMAT: &str = "dewy-evidence/1";

/// Evidence of one execution, as a front desk may see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// [`FORMAT`].
    pub format: String,
    pub made_at: Timestamp,
    pub made_by: String,
    pub hotel: String,
    pub execution_id: String,
    pub title: String,
    pub state: ExecutionState,
    /// The state and the money in one sentence.
    pub summary: String,
    /// Caller and interface.
    pub asked_by: Option<String>,
    /// Who requested the compensation, in order.
    pub triggers: Vec<String>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// Last change.
    pub updated_at: Timestamp,
    pub guest_email: Option<EmailAddress>,
    pub booking_number: Option<BookingNumber>,
    pub room_number: Option<RoomNumber>,
    /// Input of the tool.
    pub asked: Value,
    /// The tool's answer, once final.
    pub answered: Option<Value>,
    /// Money, once any moved.
    pub sums: Option<EvidenceSums>,
    /// Ids in the outside systems as (kind, id).
    pub ids: Vec<(String, String)>,
    /// Requests to the outside systems, in order.
    pub requests: Vec<EvidenceRequest>,
    /// Journal; each row's digest covers the row and the digest before.
    pub journal: Vec<EvidenceRow>,
    /// Changes of state; each one's hash covers the change and the hash before.
    pub audit: Vec<EvidenceStateChange>,
}

/// Money in cents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceSums {
    pub currency: Currency,
    pub charged: Cents,
    /// Given back.
    pub refunded: Cents,
    /// Charged minus given back.
    pub kept: Cents,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceRequest {
    /// Journal row, written before it was sent.
    pub seq: i64,
    /// Time of that row.
    pub at: Timestamp,
    pub step: String,
    /// Title of that row.
    pub title: String,
    /// System: `stripe`.
    pub system: String,
    pub method: String,
    pub path: String,
    /// Idempotency key.
    pub key: Option<String>,
    pub body: String,
    /// What became of it, in order.
    pub answers: Vec<EvidenceAnswer>,
}

/// Outcome of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceAnswer {
    /// Journal row.
    pub seq: i64,
    /// Time of that row.
    pub at: Timestamp,
    /// Whether it was looked up later instead of answered.
    pub looked_up: bool,
    /// Outcome and what was answered.
    pub outcome: Value,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvidenceRow {
    /// Sequence number, from 1.
    pub seq: i64,
    pub at: Timestamp,
    /// The same in microseconds since 1970, as the digest covers it.
    pub at_us: i64,
    pub by: String,
    /// Fencing token under which it was appended; no digest covers it.
    pub fence: i64,
    /// Short title.
    pub title: String,
    /// Event as text, as the digest covers it.
    pub event: String,
    /// Whether a secret was taken out of the event. Its digest can't be computed again then.
    pub withheld: bool,
    /// SHA-256 over the execution's id, the digest before, number, time, and event.
    pub digest: String,
}

/// A change of the execution's state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvidenceStateChange {
    /// Sequence number of the journal row that caused it.
    pub seq: i64,
    pub at: Timestamp,
    /// The same in microseconds since 1970, as the hash covers it.
    pub at_us: i64,
    /// Who caused it.
    pub actor: String,
    /// State before; the first row has none.
    pub from: Option<String>,
    /// State after.
    pub to: String,
    /// Digest of that journal row.
    pub journal: String,
    /// SHA-256 over the execution's id, the hash before, and this change.
    pub hash: String,
}
