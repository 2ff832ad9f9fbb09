//! The audit log of calls: who called which tool, through which interface, with what outcome. Reads
//! are recorded as well.

mod append;
mod call_queries;
mod verify;
mod writer;

use dewy_saga::{ExecutionId, StoreError};
use jiff::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

pub(crate) use self::verify::verify_calls;
pub use self::{
    append::CallChain,
    call_queries::{CallFilter, FoundCall, LoggedPerson},
    writer::CallWriter,
};
use crate::row_conversion::{id, micros, to_json, to_timestamp};
use crate::{columns::columns, lossy_text::LossyText};

/// One tool call. Names guests by id, never by address, and staff by account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAudit {
    /// Time of the answer.
    pub at: Timestamp,
    /// Caller: `staff:ann@…`, `guest:per_…`.
    pub caller: String,
    /// Interface: `form`, `chat`, `mcp`, `rest`, `cli`.
    pub interface: String,
    /// Token or session used.
    pub credential: Option<String>,
    pub request: Option<String>,
    pub tool: String,
    /// HTTP status of the answer.
    pub status: u16,
    /// `OK`, `PENDING`, `GONE`, or an error code.
    pub outcome: String,
    /// Execution it created or joined.
    pub execution: Option<ExecutionId>,
    /// Guest concerned, if not the caller: `per_…`.
    pub on_behalf_of: Option<String>,
}

/// Calls to write together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallBatch {
    /// Calls, in the order of their answers.
    pub calls: Vec<CallAudit>,
    /// People in them: id and address. Stored separately, so that they can be erased.
    pub people: Vec<(String, String)>,
}

columns! {
    /// A row of `tool_call`, in column order; its digest covers all columns but the last.
    #[derive(Clone, Debug, Serialize)]
    pub(crate) struct Row {
        pub writer: LossyText,
        pub n: i64,
        pub pos: i64,
        pub at: i64,
        pub caller: LossyText,
        pub interface: LossyText,
        pub credential: Option<LossyText>,
        pub request: Option<LossyText>,
        pub tool: LossyText,
        pub status: i64,
        pub outcome: LossyText,
        pub execution: Option<LossyText>,
        pub on_behalf_of: Option<LossyText>,
        #[serde(skip)]
        pub digest: LossyText,
    }
}

impl Row {
    fn of(call: &CallAudit, writer: &str, n: i64, pos: i64) -> Result<Self, StoreError> {
        let mut row = Self {
            writer: LossyText(writer.to_owned()),
            n,
            pos,
            at: micros(call.at),
            caller: LossyText(call.caller.clone()),
            interface: LossyText(call.interface.clone()),
            credential: call.credential.clone().map(LossyText),
            request: call.request.clone().map(LossyText),
            tool: LossyText(call.tool.clone()),
            status: i64::from(call.status),
            outcome: LossyText(call.outcome.clone()),
            execution: call.execution.map(|id| LossyText(id.to_string())),
            on_behalf_of: call.on_behalf_of.clone().map(LossyText),
            digest: LossyText::default(),
        };
        row.digest = LossyText(row.computed_digest()?);
        Ok(row)
    }

    /// Digest of the other columns.
    fn computed_digest(&self) -> Result<String, StoreError> {
        Ok(hex::encode(Sha256::digest(to_json(self)?)))
    }

    fn call(self) -> Result<CallAudit, StoreError> {
        Ok(CallAudit {
            at: to_timestamp(self.at)?,
            caller: self.caller.into(),
            interface: self.interface.into(),
            credential: self.credential.map(String::from),
            request: self.request.map(String::from),
            tool: self.tool.into(),
            status: u16::try_from(self.status).map_err(crate::error::broken)?,
            outcome: self.outcome.into(),
            execution: self.execution.as_deref().map(id).transpose()?,
            on_behalf_of: self.on_behalf_of.map(String::from),
        })
    }
}

/// Hash of a batch, given the hash of the writer's previous batch (empty for the first).
fn batch_hash<'a>(
    before: &'a str,
    writer: &'a str,
    n: i64,
    at: i64,
    digests: impl Iterator<Item = &'a str>,
) -> String {
    let mut hash = Sha256::new();
    hash.update(n.to_be_bytes());
    hash.update(at.to_be_bytes());
    for part in [before, writer].into_iter().chain(digests) {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hex::encode(hash.finalize())
}
