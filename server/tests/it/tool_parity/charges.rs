//! post_charge.

use dewy_domain::error_code::ErrorCode;
use serde_json::json;

use super::{BETH, FRONT_DESK, HOUSEKEEPER, Row, row};

pub fn rows() -> Vec<Row> {
    let tool = "post_charge";
    let minibar = json!({ "room_number": "308", "amount": 1250, "description": "Minibar" });
    vec![
        row("guest", BETH, tool, minibar.clone()).token("0").refused(ErrorCode::UnknownTool),
        row("other role", HOUSEKEEPER, tool, minibar.clone()).token("0").refused(ErrorCode::UnknownTool),
        row("no token", FRONT_DESK, tool, minibar.clone()).refused(ErrorCode::ValidationFailed),
        row("faulty", FRONT_DESK, tool, json!({ "room_number": "308", "amount": 0, "description": "" }))
            .token("0")
            .refused(ErrorCode::ValidationFailed),
        row("no room", FRONT_DESK, tool, json!({ "room_number": "999", "amount": 1, "description": "x" }))
            .token("1")
            .refused(ErrorCode::RoomNotFound),
        row("nobody there", FRONT_DESK, tool, json!({ "room_number": "205", "amount": 1, "description": "x" }))
            .token("2")
            .refused(ErrorCode::RoomNotFound),
        row("posted", FRONT_DESK, tool, minibar.clone()).token("3").answers(201).holds("/replayed", false),
        row("again", FRONT_DESK, tool, minibar).token("3").answers(201).holds("/replayed", true),
        row(
            "void",
            FRONT_DESK,
            tool,
            json!({ "room_number": "308", "charge_number": "{posted:/data/charge_number}", "void": true }),
        )
        .token("4"),
        row("no charge", FRONT_DESK, tool, json!({ "room_number": "308", "charge_number": "PT-99999", "void": true }))
            .token("5")
            .refused(ErrorCode::ChargeNotFound),
    ]
}
