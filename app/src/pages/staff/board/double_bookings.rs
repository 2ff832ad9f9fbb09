//! Rooms that two bookings have for one night, with the way to move either.

use dewy_domain::double_booking::DoubleBooking;

use crate::pages::prelude::*;

/// Section about them; none where every room and night belongs to one booking.
pub fn double_bookings(snapshot: &HotelSnapshot) -> Option<AnyView> {
    let pairs = snapshot.double_bookings();
    let items = pairs.iter().map(item).collect_view();
    (!pairs.is_empty()).then(|| {
        view! {
            <section aria-labelledby="booked-twice">
                <h2 id="booked-twice">"Booked twice"</h2>
                <ul class="work">{items}</ul>
            </section>
        }
        .into_any()
    })
}

fn item(pair: &DoubleBooking<'_>) -> AnyView {
    let room = pair.room.to_string();
    let nights = date_range(pair.nights.from, pair.nights.to);
    let either = [pair.first, pair.second].map(booking);
    view! {
        <li>
            <Icon state="overdue" />
            <div>
                <p><a href=page_url::room(&room)>"Room " {room.clone()}</a> ", " {nights}</p>
                <ul>{either.into_iter().collect_view()}</ul>
            </div>
        </li>
    }
    .into_any()
}

fn booking(booking: &BookingRow) -> AnyView {
    let number = &booking.booking_number;
    let page = page_url::stay(number);
    let name = booking
        .guest_name
        .clone()
        .unwrap_or_else(|| "A guest without a name".to_owned());
    let days = booking
        .check_in_date
        .zip(booking.check_out_date)
        .map(|(from, to)| date_range(from, to));
    let status = match booking.booking_status.as_str() {
        "" => "status missing",
        word => word,
    };
    let label = format!("Move {name} ({number}) to another room");
    view! {
        <li>
            <a href=page.clone()>{name}</a> " " <small>{number.to_string()}</small> ", " {days} ", " {status.to_owned()} " "
            <a href=format!("{page}/move") aria-label=label>"Move to…"</a>
        </li>
    }
    .into_any()
}
