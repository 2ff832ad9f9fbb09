//! get_folio.

use dewy_domain::error_code::ErrorCode;
use serde_json::json;

use super::{BETH, FRONT_DESK, HOUSEKEEPER, ParityCaller, Row, row};

const WEI: ParityCaller = ParityCaller::Guest("wei.chen@example.com");

pub fn rows() -> Vec<Row> {
    let tool = "get_folio";
    vec![
        row("own", BETH, tool, json!({}))
            .holds("/data/balance", 25000)
            .holds("/data/room_number", "302"),
        row(
            "own by name",
            BETH,
            tool,
            json!({ "guest_email": "Beth.Gibbs@Email.com" }),
        )
        .holds("/data/currency", "usd"),
        row(
            "desk",
            FRONT_DESK,
            tool,
            json!({ "guest_email": "beth.gibbs@email.com" }),
        )
        .holds("/data/balance", 25000),
        row(
            "another's",
            BETH,
            tool,
            json!({ "guest_email": "wei.chen@example.com" }),
        )
        .refused(ErrorCode::NotYourStay),
        row(
            "another's booking",
            BETH,
            tool,
            json!({ "booking_number": "BK-0001" }),
        )
        .refused(ErrorCode::BookingNotFound),
        row("two stays", WEI, tool, json!({})).refused(ErrorCode::MultipleBookings),
        row("one of two", WEI, tool, json!({ "room_number": "103" }))
            .holds("/data/room_number", "103"),
        row(
            "nobody",
            FRONT_DESK,
            tool,
            json!({ "guest_email": "nobody@example.com" }),
        )
        .refused(ErrorCode::GuestNotFound),
        row("whose?", FRONT_DESK, tool, json!({}))
            .refused(ErrorCode::ValidationFailed)
            .holds("/details/problems/0/field", "guest_email"),
        row(
            "faulty",
            BETH,
            tool,
            json!({ "booking_number": "#42", "color": "red", "room_number": 302 }),
        )
        .refused(ErrorCode::ValidationFailed),
        row(
            "other role",
            HOUSEKEEPER,
            tool,
            json!({ "guest_email": "beth.gibbs@email.com" }),
        )
        .refused(ErrorCode::UnknownTool),
        row("outage", BETH, tool, json!({}))
            .fault("salesforce", "query", "garbage_body", 40)
            .refused(ErrorCode::UpstreamUnavailable),
    ]
}
