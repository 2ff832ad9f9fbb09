//! Cancels a booking, or records a no-show.

use dewy_domain::tool_catalog::ManageBookings;

use super::{FORM, find_booking::FoundBooking};
use crate::pages::{
    prelude::*,
    staff::board::{ArrivalStatus, ChangedRecord, QuickAction, guest_of},
};

pub fn form(found: &FoundBooking, cancel: bool, token: String) -> AnyView {
    let standing = found.arrival_status();
    let possible = match standing {
        ArrivalStatus::Late(_) => true,
        ArrivalStatus::Arrives | ArrivalStatus::ToCome => cancel,
        _ => false,
    };
    if !possible {
        return found.too_late();
    }
    let booking = &found.booking;
    let dates = stay_days(booking.check_in_date, booking.check_out_date).unwrap_or_default();
    let (action, button, becomes) = if cancel {
        ("cancel", "Cancel the booking", BookingStatus::Cancelled)
    } else {
        ("no_show", "Mark no-show", BookingStatus::NoShow)
    };
    let room = found.room_number().to_owned();
    let about = [
        ("Guest", found.name()),
        ("Room", room.clone()),
        ("Dates", dates),
    ];
    view! {
        {facts("answers", about)}
        <section class="card will" aria-labelledby="will">
            <h2 id="will">"What this does"</h2>
            <p>"The booking becomes " {becomes.to_string()} ", and room " {room} " can be booked by others for these nights. Nothing is charged. This can’t be undone; you can make a new booking."</p>
        </section>
        <form method="post" action="/form/end_stay">
            {hidden([("booking_number", booking.booking_number.to_string()), ("action", action.to_owned()), (TOKEN, token)])}
            <p class="actions">
                <button>{button}</button>
                <a href=page_url::stay(&booking.booking_number)>"Go back"</a>
            </p>
        </form>
    }
    .into_any()
}

pub async fn end_stay(form: FormSubmission) -> FormResult {
    let number = form.raw("booking_number");
    let stay = page_url::stay(number);
    let cancel = form.raw("action") == "cancel";
    let back = format!("{stay}/{}", if cancel { "cancel" } else { "no-show" });
    let user = form.sender(Persona::Staff, &back).await?;
    let guest = guest_of(&form.ctx, &user, number).await;
    let failure_title = match cancel {
        true => "The booking was not canceled",
        false => "It was not marked",
    };
    QuickAction::<ManageBookings>::new(FORM, back, failure_title)
        .input(json!({ "booking_number": number, "action": form.raw("action") }))
        .then(stay)
        .record(ChangedRecord::Booking(number.to_owned()))
        .send(&form, &user, move |_| match cancel {
            true => format!("The booking of {guest} is canceled."),
            false => format!("{guest} is marked as no-show."),
        })
        .await
}
