//! The record of calls, as the dispatcher writes it. Who keeps it, and how, is somebody else's.

use async_trait::async_trait;
use dewy_domain::caller::Caller;
use jiff::Timestamp;

/// What is put on record of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRecord {
    /// When it was answered.
    pub at: Timestamp,
    /// Who called, through which door, by which credential, in which request.
    pub by: Caller,
    /// About which guest, when somebody else called: the address. The record itself must not keep
    /// it as it is.
    pub on_behalf_of: Option<String>,
    /// Which tool; `unknown` when there is none of that name.
    pub tool: String,
    /// The HTTP status of the answer, whatever the interface.
    pub status: u16,
    /// `OK`, `PENDING`, `GONE`, or the code of the error.
    pub outcome: &'static str,
    /// The execution it made, joined or repeated.
    pub execution: Option<String>,
}

/// Where calls are recorded.
#[async_trait]
pub trait AuditLog: Send + Sync + std::fmt::Debug {
    /// Keeps a place for one call. When there is none, this waits: a call must not run that could
    /// not be recorded.
    async fn open(&self) -> Box<dyn CallEntry>;
}

/// The place kept for one call.
pub trait CallEntry: Send {
    /// Fills it. Nothing is waited for, so that also a call which was cut off can be put on record.
    fn fill(self: Box<Self>, record: CallRecord);
}
