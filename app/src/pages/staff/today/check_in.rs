//! One-click check-in at the front desk, and its undo.

use dewy_domain::tool_catalog::{CheckInGuest, UndoCheckIn};

use super::FORM;
use crate::{
    flash::Undo,
    pages::{
        prelude::*,
        staff::board::{QuickAction, guest_and_request, guest_of},
    },
};

/// Form that checks a booking in at once.
pub fn check_in_form(
    booking_number: &str,
    back: &str,
    token_generator: &TokenGenerator,
    button: impl IntoView + 'static,
) -> AnyView {
    let fields = [
        ("booking_number", booking_number.to_owned()),
        ("back", back.to_owned()),
        (TOKEN, token_generator.token()),
    ];
    tap("/form/desk_check_in", fields, button)
}

/// Form that checks a booking in without reserving anything on a card, such as after a decline.
pub fn check_in_without_hold_form(
    booking_number: &str,
    back: &str,
    token_generator: &TokenGenerator,
) -> AnyView {
    let fields = [
        ("booking_number", booking_number.to_owned()),
        ("without_hold", "true".to_owned()),
        ("back", back.to_owned()),
        (TOKEN, token_generator.token()),
    ];
    let button = view! { <button class="quiet">"Check in without a hold"</button> };
    tap("/form/desk_check_in", fields, button)
}

/// Checks in, and leads to the board with the room number.
pub async fn desk_check_in(form: FormSubmission) -> FormResult {
    let (ctx, booking_number) = (&form.ctx, form.raw("booking_number"));
    let back = form.back(Persona::Staff, page_url::TODAY);
    let user = form.sender(Persona::Staff, back).await?;
    let (guest, request) = guest_and_request(ctx, &user, booking_number).await;
    let undo = Undo {
        action: "/form/undo_check_in".to_owned(),
        label: format!("Undo the check-in of {guest}"),
        fields: vec![
            ("booking_number".to_owned(), booking_number.to_owned()),
            ("back".to_owned(), back.to_owned()),
            (TOKEN.to_owned(), ctx.token_generator.token()),
        ],
    };
    let mut input = json!({ "booking_number": booking_number });
    if form.raw("without_hold") == "true" {
        input["without_hold"] = json!(true);
    }
    let stay = page_url::stay(booking_number);
    QuickAction::<CheckInGuest>::new(FORM, back, format!("{guest} was not checked in"))
        .input(input)
        .if_declined(stay, "Check in without a hold")
        .send(&form, &user, move |result| {
            let room = &result.room_number;
            // The row that shows the request leaves the list
            let asks = request.map(|request| format!(" Asks for: {}", request.trim()));
            let asks = asks.unwrap_or_default();
            let held = result.held().map(|(held, currency)| {
                let sum = labels::money(held, currency);
                format!(" {sum} is reserved on the card.")
            });
            let held = held.unwrap_or_default();
            let flash = Flash::new(format!(
                "{guest} is checked in. The room is {room}.{held}{asks}"
            ));
            // Somebody else's check-in, which this one only found, isn't undone by accident
            match result.was_before() {
                false => flash.undo(undo),
                true => flash,
            }
        })
        .await
}

/// Undoes a check-in, and leads to where it was made.
pub async fn undo_check_in(form: FormSubmission) -> FormResult {
    let booking_number = form.raw("booking_number");
    let back = form.back(Persona::Staff, page_url::TODAY);
    let user = form.sender(Persona::Staff, back).await?;
    let guest = guest_of(&form.ctx, &user, booking_number).await;
    QuickAction::<UndoCheckIn>::new(
        FORM,
        back,
        format!("The check-in of {guest} was not undone"),
    )
    .input(json!({ "booking_number": booking_number }))
    .send(&form, &user, move |result| {
        let (room, status) = (result.room_number, result.room_status);
        format!("The check-in of {guest} is undone. Room {room} is {status} again.")
    })
    .await
}
