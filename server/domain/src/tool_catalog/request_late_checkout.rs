//! The `request_late_checkout` tool: "Could we keep the room until two?"

use std::fmt::Display;

use jiff::civil::{Time, time};
use serde_json::json;

use super::fields::{RECORD_NAME, TIME_OF_DAY, needed, optional, pattern};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    caller::Persona,
    error_code::ErrorCode,
    output_schema::{OutputSchema, without},
    sentence::Sentence,
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

impl RequestLateCheckout {
    /// Subject of the case that asks for it.
    #[must_use]
    pub fn subject(day: impl Display, time: &str) -> Sentence {
        let values = [("day", day.to_string()), ("time", time.to_owned())];
        let values = values.map(|(name, value)| (name.into(), value));
        Sentence::named_with("case", "Late check-out on {day} at {time}", values.into())
    }

    /// Subject of the same case, once the front desk has granted it.
    #[must_use]
    pub fn granted(day: impl Display, time: &str) -> Sentence {
        let values = [("day", day.to_string()), ("time", time.to_owned())];
        let values = values.map(|(name, value)| (name.into(), value));
        let template = "Late check-out on {day} at {time}, granted";
        Sentence::named_with("case", template, values.into())
    }

    /// Day and time of a case's subject, as it was kept, and whether they are granted.
    #[must_use]
    pub fn read(kept: &str) -> Option<(&str, &str, bool)> {
        let rest = kept.strip_prefix("Late check-out on ")?;
        let (day, time) = rest.split_once(" at ")?;
        Some(match time.strip_suffix(", granted") {
            Some(time) => (day, time, true),
            None => (day, time, false),
        })
    }

    /// Subject of a case that this tool has opened, as it was kept.
    #[must_use]
    pub fn read_subject(kept: &str) -> Option<Sentence> {
        Some(match Self::read(kept)? {
            (day, time, true) => Self::granted(day, time),
            (day, time, false) => Self::subject(day, time),
        })
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
