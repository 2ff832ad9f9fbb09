//! The `compensate_checkout_failure` tool: "I got charged but checkout failed."

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_of_guest, guest_of_booking, needed, optional, reason},
};
use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    error_code::ErrorCode,
    payment_intent_id::PaymentIntentId,
    tool::{Reversibility, Tool, guest_or_booking},
    tool_input::{ToolInput, tool_input},
    tool_output::CompensationResult,
};

tool_input! {
    CompensateCheckoutFailure = "compensate_checkout_failure" => CompensationResult {
        payment_intent_id: PaymentIntentId = needed(json!({ "type": "string", "pattern": PaymentIntentId::PATTERN,
            "description": "The payment, as search_executions and the payment system name it." }));
        guest_email: Option<EmailAddress> = guest_of_booking();
        booking_number: Option<BookingNumber> = booking_of_guest();
        reason: Option<String> = optional(reason("Why, for the record."));
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Refund a failed check-out",
        description: "Refunds the full payment of a check-out that did not complete and reverts the booking, room and opportunity. \
            Use it for \"I got charged but checkout failed\". It runs once per payment, no matter how often it is requested; \
            the payment of a completed check-out is never refunded here. guest_email must match the payment's \
            own guest, or booking_number its booking.",
        roles: FRONT_DESK_ROLES,
        rules: vec![guest_or_booking()],
        errors: &[
            ErrorCode::PaymentNotFound,
            ErrorCode::PaymentGuestMismatch,
            ErrorCode::CheckoutCompleted,
            ErrorCode::PaymentNotRefundable,
            ErrorCode::OverRefundLimit,
        ],
        moves_money: true,
        ..CompensateCheckoutFailure::write_entry(
            Reversibility::Irreversible,
            json!({ "payment_intent_id": "pi_3Q0000Beth", "guest_email": "beth.gibbs@email.com", "reason": "The guest was charged and is still checked in." }),
        )
    }
}
