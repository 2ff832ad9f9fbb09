//! Searches for bookings by arrival, and for a guest's own stays. One SOQL query each.

use dewy_domain::{
    caller::{Caller, Persona},
    money::Currency,
    reservation::{BookingQuery, BookingRow},
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::{SearchBookings, SearchRoomsOnBehalfOfGuest},
    tool_output::{BookingListItem, OwnBookingListItem, OwnStay},
    vocabulary::{BookingStatus, RoomStatus, StayFilter},
};

use crate::{
    hotel::hotel_service::Hotel,
    reads::list_answer::{answer, list},
};

/// The matching bookings; guests see their own.
pub(crate) async fn run(hotel: &Hotel, caller: &Caller, input: SearchBookings) -> ToolAnswer {
    if let (Some(from), Some(to)) = (input.from_date, input.to_date)
        && to < from
    {
        return ToolError::problem("to_date", "to_date is before from_date.").into();
    }
    let query = BookingQuery {
        guest: caller.guest_meant(input.guest_email),
        statuses: input.status.into_iter().collect(),
        from: input.from_date,
        to: input.to_date,
        booking_number: input.booking_number,
        room_number: input.room_number,
        limit: input.limit + 1,
        ..BookingQuery::default()
    };
    let currency = hotel.settings.currency;
    let narrow = "There are more. Give status, from_date and to_date, guest_email, room_number or booking_number.";
    let found = hotel.crm.bookings(&query).await;
    match caller.persona {
        Persona::Staff => answer(found, |rows| {
            let one = |booking| BookingListItem { booking, currency };
            list(rows.into_iter().map(one).collect(), input.limit, narrow)
        }),
        Persona::Guest => answer(found, |rows| {
            let one = |row| OwnBookingListItem(own(row, currency));
            list(rows.into_iter().map(one).collect(), input.limit, narrow)
        }),
    }
}

/// The guest's own stays: current, upcoming, past, or all.
pub(crate) async fn stays(
    hotel: &Hotel,
    caller: &Caller,
    input: SearchRoomsOnBehalfOfGuest,
) -> ToolAnswer {
    let (statuses, from, newest_first) = match input.filter {
        // Guests may arrive until the end of the day of departure
        StayFilter::Upcoming => {
            let yesterday = hotel.today().yesterday().ok();
            (vec![BookingStatus::Reserved], yesterday, false)
        }
        StayFilter::Historical => (
            vec![
                BookingStatus::CheckedOut,
                BookingStatus::Cancelled,
                BookingStatus::NoShow,
            ],
            None,
            true,
        ),
        StayFilter::All => (Vec::new(), None, true),
        StayFilter::Current | StayFilter::Other(_) => (vec![BookingStatus::CheckedIn], None, false),
    };
    let query = BookingQuery {
        guest: Some(caller.identity()),
        statuses,
        from,
        newest_first,
        limit: input.limit + 1,
        ..BookingQuery::default()
    };
    let narrow =
        "There are more. Ask for current, upcoming or historical ones, or give a higher limit.";
    answer(hotel.crm.bookings(&query).await, |rows| {
        let own = |row| own(row, hotel.settings.currency);
        list(rows.into_iter().map(own).collect(), input.limit, narrow)
    })
}

/// What guests see of their own booking: neither who occupies the room nor its housekeeping state.
pub(crate) fn own(row: BookingRow, currency: Currency) -> OwnStay {
    // Whether the room is ready, once they are expected; its housekeeping state is internal.
    let ready = (row.booking_status == BookingStatus::Reserved)
        .then(|| row.room_status == Some(RoomStatus::Vacant));
    OwnStay {
        booking_number: row.booking_number,
        booking_status: row.booking_status,
        check_in_date: row.check_in_date,
        check_out_date: row.check_out_date,
        room_number: row.room_number,
        room_type: row.room_type,
        beds: row.beds,
        view: row.view,
        number_of_guests: row.number_of_guests,
        special_requests: row.special_requests,
        room_ready: ready,
        total: row.total,
        nightly_rate: row.nightly_rate,
        currency,
    }
}
