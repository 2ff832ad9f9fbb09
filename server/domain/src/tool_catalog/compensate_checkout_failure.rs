//! The `compensate_checkout_failure` tool: "I got charged but checkout failed."

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_of_guest, guest_of_booking, needed, optional, reason},
};
use crate::{
    booking_number::BookingNumber,
    caller::Persona,
    email_address::EmailAddress,
    error_code::ErrorCode,
    payment_intent_id::PaymentIntentId,
    tool::{Reversibility, Tool, guest_or_booking},
    tool_input::{ToolInput, tool_input},
};

tool_input! {
    /// Input of `compensate_checkout_failure`.
    CompensateCheckoutFailure {
        payment_intent_id: PaymentIntentId = needed(json!({ "type": "string", "pattern": PaymentIntentId::PATTERN,
            "description": "The payment, as search_executions and the payment system name it." }));
        guest_email: Option<EmailAddress> = guest_of_booking();
        booking_number: Option<BookingNumber> = booking_of_guest();
        reason: Option<String> = optional(reason("Why, for the record."));
    }
}

/// Catalog entry.
pub fn tool() -> Tool {
    Tool {
        name: "compensate_checkout_failure",
        title: "Refund a failed check-out",
        description: "Refunds the full payment of a check-out that did not complete and reverts the booking, room and opportunity. \
            Use it for \"I got charged but checkout failed\". It runs once per payment, no matter how often it is requested; \
            the payment of a completed check-out is never refunded here. guest_email must match the payment's \
            own guest, or booking_number its booking.",
        personas: &[Persona::Staff],
        roles: FRONT_DESK_ROLES,
        input: CompensateCheckoutFailure::fields(),
        check: CompensateCheckoutFailure::check,
        rules: vec![guest_or_booking()],
        example: json!({ "payment_intent_id": "pi_3Q0000Beth", "guest_email": "beth.gibbs@email.com", "reason": "The guest was charged and is still checked in." }),
        output: json!({
            "type": "object",
            "properties": {
                "payment_intent_id": { "type": "string" }, "refund_id": { "type": "string" }, "refunded": { "type": "integer" },
                "currency": { "type": "string" }, "status": { "type": "string" }, "booking_number": { "type": "string" },
                "compensated_by": { "type": "string" }, "triggers": { "type": "array", "items": { "type": "string" } }
            }
        }),
        errors: &[
            ErrorCode::PaymentNotFound,
            ErrorCode::PaymentGuestMismatch,
            ErrorCode::CheckoutCompleted,
            ErrorCode::PaymentNotRefundable,
            ErrorCode::OverRefundLimit,
        ],
        reversibility: Reversibility::Irreversible,
        moves_money: true,
        writes: true,
    }
}
