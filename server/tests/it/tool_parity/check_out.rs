//! process_guest_checkout.

use dewy_domain::error_code::ErrorCode;
use serde_json::json;

use super::{BETH, FRONT_DESK, HOUSEKEEPER, ParityCaller, Row, row};

const WEI: ParityCaller = ParityCaller::Guest("wei.chen@example.com");

pub fn rows() -> Vec<Row> {
    let tool = "process_guest_checkout";
    vec![
        row("no token", BETH, tool, json!({ "amount": 25000 }))
            .refused(ErrorCode::ValidationFailed),
        row(
            "faulty",
            BETH,
            tool,
            json!({ "amount": -5, "payment_method_id": "4242424242424242" }),
        )
        .token("0")
        .refused(ErrorCode::ValidationFailed),
        row(
            "another's",
            BETH,
            tool,
            json!({ "amount": 1, "guest_email": "wei.chen@example.com" }),
        )
        .token("1")
        .refused(ErrorCode::NotYourStay),
        row(
            "other role",
            HOUSEKEEPER,
            tool,
            json!({ "amount": 1, "guest_email": "beth.gibbs@email.com" }),
        )
        .token("2")
        .refused(ErrorCode::UnknownTool),
        row(
            "nobody",
            FRONT_DESK,
            tool,
            json!({ "amount": 1, "guest_email": "nobody@example.com" }),
        )
        .token("3")
        .refused(ErrorCode::GuestNotFound),
        row(
            "no stay",
            FRONT_DESK,
            tool,
            json!({ "amount": 1, "guest_email": "sarah@example.com" }),
        )
        .token("4")
        .refused(ErrorCode::BookingNotFound),
        row("two stays", WEI, tool, json!({ "amount": 1 }))
            .token("5")
            .refused(ErrorCode::MultipleBookings),
        row(
            "shared folio",
            FRONT_DESK,
            tool,
            json!({ "amount": 1, "guest_email": "james.brown@example.com", "room_number": "401" }),
        )
        .token("6")
        .refused(ErrorCode::SharedFolio),
        row("not agreed", BETH, tool, json!({ "amount": 24999 }))
            .token("7")
            .refused(ErrorCode::AmountMismatch),
        row(
            "declined",
            BETH,
            tool,
            json!({ "amount": 25000, "payment_method_id": "pm_card_chargeDeclined" }),
        )
        .token("8")
        .refused(ErrorCode::PaymentFailed),
        row("no answer", BETH, tool, json!({ "amount": 25000 }))
            .token("9")
            .fault("salesforce", "query", "garbage_body", 40)
            .refused(ErrorCode::UpstreamUnavailable),
    ]
}
