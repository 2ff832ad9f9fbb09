//! Writing a stay under guards: what became of a write is looked up, and before "not applied" is believed the booking is
//! touched, so that a straggler fails its own guard.

use dewy_domain::{
    ports::{Crm, Trace, TraceQuery},
    stay::Stay,
};
use dewy_saga::{Context, Fault, Outcome, Request, progress::Guard};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::bridge;

/// What to look for: the write of `execution_id` to this stay.
pub(crate) fn query(execution_id: String, stay: &Stay) -> TraceQuery {
    TraceQuery { execution_id, opportunity_id: stay.opportunity.id.clone(), booking_id: stay.booking.id.clone() }
}

/// Whole seconds: guards compare no finer.
pub(crate) fn second(at: Timestamp) -> i64 {
    at.as_second()
}

/// What the straggler of a request would have to find unchanged.
pub(crate) fn guard_second(request: &Request, stay: &Stay) -> i64 {
    request.payload["beside"]["guard_second"].as_i64().unwrap_or_else(|| second(stay.booking.stamp.at))
}

/// The stay with the rows as a look-up found them, for a write that is built anew after it.
pub(crate) fn refreshed(stay: Stay, fault: Option<&Fault>) -> Stay {
    match fault.and_then(|f| bridge::read::<Trace>(&f.details["trace"])) {
        Some(trace) => Stay { booking: trace.booking, room: trace.room, opportunity: trace.opportunity, ..stay },
        None => stay,
    }
}

/// The first field in which the rows differ from what we read, if any does.
pub(crate) fn foreign_edit(read: &Stay, now: &Trace) -> Option<Value> {
    let pairs = [
        ("booking", "Status__c", read.booking.status.as_str(), now.booking.status.as_str()),
        ("room", "Status__c", &read.room.status, &now.room.status),
        (
            "room",
            "Current_Guest__c",
            read.room.current_guest.as_deref().unwrap_or(""),
            now.room.current_guest.as_deref().unwrap_or(""),
        ),
        ("room", "Id", &read.room.id, &now.room.id),
        ("opportunity", "StageName", &read.opportunity.stage, &now.opportunity.stage),
    ];
    pairs
        .into_iter()
        .find(|(_, _, ours, found)| ours != found)
        .map(|(object, field, ours, found)| json!({ "object": object, "field": field, "ours": ours, "found": found }))
}

/// Whether a straggler can still apply.
pub(crate) enum Fence {
    /// No: the booking was written after the straggler's guard.
    Up,
    /// The booking was written in the very second of the guard, which compares no finer; a second must pass.
    SameSecond,
    /// The booking has to be touched.
    Down,
}

/// Whether a request guarded by `guard` (a second) can still apply to the booking of `trace`.
pub(crate) fn fence(cx: &Context<'_>, last: Option<&Guard>, guard: i64, trace: &Trace) -> Fence {
    let touched = matches!(last.and_then(|g| g.outcome.as_ref()), Some(Outcome::Done { .. }));
    let written = second(trace.booking.stamp.at);
    if written > guard {
        Fence::Up
    } else if touched && second(cx.now) <= written {
        Fence::SameSecond
    } else {
        Fence::Down
    }
}

/// Waits for the next second.
pub(crate) fn same_second() -> Fault {
    Fault { retry_after_ms: Some(1100), ..Fault::new("same_second", "the touch falls into the second of the guard") }
}

/// Sends a touch. A failed guard means that somebody else wrote the row, which stops a straggler as well: look again.
pub(crate) async fn touch(crm: &dyn Crm, request: &Request) -> Outcome {
    match bridge::call(request) {
        Ok(call) => bridge::outcome(crm.send_touch(&call).await, |()| Outcome::Done { value: Value::Null }),
        Err(fault) => Outcome::Refused { fault },
    }
}

/// A journal written by this program never lacks it.
pub(crate) fn missing(what: &str) -> Fault {
    Fault::new("missing_fact", format!("the journal lacks {what}"))
}
