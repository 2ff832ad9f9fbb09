//! Answers shared by all sagas.

use dewy_domain::{
    access_refusal::needs_operator,
    error_code::ErrorCode,
    inventory::{MissingField, RoomFacts},
    money::Cents,
    shown_values::ShownValues,
    stay::{Room, Stay},
    tool_answer::{FinalAnswer, ToolError},
    vocabulary::{FaultCode, RoomStatus},
};
use dewy_saga::{Context, End, ExecutionId, Fault, PrerequisitesResult};
use serde::Serialize;
use serde_json::{Value, json};

use crate::saga_parts::engine_conversions::{self, calling_guest};

/// Another execution holds a required resource.
pub(crate) fn resource_held(by: ExecutionId) -> Value {
    failed(
        ErrorCode::OperationInProgress,
        json!({ "execution_id": by }),
    )
}

/// An outside system did not answer before anything was done.
pub(crate) fn unavailable(fault: &Fault) -> Value {
    tracing::info!(
        code = fault.code,
        message = fault.message,
        "prerequisites could not be read"
    );
    let details = if fault.code == FaultCode::StoreFailed {
        json!({})
    } else {
        json!({ "charged": false })
    };
    failed(unanswered(&fault.code), details)
}

/// Error for a system that did not do what was asked, and may later.
fn unanswered(code: &str) -> ErrorCode {
    match needs_operator(code) {
        true => ErrorCode::AccessRefused,
        false => ErrorCode::UpstreamUnavailable,
    }
}

pub(crate) fn failed(code: ErrorCode, details: Value) -> Value {
    engine_conversions::value(&FinalAnswer::Failed { code, details })
}

/// Error code for an execution with staff: they still have to act, or they resolved it outside this
/// program.
pub(crate) const fn attention_error_code(end: End) -> ErrorCode {
    match end {
        End::SettledByHand => ErrorCode::SettledByStaff,
        _ => ErrorCode::NeedsAttention,
    }
}

pub(crate) fn succeeded(data: impl Serialize) -> Value {
    engine_conversions::value(&FinalAnswer::Done {
        data: engine_conversions::value(&data),
        created: false,
    })
}

/// Error for an outside system that failed before anything was done.
pub(crate) fn upstream_failure(error: &Fault) -> ToolError {
    if let Some(error) = incomplete(error).or_else(|| hidden(error)) {
        return error;
    }
    if !error.permanent {
        return ToolError::new(unanswered(&error.code));
    }
    tracing::warn!(
        code = error.code,
        message = error.message,
        "an outside system refused permanently"
    );
    ToolError::with(ErrorCode::UpstreamRefused, json!({ "cause": error.code }))
}

/// A step failed and nothing was done: an outage, or a permanent refusal. `details` says what was
/// not done. Staff see the vendor's own message.
pub(crate) fn not_done(cx: &Context<'_>, fault: Option<&Fault>, mut details: Value) -> FinalAnswer {
    details["cause"] = json!(fault.map(|fault| &fault.code));
    let refused = fault.filter(|fault| fault.permanent);
    if let Some(said) = refused
        .and_then(|fault| fault.details.get("message"))
        .filter(|_| calling_guest(cx).is_none())
    {
        details["message"] = said.clone();
    }
    let hidden = fault.filter(|fault| fault.code == FaultCode::FieldHidden);
    let code = match (hidden, refused) {
        (Some(fault), _) => {
            details["problem"] = fault.details["problem"].clone();
            ErrorCode::FieldHidden
        }
        (None, Some(_)) => ErrorCode::UpstreamRefused,
        (None, None) => unanswered(fault.map_or("", |fault| &fault.code)),
    };
    FinalAnswer::Failed { code, details }
}

