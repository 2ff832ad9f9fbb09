//! Answers that every saga gives in the same words.

use dewy_domain::{
    answer::{Settled, ToolError},
    call::Trouble,
    error_code::ErrorCode,
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

/// The prerequisites do not allow it.
pub(crate) fn refused(error: ToolError) -> Read {
    Read::Refused { answer: failed(error.code, error.details) }
}

/// The prerequisites could not be read.
pub(crate) fn later(trouble: Trouble) -> Read {
    Read::TryLater { fault: bridge::fault(trouble) }
}
