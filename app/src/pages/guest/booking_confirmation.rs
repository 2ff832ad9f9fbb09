//! Confirmation of a booking as an email: the stay, its price, what canceling costs, the way to the
//! hotel, and a link to the booking.

use dewy_domain::{
    ports::{BookingLink, BookingLinks, Email, EmailStatus},
    tool_catalog::CreateBooking,
    tool_output::BookingResult,
};

use super::{calendar_event::CalendarEvent, email_content::EmailContent, receipt::masked};
use crate::{dates::stated_hour, pages::prelude::*};

/// The booking that an execution has made, if it is one.
pub(super) fn booking_of(view: &ExecutionView) -> Option<BookingResult> {
    let booked = view.tool == CreateBooking::NAME && view.state == ExecutionState::Completed;
    view.body().result().filter(|_| booked)
}

pub(super) fn email(
    user: &SignedIn,
    view: &ExecutionView,
    booking: &BookingResult,
    links: &dyn BookingLinks,
    clock: &HotelClock,
) -> Option<Email> {
    let (room, arrival, departure) = booking.place()?;
    let hotel = hotel();
    let number = &booking.booking_number;
    let link = BookingLink {
        booking_number: number.clone(),
        email: user.caller.email.clone(),
        until: departure,
    };
    let page = links.address(&link);
    let kind = booking.room_type.clone();
    let room = t!("room-number", number = room.as_str());
    let room = [Some(room), kind].into_iter().flatten();
    let room = room.collect::<Vec<_>>().join(", ");
    let nights = booking.nights.map(nights);
    let hour = |hour: Option<_>| hour.map(stated_hour);
    let facts = [
        (t!("booking"), Some(number.to_string())),
        (
            t!("guest"),
            Some(
                format!("{} {}", user.first_name, user.last_name)
                    .trim()
                    .to_owned(),
            ),
        ),
        (t!("room"), Some(room.clone())),
        (t!("stay"), Some(date_range(arrival, departure))),
        (t!("confirmation-nights"), nights),
        (
            t!("confirmation-people"),
            booking.number_of_guests.map(|people| people.to_string()),
        ),
        (t!("confirmation-check-in"), hour(hotel.check_in_from)),
        (t!("confirmation-check-out"), hour(hotel.check_out_by)),
        (t!("confirmation-address"), hotel.address.clone()),
    ];
    let facts = facts
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    let facts = facts.filter(|(_, value)| !value.is_empty()).collect();
    let total = booking
        .amount
        .map(|sum| labels::money(sum, booking.currency));
    let total = total.map(|sum| (t!("confirmation-total").to_owned(), sum));
    let title = t!("confirmation-title", number = number.as_str());
    let event = CalendarEvent {
        id: view.execution_id.clone(),
        booked_at: view.created_at,
        arrival,
        departure,
        time_zone: clock.calendar.time_zone.clone(),
        title: format!("{}: {room}", hotel.name),
        description: format!("{title}\n{}", hotel.line()),
        place: hotel.address.clone(),
        page: page.clone(),
    };
    let map = hotel.map_url.clone();
    let map = map.map(|map| (t!("confirmation-map"), map));
    let content = EmailContent {
        hotel: hotel.line(),
        title,
        facts,
        lines: Vec::new(),
        sums: total.into_iter().collect(),
        links: [(t!("confirmation-manage"), page)]
            .into_iter()
            .chain(map)
            .collect(),
        closing: t!("confirmation-canceling").to_owned(),
    };
    Some(content.email(user, Some(event.calendar())))
}

/// Where the confirmation was sent; nothing without a mail server.
pub(super) async fn sent_to(
    ctx: &PageContext,
    user: &SignedIn,
    view: &ExecutionView,
) -> Option<AnyView> {
    booking_of(view)?;
    let address = masked(&user.caller.email);
    let email = address.as_str();
    let feed = &ctx.execution_feed;
    let words = match feed.email_status(&user.caller, &view.execution_id).await {
        EmailStatus::Off | EmailStatus::Unsent => return None,
        EmailStatus::OnItsWay => t!("confirmation-on-its-way", email = email),
        EmailStatus::Sent => t!("confirmation-sent", email = email),
        EmailStatus::Refused => t!("confirmation-refused", email = email),
    };
    Some(view! { <p role="status">{words}</p> }.into_any())
}
