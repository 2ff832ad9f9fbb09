//! get_execution and search_executions.

use dewy_domain::error_code::ErrorCode;
use serde_json::json;

use super::{BETH, FRONT_DESK, HOUSEKEEPER, ParityCaller, Row, row};

const WEI: ParityCaller = ParityCaller::Guest("wei.chen@example.com");

pub fn rows() -> Vec<Row> {
    let (get, search) = ("get_execution", "search_executions");
    let paid = json!({ "execution_id": "{paid:/execution_id}" });
    vec![
        row("nothing yet", FRONT_DESK, search, json!({}))
            .holds("/data/executions", json!([]))
            .holds("/data/cut", false),
        row(
            "paid",
            BETH,
            "process_guest_checkout",
            json!({ "amount": 25000 }),
        )
        .token("a"),
        row("by id", BETH, get, paid.clone()).holds("/data/state", "completed"),
        row("by token", BETH, get, json!({ "idempotency_token": "a" }))
            .holds("/data/state", "completed"),
        row("desk", FRONT_DESK, get, paid.clone()).holds("/data/tool", "process_guest_checkout"),
        row("another guest", WEI, get, paid.clone()).refused(ErrorCode::ExecutionNotFound),
        row(
            "another's token",
            WEI,
            get,
            json!({ "idempotency_token": "a" }),
        )
        .refused(ErrorCode::ExecutionNotFound),
        row("not theirs", HOUSEKEEPER, get, paid).refused(ErrorCode::ExecutionNotFound),
        row("neither", BETH, get, json!({})).refused(ErrorCode::ValidationFailed),
        row("no id", BETH, get, json!({ "execution_id": "nine" }))
            .refused(ErrorCode::ValidationFailed),
        row(
            "found",
            FRONT_DESK,
            search,
            json!({ "guest_email": "beth.gibbs@email.com", "state": "completed" }),
        )
        .holds("/data/executions/0/room_number", "302"),
        row(
            "found nothing",
            FRONT_DESK,
            search,
            json!({ "room_number": "101" }),
        )
        .holds("/data/executions", json!([])),
        row(
            "no such state",
            FRONT_DESK,
            search,
            json!({ "state": "lost" }),
        )
        .refused(ErrorCode::ValidationFailed),
        row("by a guest", BETH, search, json!({})).refused(ErrorCode::UnknownTool),
        row("by others", HOUSEKEEPER, search, json!({})).refused(ErrorCode::UnknownTool),
    ]
}
