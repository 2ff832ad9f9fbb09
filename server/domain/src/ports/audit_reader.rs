//! The record of calls, as managers look at it.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{answer::Problem, caller::Caller};

/// Which calls; what is not given does not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallQuery {
    /// From this day on, in the hotel's time zone.
    pub from: Option<String>,
    /// Up to this day, included.
    pub to: Option<String>,
    /// The email of whoever called, or of the guest it was about.
    pub who: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// Through this door: `form`, `mcp`, `rest`, …
    pub interface: Option<String>,
    /// With this outcome: `OK`, `PENDING`, `REFUSED` (any error), or an error's code.
    pub outcome: Option<String>,
    /// Of this execution.
    pub execution: Option<String>,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallView {
    /// When it was answered.
    pub at: Timestamp,
    /// Who called: `staff:…`, or `guest:…` with the email, or with an id once the person's data was
    /// erased.
    pub caller: String,
    /// Through which door.
    pub interface: String,
    /// By which token or session.
    pub credential: Option<String>,
    /// The request's id, as in the log.
    pub request_id: Option<String>,
    /// About which guest, when somebody else called: the email, or an id once the person's data was
    /// erased.
    pub on_behalf_of: Option<String>,
    /// Which tool.
    pub tool: String,
    /// The HTTP status of the answer, whatever the interface.
    pub status: u16,
    /// `OK`, `PENDING`, `GONE` (the caller hung up), or the code of the error.
    pub outcome: String,
    /// The execution it made, joined or repeated.
    pub execution_id: Option<String>,
}

/// A list of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallList {
    /// Newest first.
    pub calls: Vec<CallView>,
    /// There are more than these.
    pub cut: bool,
}

/// Why calls are not shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Only managers see them.
    #[error("Only managers see the audit trail.")]
    NotAllowed,
    /// The filters have faults.
    #[error("Some of the filters need a change.")]
    Problems(Vec<Problem>),
    /// The store failed.
    #[error("The audit trail cannot be read right now.")]
    Unavailable,
}

/// Reads the record of calls.
#[async_trait]
pub trait AuditReader: Send + Sync + std::fmt::Debug {
    /// At most `limit` calls that fit, newest first.
    ///
    /// # Errors
    /// Why they are not shown.
    async fn calls(
        &self,
        caller: &Caller,
        query: &CallQuery,
        limit: usize,
    ) -> Result<CallList, LedgerError>;
}
