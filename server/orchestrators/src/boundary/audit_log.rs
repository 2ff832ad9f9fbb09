//! The audit log of calls, as the dispatcher writes it. Storage is the implementation's concern.

use async_trait::async_trait;
use dewy_domain::caller::Caller;
use jiff::Timestamp;

/// Audit record of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRecord {
    /// Time of the answer.
    pub at: Timestamp,
    /// Caller, with interface, credential and request id.
    pub by: Caller,
    /// Email of the guest concerned, if not the caller. The log must not store it in plain text.
    pub on_behalf_of: Option<String>,
    /// Tool name; `unknown` if there is no such tool.
    pub tool: String,
    /// HTTP status of the answer, whatever the interface.
    pub status: u16,
    /// `OK`, `PENDING`, `GONE`, or an error code.
    pub outcome: &'static str,
    /// Execution it created, joined or replayed.
    pub execution: Option<String>,
    /// Whether the caller's email is verified. The log never stores an unverified email, not even
    /// in the table that maps people to ids.
    pub proven: bool,
}

#[async_trait]
pub trait AuditLog: Send + Sync + std::fmt::Debug {
    /// Reserves an entry for one call. Waits if there is no room: a call that could not be recorded
    /// must not run.
    async fn open(&self) -> Box<dyn CallEntry>;
}

/// A reserved entry for one call.
pub trait CallEntry: Send {
    /// Fills the entry. Never waits, so that an aborted call can be recorded too.
    fn fill(self: Box<Self>, record: CallRecord);
}
