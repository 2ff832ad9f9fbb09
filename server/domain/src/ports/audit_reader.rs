//! The audit log of calls, for managers.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{caller::Caller, tool_answer::Problem};

/// Filters for calls; absent filters match everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallQuery {
    /// First day, in the hotel's time zone.
    pub from: Option<String>,
    /// Last day, inclusive.
    pub to: Option<String>,
    /// Email of the caller, or of the guest concerned.
    #[serde(rename = "who")]
    pub user: Option<String>,
    pub tool: Option<String>,
    /// Interface: `form`, `mcp`, `rest`, …
    pub interface: Option<String>,
    /// Outcome: `OK`, `PENDING`, `REFUSED` (any error), or an error code.
    pub outcome: Option<String>,
    pub execution: Option<String>,
    /// Kind: acts if it is missing, `money`, or `all`, with what was only read. A tool or an execution
    /// is shown whatever its kind.
    pub show: Option<String>,
}

/// One tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallView {
    /// Time of the answer.
    pub at: Timestamp,
    /// Caller: `staff:…`, or `guest:…` with the email, or with an id after the person's data was
    /// erased.
    pub caller: String,
    pub interface: String,
    /// Token or session used.
    pub credential: Option<String>,
    /// Request id, as in the log.
    pub request_id: Option<String>,
    /// Guest concerned, if not the caller: the email, or an id after the person's data was erased.
    pub on_behalf_of: Option<String>,
    pub tool: String,
    /// HTTP status of the answer, whatever the interface.
    pub status: u16,
    /// `OK`, `PENDING`, `GONE` (the caller disconnected), or an error code.
    pub outcome: String,
    /// Execution it created, joined or replayed.
    pub execution_id: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallList {
    /// Calls, newest first.
    pub calls: Vec<CallView>,
    /// There are more results.
    pub cut: bool,
}

/// Why calls are not shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuditLogError {
    /// The caller is not a manager.
    #[error("Only managers see the audit trail.")]
    NotAllowed,
    /// The filters are invalid.
    #[error("Some of the filters are invalid.")]
    Problems(Vec<Problem>),
    /// The store failed.
    #[error("The audit trail cannot be read right now.")]
    Unavailable,
}

#[async_trait]
pub trait AuditReader: Send + Sync + std::fmt::Debug {
    /// Matching calls, newest first, at most `limit`.
    ///
    /// # Errors
    /// Returns a [`AuditLogError`] when the caller may not read, a filter is invalid or the store
    /// fails.
    async fn calls(
        &self,
        caller: &Caller,
        query: &CallQuery,
        limit: usize,
    ) -> Result<CallList, AuditLogError>;
}
