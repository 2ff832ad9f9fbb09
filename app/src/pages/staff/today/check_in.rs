//! One-click check-in at the front desk, and its undo.

use dewy_domain::{
    caller::Persona,
    tool_catalog::{self, CheckInGuest},
    tool_output::{CheckInResult, UndoCheckInResult},
};
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::json;

use super::{FORM, PAGE};
use crate::{
    flash::{Flash, Undo},
    form_submission,
    page_context::safe_return_path,
    pages::staff::board::{QuickAction, guest_and_request, guest_of},
    tool_form::TOKEN,
};

/// Path of the form, for other pages that check in.
pub fn desk_check_in_path() -> &'static str {
    DeskCheckIn::PATH
}

/// Checks in, and redirects to the board with the room number.
#[server(prefix = "/form", endpoint = "desk_check_in")]
pub async fn desk_check_in(
    #[server(default)] booking_number: String,
    #[server(default)] back: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let back = safe_return_path(Persona::Staff, &back).unwrap_or(PAGE);
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, back).await? else {
        return Ok(());
    };
    let (guest, request) = guest_and_request(&ctx, &user, &booking_number).await;
    let undo = Undo {
        action: UndoCheckIn::PATH.to_owned(),
        label: format!("Undo the check-in of {guest}"),
        fields: vec![
            ("booking_number".to_owned(), booking_number.clone()),
            ("back".to_owned(), back.to_owned()),
            (TOKEN.to_owned(), ctx.token_generator.token()),
        ],
    };
    let tap = QuickAction {
        tool: CheckInGuest::NAME,
        input: json!({ "booking_number": booking_number }),
        form: FORM,
        back: back.to_owned(),
        failure_title: format!("{guest} was not checked in"),
        token: idempotency_token,
        ..QuickAction::default()
    };
    tap.send(&ctx, &user, move |result: CheckInResult| {
        let room = result.room_number;
        // The row that shows the request leaves the list
        let asks = request.map(|request| format!(" Asks for: {}", request.trim()));
        let asks = asks.unwrap_or_default();
        let flash = Flash::new(format!("{guest} is checked in. The room is {room}.{asks}"));
        // Somebody else's check-in, which this one only found, isn't undone by accident
        match result.note {
            None => flash.undo(undo),
            Some(_) => flash,
        }
    })
    .await
}

/// Path of the form that undoes a check-in.
pub fn undo_check_in_path() -> &'static str {
    UndoCheckIn::PATH
}

/// Undoes a check-in, and redirects to where it was made.
#[server(prefix = "/form", endpoint = "undo_check_in")]
pub async fn undo_check_in(
    #[server(default)] booking_number: String,
    #[server(default)] back: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let back = safe_return_path(Persona::Staff, &back).unwrap_or(PAGE);
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, back).await? else {
        return Ok(());
    };
    let guest = guest_of(&ctx, &user, &booking_number).await;
    let tap = QuickAction {
        tool: tool_catalog::UndoCheckIn::NAME,
        input: json!({ "booking_number": booking_number }),
        form: FORM,
        back: back.to_owned(),
        failure_title: format!("The check-in of {guest} was not undone"),
        token: idempotency_token,
        ..QuickAction::default()
    };
    tap.send(&ctx, &user, move |result: UndoCheckInResult| {
        let (room, status) = (result.room_number, result.room_status);
        format!("The check-in of {guest} is undone. Room {room} is {status} again.")
    })
    .await
}
