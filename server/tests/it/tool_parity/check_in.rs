//! check_in_guest, undo_check_in.

use dewy_domain::error_code::ErrorCode;
use serde_json::json;

use super::{BETH, FRONT_DESK, HOUSEKEEPER, ParityCaller, Row, row};

const SARAH: ParityCaller = ParityCaller::Guest("sarah@example.com");

pub fn rows() -> Vec<Row> {
    let (tool, undo) = ("check_in_guest", "undo_check_in");
    vec![
        row("no token", SARAH, tool, json!({}))
            .refused(ErrorCode::ValidationFailed)
            .holds("/details/problems/0/field", "idempotency_token"),
        row(
            "faulty",
            SARAH,
            tool,
            json!({ "check_in_date": "tomorrow" }),
        )
        .token("0")
        .refused(ErrorCode::ValidationFailed),
        row(
            "another's",
            SARAH,
            tool,
            json!({ "guest_email": "wei.chen@example.com" }),
        )
        .token("1")
        .refused(ErrorCode::NotYourStay),
        row(
            "other role",
            HOUSEKEEPER,
            tool,
            json!({ "guest_email": "sarah@example.com" }),
        )
        .token("2")
        .refused(ErrorCode::UnknownTool),
        row(
            "nobody",
            FRONT_DESK,
            tool,
            json!({ "guest_email": "nobody@example.com" }),
        )
        .token("3")
        .refused(ErrorCode::GuestNotFound),
        row(
            "no reservation",
            FRONT_DESK,
            tool,
            json!({ "guest_email": "hannah.weiss@example.com" }),
        )
        .token("4")
        .refused(ErrorCode::ReservationNotFound),
        row(
            "too early",
            FRONT_DESK,
            tool,
            json!({ "guest_email": "chloe.dubois@example.com", "check_in_date": "{today+1}" }),
        )
        .token("5")
        .refused(ErrorCode::OutsideCheckInWindow),
        row("in", SARAH, tool, json!({}))
            .token("6")
            .holds("/data/room_number", "205")
            .holds("/data/booking_status", "Checked In")
            .holds("/replayed", false),
        row("again", SARAH, tool, json!({}))
            .token("6")
            .holds("/replayed", true),
        row(
            "again, with the day that goes without saying",
            SARAH,
            tool,
            json!({ "check_in_date": "{today}" }),
        )
        .token("6")
        .holds("/replayed", true),
        row(
            "another day",
            SARAH,
            tool,
            json!({ "check_in_date": "{today+1}" }),
        )
        .token("6")
        .refused(ErrorCode::IdempotencyMismatch),
        row("other input", SARAH, tool, json!({ "room_number": "205" }))
            .token("6")
            .refused(ErrorCode::IdempotencyMismatch),
        row("already in", SARAH, tool, json!({}))
            .token("7")
            .holds("/data/booking_status", "Checked In"),
        row(
            "in since days",
            BETH,
            tool,
            json!({ "check_in_date": "{today-2}" }),
        )
        .token("8")
        .holds("/data/room_number", "302"),
        row(
            "a guest undoes",
            SARAH,
            undo,
            json!({ "booking_number": "BK-0034" }),
        )
        .token("u0")
        .refused(ErrorCode::UnknownTool),
        row(
            "undo nothing",
            FRONT_DESK,
            undo,
            json!({ "booking_number": "BK-9999" }),
        )
        .token("u1")
        .refused(ErrorCode::BookingNotFound),
        row(
            "undo what is days old",
            FRONT_DESK,
            undo,
            json!({ "booking_number": "BK-0042" }),
        )
        .token("u2")
        .refused(ErrorCode::InvalidTransition)
        .holds(
            "/details/why",
            "Only a check-in of the last two hours can be undone.",
        ),
        row(
            "undo",
            FRONT_DESK,
            undo,
            json!({ "booking_number": "BK-0034" }),
        )
        .token("u3")
        .holds("/data/booking_status", "Reserved")
        .holds("/data/room_status", "Vacant"),
        row(
            "undo again",
            FRONT_DESK,
            undo,
            json!({ "booking_number": "BK-0034" }),
        )
        .token("u3")
        .holds("/replayed", true),
        row(
            "undo what is undone",
            FRONT_DESK,
            undo,
            json!({ "booking_number": "BK-0034" }),
        )
        .token("u4")
        .holds("/data/booking_status", "Reserved"),
    ]
}
