//! Cancels a booking, or records a no-show.

use dewy_domain::{
    caller::Persona, tool_catalog::ManageBookings, tool_output::BookingResult,
    vocabulary::BookingStatus,
};
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::json;

use super::{FORM, action_page::too_late, find_booking::FoundBooking};
use crate::{
    dates::stay_days,
    form_draft::FormDraft,
    form_submission, page_url,
    pages::staff::board::{ArrivalStatus, ChangedRecord, QuickAction, guest_of},
    tool_form::TOKEN,
};

/// Effect and confirmation.
pub fn form(found: &FoundBooking, cancel: bool, token: String) -> AnyView {
    let standing = found.arrival_status();
    let possible = match standing {
        ArrivalStatus::Late(_) => true,
        ArrivalStatus::Arrives | ArrivalStatus::ToCome => cancel,
        _ => false,
    };
    if !possible {
        return too_late(found);
    }
    let booking = &found.booking;
    let dates = stay_days(booking.check_in_date, booking.check_out_date).unwrap_or_default();
    let (action, button, becomes) = if cancel {
        ("cancel", "Cancel the booking", BookingStatus::Cancelled)
    } else {
        ("no_show", "Mark no-show", BookingStatus::NoShow)
    };
    let room = found.room_number().to_owned();
    view! {
        <dl class="answers">
            <div><dt>"Guest"</dt> <dd>{found.name()}</dd></div>
            <div><dt>"Room"</dt> <dd>{room.clone()}</dd></div>
            <div><dt>"Dates"</dt> <dd>{dates}</dd></div>
        </dl>
        <section class="card will" aria-labelledby="will">
            <h2 id="will">"What this does"</h2>
            <p>"The booking becomes " {becomes.to_string()} ", and room " {room} " can be booked by others for these nights. Nothing is charged. This can’t be undone; you can make a new booking."</p>
        </section>
        <form method="post" action=EndStay::PATH>
            <input type="hidden" name="booking_number" value=booking.booking_number.to_string() />
            <input type="hidden" name="action" value=action />
            <input type="hidden" name=TOKEN value=token />
            <p class="actions">
                <button>{button}</button>
                <a href=page_url::stay(&booking.booking_number)>"Go back"</a>
            </p>
        </form>
    }
    .into_any()
}

/// Submits it.
#[server(prefix = "/form", endpoint = "end_stay")]
pub async fn end_stay(
    #[server(default)] booking_number: String,
    #[server(default)] action: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let stay = page_url::stay(&booking_number);
    let cancel = action == "cancel";
    let back = format!("{stay}/{}", if cancel { "cancel" } else { "no-show" });
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, &back).await? else {
        return Ok(());
    };
    let guest = guest_of(&ctx, &user, &booking_number).await;
    let tap = QuickAction {
        tool: ManageBookings::NAME,
        input: json!({ "booking_number": booking_number, "action": action }),
        form: FORM,
        back,
        then: stay,
        failure_title: if cancel {
            "The booking was not canceled"
        } else {
            "It was not marked"
        }
        .to_owned(),
        draft: FormDraft::default(),
        token: idempotency_token,
        record: Some(ChangedRecord::Booking(booking_number.clone())),
    };
    tap.send(&ctx, &user, move |_: BookingResult| {
        if cancel {
            format!("The booking of {guest} is canceled.")
        } else {
            format!("{guest} is marked as no-show.")
        }
    })
    .await
}
