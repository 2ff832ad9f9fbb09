//! The chart as a list by room, for narrow screens.

use super::booking_bars::{Cell, Row};
use crate::pages::{prelude::*, staff::board::arrival_status};

/// Rooms that are booked or out of order in these days; shown instead of the chart where that would
/// be too wide.
pub fn list(rows: &[Row<'_>], snapshot: &HotelSnapshot) -> AnyView {
    let rooms = rows.iter().filter_map(|row| {
        let mut out_of_order = false;
        let items: Vec<_> = row
            .lanes
            .iter()
            .flatten()
            .filter_map(|cell| match cell {
                Cell::Bar(bar) => Some(booked(bar.booking, snapshot)),
                // One line, however many bookings interrupt it
                Cell::Out(_, why) if !std::mem::replace(&mut out_of_order, true) => {
                    Some(view! { <li><StatusBadge state="out" word=*why /></li> }.into_any())
                }
                Cell::Out(..) | Cell::Free(_) => None,
            })
            .collect();
        if items.is_empty() {
            return None;
        }
        let number = row.room.room.number.clone();
        Some(view! {
            <section aria-label=format!("Room {number}")>
                <h2>"Room " {number.to_string()}</h2>
                <ul class="rows">{items}</ul>
            </section>
        })
    });
    view! { <div class="tape-list">{rooms.collect_view()}</div> }.into_any()
}

fn booked(booking: &BookingRow, snapshot: &HotelSnapshot) -> AnyView {
    let standing = arrival_status(booking, snapshot.day());
    let number = booking.booking_number.clone();
    let name = booking
        .guest_name
        .clone()
        .unwrap_or_else(|| number.to_string());
    let dates = stay_days(booking.check_in_date, booking.check_out_date).unwrap_or_default();
    view! {
        <li>
            <a href=page_url::stay(&number)>{name}</a>
            <StatusBadge state=standing.state() word=standing.word(&booking.booking_status) />
            <span class="when">{dates}</span>
        </li>
    }
    .into_any()
}
