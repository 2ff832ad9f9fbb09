//! The `request_late_checkout` tool: "Could we keep the room until two?"

use jiff::civil::{Time, time};
use serde_json::json;

use super::fields::{RECORD_NAME, TIME_OF_DAY, needed, optional, pattern};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    caller::Persona,
    error_code::ErrorCode,
    output_schema::{OutputSchema, without},
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::CaseResult,
};

/// Latest hour that can be asked for: the room is sold again for the night.
pub const LATEST_CHECKOUT: Time = time(18, 0, 0, 0);

tool_input! {
    RequestLateCheckout = "request_late_checkout" => CaseResult {
        booking_number: Option<BookingNumber> =
            optional(pattern(RECORD_NAME, "Which of several stays."));
        time: String = needed(pattern(TIME_OF_DAY, "Such as 14:00; at most 18:00."));
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Ask for a late check-out",
        description: "Asks the front desk for a later hour on the day of departure: \"Can we check out at 2?\" They decide; the \
            booking stays as it is.",
        personas: &[Persona::Guest],
        output: without(CaseResult::schema(), None, &["assignee", "room_status"]),
        errors: &[
            ErrorCode::BookingNotFound,
            ErrorCode::MultipleBookings,
            ErrorCode::InvalidTransition,
        ],
        approvals: vec![Approval::of(
            &[],
            "Ask the front desk whether you may check out at {time}[, booking {booking_number}]? They decide.",
            "Ask them",
        )],
        guest_form: Some("late"),
        ..RequestLateCheckout::write_entry(Reversibility::Reversible, json!({ "time": "14:00" }))
    }
}