/// The answers of a saga whose result, and whether it created something, follow from its journal.
pub(crate) fn of_result<T: Serialize>(
    result: impl Fn(Context<'_>) -> Option<(T, bool)> + Send + Sync + 'static,
) -> impl Fn(Context<'_>, End, Option<&str>) -> Value + Send + Sync + 'static {
    of_result_or("done", result)
}

/// The same, with the name of what was not done.
pub(crate) fn of_result_or<T: Serialize>(
    not_done: &'static str,
    result: impl Fn(Context<'_>) -> Option<(T, bool)> + Send + Sync + 'static,
) -> impl Fn(Context<'_>, End, Option<&str>) -> Value + Send + Sync + 'static {
    move |cx: Context<'_>, end: End, reason: Option<&str>| {
        engine_conversions::value(&match (end, result(cx)) {
            (End::Completed, Some((data, created))) => FinalAnswer::Done {
                data: engine_conversions::value(&data),
                created,
            },
            (End::NeedsAttention | End::SettledByHand, _) => FinalAnswer::Failed {
                code: attention_error_code(end),
                details: json!({ "reason": reason }),
            },
            _ => not_succeeded(cx, not_done),
        })
    }
}

/// Why it was not done.
fn not_succeeded(cx: Context<'_>, undone: &str) -> FinalAnswer {
    let failed = |code, details| FinalAnswer::Failed { code, details };
    match cx
        .failure()
        .map(|fault| (FaultCode::from(fault.code.as_str()), fault))
    {
        Some((FaultCode::RoomTaken, fault)) => {
            failed(ErrorCode::RoomAlreadyBooked, fault.details.clone())
        }
        Some((FaultCode::DuplicatesDetected, fault)) => {
            failed(ErrorCode::DuplicateGuest, fault.details.clone())
        }
        Some((FaultCode::ForeignEdit | FaultCode::BookingGone, fault)) => failed(
            ErrorCode::InvalidTransition,
            json!({ "cause": fault.code, "difference": fault.details["difference"] }),
        ),
        other => not_done(&cx, other.map(|(_, fault)| fault), json!({ undone: false })),
    }
}

/// Error for an incomplete record; a retry would not complete it.
pub(crate) fn incomplete(error: &Fault) -> Option<ToolError> {
    (error.code == FaultCode::IncompleteRecord)
        .then(|| ToolError::with(ErrorCode::RecordIncomplete, error.details.clone()))
}

/// Error for a field that the CRM hides from our user: it stays so until somebody shows it.
fn hidden(error: &Fault) -> Option<ToolError> {
    let details = json!({ "field": error.details["field"], "problem": error.details["problem"] });
    (error.code == FaultCode::FieldHidden).then(|| ToolError::with(ErrorCode::FieldHidden, details))
}

/// Requires fields of a room that a decision needs.
///
/// # Errors
/// The missing fields, as an error for the caller.
pub(crate) fn need_complete(room: &RoomFacts, needed: &[MissingField]) -> Result<(), ToolError> {
    let Some(missing) = room.missing.iter().find(|missing| needed.contains(missing)) else {
        return Ok(());
    };
    let problem = format!(
        "Room {}: {} is empty, or hidden from our user.",
        room.room.number,
        missing.label()
    );
    let details = json!({ "object": "Hotel_Room__c", "id": room.room.id, "field": missing.field(), "problem": problem,
        "record": format!("Room {}", room.room.number) });
    Err(ToolError::with(ErrorCode::RecordIncomplete, details))
}

/// Whether a guest can move into a room now.
///
/// # Errors
/// What keeps them out, beside `details`.
pub(crate) fn need_vacant(room: &Room, mut details: Value) -> Result<(), ToolError> {
    if room.status == RoomStatus::Vacant && room.current_guest.is_none() {
        return Ok(());
    }
    details["room_number"] = json!(room.number);
    if room.status == RoomStatus::Vacant {
        details["why"] = json!(
            "Another guest is still entered as the room's current guest. If nobody is in it, set its status again."
        );
    } else {
        details["room_status"] = json!(room.status);
    }
    Err(ToolError::with(ErrorCode::RoomNotVacant, details))
}

/// Whether everything that a form showed, and that it would replace, is still so.
///
/// # Errors
/// The values that somebody has changed meanwhile, beside `details`.
pub(crate) fn unchanged(
    shown: Option<&ShownValues>,
    now: &[(&str, &str)],
    mut details: Value,
) -> Result<(), ToolError> {
    let changed = shown.map(|shown| shown.changed(now)).unwrap_or_default();
    if changed.is_empty() {
        return Ok(());
    }
    details["changed"] = json!(changed);
    Err(ToolError::with(ErrorCode::InvalidTransition, details))
}

/// Balance of a folio.
///
/// # Errors
/// The empty amount, as an error for the caller.
pub(crate) fn need_balance(stay: &Stay) -> Result<Cents, ToolError> {
    stay.balance().ok_or_else(|| {
        let line = stay.lines.iter().find(|line| line.owed().is_none());
        let (record, object, id, field) = match line {
            Some(line) if stay.opportunity.amount.is_some() => (
                format!("Folio line {}", line.number),
                "Payment_Transaction__c",
                &line.id,
                "Amount__c",
            ),
            _ => (
                "The stay's opportunity".to_owned(),
                "Opportunity",
                &stay.opportunity.id,
                "Amount",
            ),
        };
        let problem = format!("{record}: Amount is empty.");
        let details = json!({ "record": record, "object": object, "id": id, "field": field, "problem": problem });
        ToolError::with(ErrorCode::RecordIncomplete, details)
    })
}

/// The prerequisites do not allow it.
pub(crate) fn refused(error: ToolError) -> PrerequisitesResult {
    PrerequisitesResult::Refused {
        answer: failed(error.code, error.details),
    }
}

pub(crate) fn prerequisites_unavailable(error: Fault) -> PrerequisitesResult {
    let lacks = [FaultCode::IncompleteRecord, FaultCode::FieldHidden];
    if error.permanent || lacks.iter().any(|code| error.code == *code) {
        return refused(self::upstream_failure(&error));
    }
    PrerequisitesResult::TryLater { fault: error }
}
