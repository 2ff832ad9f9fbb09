//! Writing and looking up a stay: booking, room and opportunity, with the booking as precondition.

use dewy_domain::{
    ports::{CheckOutRecords, CheckOutRecordsQuery, Crm},
    stay::Stay,
    upstream_request::Reply,
    vocabulary::FaultCode,
};
use dewy_saga::{Context, Fault};
use serde_json::{Value, json};

use super::{LookupResult, Precondition};
use crate::saga_parts::engine_conversions;

/// Query for the trace of one execution.
pub(crate) fn query(execution_id: String, stay: &Stay) -> CheckOutRecordsQuery {
    CheckOutRecordsQuery {
        execution_id,
        opportunity_id: stay.opportunity.id.clone(),
        booking_id: stay.booking.id.clone(),
    }
}

/// The stay with its rows as a lookup found them.
pub(crate) fn refreshed(stay: Stay, found: Option<&Value>) -> Stay {
    match found.and_then(engine_conversions::read::<CheckOutRecords>) {
        Some(trace) => Stay {
            booking: trace.booking,
            room: trace.room,
            opportunity: trace.opportunity,
            ..stay
        },
        None => stay,
    }
}

/// Looks up a stay's rows; `judge` interprets them, and `None` means no effect of the write.
pub(crate) async fn look_up(
    crm: &dyn Crm,
    cx: &Context<'_>,
    stay: &Stay,
    judge: impl FnOnce(&CheckOutRecords) -> Option<LookupResult> + Send,
) -> Reply<LookupResult> {
    crm.check_out_records(&query(cx.id.to_string(), stay))
        .await
        .map(|trace| match trace {
            None => LookupResult::Refused(Fault::new(
                FaultCode::BookingGone,
                "the booking or its opportunity no longer exists",
            )),
            Some(trace) => judge(&trace).unwrap_or_else(|| LookupResult::NotApplied {
                precondition: Precondition::Row(
                    trace.booking.stamp.at,
                    crm.build_touch(&trace.booking),
                ),
                found: engine_conversions::value(&trace),
            }),
        })
}

/// The first field in which the rows differ from what we read, if any.
pub(crate) fn difference(read: &Stay, now: &CheckOutRecords) -> Option<Value> {
    let pairs = [
        (
            "booking",
            "Status__c",
            read.booking.status.as_str(),
            now.booking.status.as_str(),
        ),
        (
            "room",
            "Status__c",
            read.room.status.as_str(),
            now.room.status.as_str(),
        ),
        (
            "room",
            "Current_Guest__c",
            read.room.current_guest.as_deref().unwrap_or(""),
            now.room.current_guest.as_deref().unwrap_or(""),
        ),
        ("room", "Id", &read.room.id, &now.room.id),
        (
            "opportunity",
            "StageName",
            read.opportunity.stage.as_str(),
            now.opportunity.stage.as_str(),
        ),
    ];
    pairs
        .into_iter()
        .find(|(_, _, ours, found)| ours != found)
        .map(|(object, field, ours, found)| json!({ "object": object, "field": field, "ours": ours, "found": found }))
}
