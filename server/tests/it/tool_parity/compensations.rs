//! process_guest_checkout where it fails half way or succeeds, compensate_checkout_failure,
//! list_compensations, resolve_execution.

use dewy_domain::error_code::ErrorCode;
use serde_json::json;

use super::{BETH, FRONT_DESK, HOUSEKEEPER, MANAGER, ParityCaller, Row, row};

const NORA: ParityCaller = ParityCaller::Guest("nora.o'brien@example.com");

pub fn rows() -> Vec<Row> {
    let (pay, undo, list, resolve) = (
        "process_guest_checkout",
        "compensate_checkout_failure",
        "list_compensations",
        "resolve_execution",
    );
    let of_beth = |payment: &str| json!({ "payment_intent_id": payment, "guest_email": "beth.gibbs@email.com" });
    vec![
        row("none yet", FRONT_DESK, list, json!({})).holds("/data/compensations", json!([])),
        row("undone", BETH, pay, json!({ "amount": 25000 }))
            .token("a")
            .fault("salesforce", "composite", "unable_to_lock_row", 3)
            .refused(ErrorCode::CheckoutCompensated),
        row("one", FRONT_DESK, list, json!({ "status": "compensated" })).holds("/data/compensations/0/captured", 25000),
        row("by the desk as well", FRONT_DESK, undo, of_beth("{one:/data/compensations/0/payment_intent_id}")).token("b"),
        row("paid", BETH, pay, json!({ "amount": 25000 })).token("c").holds("/data/booking_status", "Checked Out"),
        row("paid again", BETH, pay, json!({ "amount": 25000 })).token("c").holds("/replayed", true),
        row("finished", FRONT_DESK, undo, of_beth("{paid:/data/payment_intent_id}"))
            .token("d")
            .refused(ErrorCode::CheckoutCompleted),
        row("of nobody", FRONT_DESK, undo, of_beth("pi_nothing")).token("e").refused(ErrorCode::PaymentNotFound),
        row(
            "of another",
            FRONT_DESK,
            undo,
            json!({ "payment_intent_id": "{paid:/data/payment_intent_id}",
            "guest_email": "wei.chen@example.com" }),
        )
        .token("f")
        .refused(ErrorCode::PaymentGuestMismatch),
        row("by a guest", BETH, undo, of_beth("pi_1")).token("g").refused(ErrorCode::UnknownTool),
        row("list of a guest", BETH, list, json!({})).refused(ErrorCode::UnknownTool),
        row("list of others", HOUSEKEEPER, list, json!({})).refused(ErrorCode::UnknownTool),
        row("list of when", FRONT_DESK, list, json!({ "from": "{today+1}", "to": "{today}" }))
            .refused(ErrorCode::ValidationFailed),
        row(
            "nothing to solve",
            MANAGER,
            resolve,
            json!({ "execution_id": "{paid:/execution_id}", "resolution": "mark_solved",
            "reason": "Just so" }),
        )
        .token("h")
        .refused(ErrorCode::InvalidTransition),
        row(
            "what?",
            MANAGER,
            resolve,
            json!({ "execution_id": "exe_00000000000070008000000000000001",
            "resolution": "retry_now", "reason": "Just so" }),
        )
        .token("i")
        .refused(ErrorCode::ExecutionNotFound),
        row("resolved by a guest", BETH, resolve, json!({})).token("j").refused(ErrorCode::UnknownTool),
        row("nora owes", NORA, "get_folio", json!({})).holds("/data/room_number", "104"),
        row(
            "stuck",
            NORA,
            pay,
            json!({ "amount": "{nora owes:/data/balance}", "payment_method_id": "pm_card_createDispute" }),
        )
        .token("l")
        .fault("salesforce", "composite", "unable_to_lock_row", 3)
        .refused(ErrorCode::NeedsAttention),
        row(
            "solved",
            MANAGER,
            resolve,
            json!({ "execution_id": "{stuck:/execution_id}", "resolution": "mark_solved", "reason": "Paid back in cash" }),
        )
        .token("m")
        .holds("/data/resolution", "mark_solved"),
    ]
}
