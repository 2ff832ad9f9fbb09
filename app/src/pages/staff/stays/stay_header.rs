//! Header of a stay: guest, dates, room, and next actions.

use super::{find_booking::FoundBooking, move_stay::RequestedMove};
use crate::pages::{
    prelude::*,
    staff::{
        board::{self, ArrivalStatus, late_until, nights},
        guest_phone::GuestPhone,
        today::check_in::{check_in_form, check_in_without_hold_form},
    },
};

pub fn head(found: &FoundBooking, phone: Option<&GuestPhone>) -> AnyView {
    let booking = &found.booking;
    let standing = found.arrival_status();
    let dates = stay_days(booking.check_in_date, booking.check_out_date).unwrap_or_default();
    let long = labels::nights(nights(booking));
    let room = booking.room_number.clone().map(|room| {
        let ready = board::room(&found.snapshot, &room).map(|facts| facts.room.status.to_string());
        let kind = booking.room_type.clone().unwrap_or_default();
        let more = [kind, ready.unwrap_or_default()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        view! {
            <div>
                <dt>"Room"</dt>
                <dd><a href=page_url::room(&room)>{room.to_string()}</a> " " <small>{more.join(", ")}</small></dd>
            </div>
        }
    });
    let email = found.email();
    let phone = phone.map(GuestPhone::view);
    let reach = (!email.is_empty()).then(|| {
        view! { <div><dt>"Email"</dt> <dd><a href=page_url::guest(&email)>{email.clone()}</a></dd></div> }
    });
    let people = booking
        .number_of_guests
        .map(|n| view! { <div><dt>"People"</dt> <dd>{n}</dd></div> });
    let request = booking
        .special_requests
        .clone()
        .filter(|request| !request.is_empty());
    let request = request.map(
        |request| view! { <div class="wide-fact"><dt>"Asks for"</dt> <dd>{request}</dd></div> },
    );
    let late = late_until(&found.snapshot, booking);
    let late = late.map(
        |time| view! { <div><dt>"Late check-out"</dt> <dd>"Granted until " {time}</dd></div> },
    );
    view! {
        <div class="standing">
            <StatusBadge state=standing.state() word=standing.word(&booking.booking_status) />
            <p class="summary">{dates} ", " {long}</p>
        </div>
        <dl class="facts">
            <div><dt>"Booking"</dt> <dd>{booking.booking_number.to_string()}</dd></div>
            {room}
            {people}
            {late}
            {reach}
            {phone}
            {request}
        </dl>
    }
    .into_any()
}

/// Available actions, the most likely first.
pub fn acts(found: &FoundBooking, undoable: bool, token_generator: &TokenGenerator) -> AnyView {
    let number = found.booking.booking_number.clone();
    let page = page_url::stay(&number);
    let to = |act: &str| format!("{page}/{act}");
    let standing = found.arrival_status();
    let today = found.snapshot.today;
    let lapsed = found.booking.check_out_date.is_some_and(|day| day < today);
    let main = match standing {
        // Nobody can arrive after the day of departure
        ArrivalStatus::Late(_) if lapsed => ().into_any(),
        ArrivalStatus::Arrives | ArrivalStatus::Late(_) => {
            let button = view! { <button id="check-in">"Check in"</button> };
            let without = hotel()
                .places_holds
                .then(|| check_in_without_hold_form(&number, &page, token_generator));
            view! { {check_in_form(&number, &page, token_generator, button)} {without} }.into_any()
        }
        ArrivalStatus::Leaves | ArrivalStatus::Overdue(_) => {
            view! { <a class="button" href=to("check-out")>"Check out"</a> }.into_any()
        }
        ArrivalStatus::Stays => {
            view! { <a class="button quiet" href=to("check-out")>"Check out early"</a> }.into_any()
        }
        ArrivalStatus::ToCome | ArrivalStatus::Over | ArrivalStatus::Unclear(_) => ().into_any(),
    };
    let in_house = matches!(
        standing,
        ArrivalStatus::Leaves | ArrivalStatus::Overdue(_) | ArrivalStatus::Stays
    );
    let charge = page_url::with_booking("/staff/charges", &number);
    let links = [
        (found.is_open(), to("change"), "Change dates or people"),
        (
            found.is_open() && RequestedMove::of(found, None, None).is_ok(),
            to("move"),
            "Move to…",
        ),
        (
            undoable && in_house,
            to("undo-check-in"),
            "Undo the check-in",
        ),
        (in_house, charge, "Post a charge"),
        (in_house, to("request"), "New request"),
        (
            matches!(standing, ArrivalStatus::Late(_)),
            to("no-show"),
            "Mark no-show",
        ),
        (
            found.is_open() && !in_house,
            to("cancel"),
            "Cancel the booking",
        ),
        // Others are booked for by their email
        (
            found.email().is_empty() && found.guest.is_some(),
            page_url::with_query("/staff/book", [("same_guest_as", number.as_str())]),
            "Another booking",
        ),
    ];
    let links = links
        .into_iter()
        .filter(|link| link.0)
        .map(|(_, href, text)| {
            view! { <a class="button quiet" href=href>{text}</a> }
        });
    let over = match standing {
        ArrivalStatus::Over => Some("This stay has ended; no further changes are possible."),
        ArrivalStatus::Unclear(_) => {
            Some("This status is unknown here: change it in the booking system.")
        }
        _ => None,
    };
    let over = over.map(|why| view! { <p class="aside">{why}</p> });
    view! {
        <div class="taps" role="group" aria-label="What you can do">{main} {links.collect_view()}</div>
        {over}
    }
    .into_any()
}
