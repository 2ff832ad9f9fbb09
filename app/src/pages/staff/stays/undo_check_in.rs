//! Asks before a check-in is undone.

use super::find_booking::FoundBooking;
use crate::pages::{prelude::*, staff::board::ArrivalStatus};

pub fn form(found: &FoundBooking, token: String) -> AnyView {
    let in_house = matches!(
        found.arrival_status(),
        ArrivalStatus::Leaves | ArrivalStatus::Overdue(_) | ArrivalStatus::Stays
    );
    if !in_house {
        return found.too_late();
    }
    let number = found.booking.booking_number.clone();
    let page = page_url::stay(&number);
    let room = found.room_number().to_owned();
    view! {
        <section class="card will" aria-labelledby="will">
            <h2 id="will">"What this does"</h2>
            <p>"The booking becomes Reserved again, and room " {room.clone()} " Vacant. Nothing is charged, and what the guest’s card reserves for the stay is released. If the guest was in the room, have it cleaned. The guest has had a text about the check-in: tell them."</p>
            <p>"It is possible for two hours, and only while nobody has changed the stay, the room, or the folio since."</p>
        </section>
        <form method="post" action="/form/undo_check_in">
            {hidden([("booking_number", number.to_string()), ("back", page.clone()), (TOKEN, token)])}
            <p class="actions">
                <button>"Undo the check-in"</button>
                <a href=page>"Go back"</a>
            </p>
        </form>
    }
    .into_any()
}
