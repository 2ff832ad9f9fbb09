//! Answers that every saga gives in the same words.

use dewy_domain::{
    answer::{Settled, ToolError},
    call::{INCOMPLETE, Trouble},
    error_code::ErrorCode,
    inventory::{Missing, RoomFacts},
};
use dewy_saga::{End, ExecutionId, Fault, Read};
use serde_json::{Value, json};

use crate::bridge;

/// Another execution holds what this one needs.
pub(crate) fn held(by: ExecutionId) -> Value {
    failed(ErrorCode::OperationInProgress, json!({ "execution_id": by }))
}

/// An outside system did not answer before anything was done.
pub(crate) fn unavailable(fault: &Fault) -> Value {
    tracing::info!(code = fault.code, message = fault.message, "prerequisites could not be read");
    failed(ErrorCode::UpstreamUnavailable, json!({ "charged": false }))
}

/// It failed, for good.
pub(crate) fn failed(code: ErrorCode, details: Value) -> Value {
    bridge::value(&Settled::Failed { code, details })
}

/// How it is told that staff have it: they still have to act, or they settled it outside this program.
pub(crate) const fn with_staff(end: End) -> ErrorCode {
    match end {
        End::SettledByHand => ErrorCode::SettledByStaff,
        _ => ErrorCode::NeedsAttention,
    }
}

/// It is done.
pub(crate) fn settled(data: Value) -> Value {
    bridge::value(&Settled::Done { data, created: false })
}

/// What to tell of a record that lacks something; asking again would not fill it in.
pub(crate) fn incomplete(trouble: &Trouble) -> Option<ToolError> {
    (trouble.code == INCOMPLETE).then(|| ToolError::with(ErrorCode::RecordIncomplete, trouble.details.clone()))
}

/// The room lacks something that is decided on.
///
/// # Errors
/// What to tell the caller.
pub(crate) fn need_complete(room: &RoomFacts, needed: &[Missing]) -> Result<(), ToolError> {
    let Some(missing) = room.missing.iter().find(|missing| needed.contains(missing)) else { return Ok(()) };
    let problem = format!("Room {}: {} is empty.", room.room.number, missing.words());
    let details = json!({ "object": "Hotel_Room__c", "id": room.room.id, "field": missing.field(), "problem": problem,
        "record": format!("Room {}", room.room.number) });
    Err(ToolError::with(ErrorCode::RecordIncomplete, details))
}

/// The prerequisites do not allow it.
pub(crate) fn refused(error: ToolError) -> Read {
    Read::Refused { answer: failed(error.code, error.details) }
}

/// The prerequisites could not be read.
pub(crate) fn later(trouble: Trouble) -> Read {
    if let Some(error) = incomplete(&trouble) {
        return refused(error);
    }
    Read::TryLater { fault: bridge::fault(trouble) }
}
