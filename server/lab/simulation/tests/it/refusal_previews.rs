//! Refusals are known before the user is asked to confirm.

use dewy_domain::{ports::ConfirmationPrompts, tool::ToolCall};

use crate::prelude::*;

#[tokio::test(start_paused = true)]
async fn refusals_are_known_before_confirmation() {
    let hotel = with(vec![]);
    let guest = |email: &str| Caller::guest(email, Interface::Chat);
    let maid = Caller::staff("h@dewy.example", Role::Housekeeping, Interface::Chat);
    let before = hotel.sandbox.state();
    for (caller, tool, input, refusal) in [
        (
            &maid,
            "set_room_status",
            json!({ "room_number": "302", "status": "Vacant" }),
            Some(ErrorCode::RoomOccupied),
        ),
        (
            &maid,
            "set_room_status",
            json!({ "room_number": "205", "status": "Cleaning" }),
            None,
        ),
        (
            &guest("nobody@example.com"),
            "check_in_guest",
            json!({}),
            Some(ErrorCode::GuestNotFound),
        ),
        (
            &guest("sarah@example.com"),
            "check_in_guest",
            json!({}),
            None,
        ),
        (
            &guest(BETH),
            "manage_bookings",
            json!({ "booking_number": "BK-0042", "number_of_guests": 9 }),
            Some(ErrorCode::TooManyGuests),
        ),
    ] {
        let call = ToolCall {
            tool: tool.to_owned(),
            input: input.clone(),
            idempotency_token: Some("t1".to_owned()),
            wait: None,
        };
        let quote = hotel.processes[0].confirmation_for(caller, &call).await;
        let refused = quote.err().map(|error| error.code);
        assert_eq!(refused, refusal, "{tool} {input}");
    }
    let data = |state: &Value| state["salesforce"].clone();
    assert_eq!(data(&hotel.sandbox.state()), data(&before), "only read");
}
