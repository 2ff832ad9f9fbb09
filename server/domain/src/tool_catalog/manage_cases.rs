//! The `manage_cases` tool: "The leak in 108 is fixed."

use serde_json::json;

use super::{
    ALL_ROLES,
    fields::{
        CASE_NUMBER, any_of, booking_of_guest, email, late_checkout_fee, one_of, optional, pattern,
        room, shown, text,
    },
};
use crate::{
    approval::Approval,
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    money::Cents,
    one_line::OneLine,
    output_schema::{OutputSchema, without},
    room_number::RoomNumber,
    shown_values::ShownValues,
    tool::{Reversibility, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::CaseResult,
    vocabulary::{CasePriority, CaseStatus, CaseType},
};

tool_input! {
    #[derive(Default)]
    ManageCases = "manage_cases" => CaseResult {
        case_number: Option<String> = optional(
            pattern(CASE_NUMBER, "Which case, such as 00001001; left out to open one."),
        );
        status: Option<CaseStatus> =
            optional(one_of(CaseStatus::WORDS, "Its new status."));
        priority: Option<CasePriority> = optional(
            one_of(CasePriority::WORDS, "Its new priority; Medium for a new one."),
        );
        kind as "type": Option<CaseType> = optional(
            one_of(CaseType::WORDS, "Its type."),
        );
        subject: Option<OneLine> = optional(text(255, "One-line summary."));
        description: Option<String> = optional(text(2000, "In full."));
        room_number: Option<RoomNumber> = optional(room("Which room it is about."));
        guest_email: Option<EmailAddress> = optional(email("Which guest it is about."));
        booking_number: Option<BookingNumber> = booking_of_guest();
        comment: Option<String> =
            optional(text(2000, "Comment to add; existing comments are never overwritten."));
        assignee: Option<String> = optional(email("Email of the staff member to assign it to."));
        late_checkout_fee: Option<Cents> = late_checkout_fee();
        shown: Option<ShownValues> = shown();
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Open or update a case",
        description: "Changes a case, or opens one when no case_number is given (then type and subject are needed). Status goes New, \
            In Progress, Closed; a closed case is reopened with In Progress. Use it for \"The leak in 108 is fixed\" (search the case \
            first), to comment, and to assign.",
        roles: ALL_ROLES,
        rules: vec![json!({
            "if": { "required": ["case_number"] },
            "then": any_of(&[
                "status", "priority", "type", "subject", "description", "room_number", "guest_email", "booking_number",
                "comment", "assignee",
            ]),
            "else": {
                "required": ["type", "subject"], "properties": { "status": { "const": CaseStatus::New } },
                "not": { "required": ["comment"] },
            },
        })],
        output: without(CaseResult::schema(), None, &["room_status"]),
        errors: &[
            ErrorCode::CaseNotFound,
            ErrorCode::RoomNotFound,
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::InvalidTransition,
        ],
        approvals: vec![
            Approval::of(
                &["case_number"],
                "Change case {case_number}?",
                "Change the case",
            ),
            Approval::of(
                &[],
                "Open a case[ for room {room_number}]? “{subject}”",
                "Open the case",
            ),
        ],
        ..ManageCases::write_entry(
            Reversibility::Reversible,
            json!({ "case_number": "00001001", "status": CaseStatus::InProgress, "comment": "The plumber comes at two." }),
        )
    }
}
