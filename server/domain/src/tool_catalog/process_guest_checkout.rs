//! The `process_guest_checkout` tool: "I'd like to check out."

use serde_json::json;

use super::{
    FRONT_DESK_ROLES,
    fields::{booking_number, flag, guest_of_booking, needed, optional, room_number, staff_only},
};
use crate::{
    booking_number::BookingNumber,
    caller::Persona,
    card_id::CardId,
    email_address::EmailAddress,
    error_code::ErrorCode,
    money::Cents,
    room_number::RoomNumber,
    tool::{Field, Reversibility, Source, Tool, guest_booking_or_room},
    tool_input::{ToolInput, tool_input},
    tool_output::CheckOutResult,
};

tool_input! {
    ProcessGuestCheckout = "process_guest_checkout" => CheckOutResult {
        guest_email: Option<EmailAddress> = guest_of_booking();
        amount: Cents = Field {
            source: Source::Folio,
            ..needed(json!({ "type": "integer", "minimum": -99_999_999, "maximum": 99_999_999,
                "description": "The balance the person agreed to, in cents (25000 is $250.00; negative if overpaid)." }))
        };
        payment_method_id: Option<CardId> = Field {
            source: Source::Card,
            ..optional(json!({ "type": "string", "pattern": CardId::PATTERN,
                "description": "Which card, as get_folio lists them or the card form returned. Left out: the saved card." }))
        };
        save_card: Option<bool> = Field {
            source: Source::Consent,
            only: Some(Persona::Guest),
            ..optional(flag("True to keep a newly entered card for later stays, as its owner has agreed."))
        };
        booking_number: Option<BookingNumber> = booking_number();
        room_number: Option<RoomNumber> = optional(room_number().schema);
        leave_open: Option<bool> = staff_only(flag(
            "True to check out without a payment after BALANCE_NEEDS_DESK (overpaid, or below the minimum card charge): \
             the balance stays open on Needs attention until somebody settles it.",
        ));
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Check out and pay",
        description: "Checks a guest out: charges the folio's balance to a card, then moves booking, room and opportunity. \
            Use it for \"I'd like to check out\". Read get_folio first and send its balance as amount: it is what the person \
            agreed to, and is verified. If anything fails after the charge, \
            it is refunded in full and everything is reverted automatically.",
        personas: &[Persona::Guest, Persona::Staff],
        roles: FRONT_DESK_ROLES,
        rules: vec![guest_booking_or_room()],
        errors: &[
            ErrorCode::GuestNotFound,
            ErrorCode::BookingNotFound,
            ErrorCode::MultipleBookings,
            ErrorCode::AmountMismatch,
            ErrorCode::SharedFolio,
            ErrorCode::BalanceNeedsDesk,
            ErrorCode::InvalidTransition,
            ErrorCode::PaymentFailed,
            ErrorCode::CheckoutCompensated,
            ErrorCode::CheckoutPaused,
        ],
        moves_money: true,
        finality: "said-fact-final",
        ..ProcessGuestCheckout::write_entry(
            Reversibility::Irreversible,
            json!({ "guest_email": "beth.gibbs@email.com", "amount": 25000 }),
        )
    }
}
