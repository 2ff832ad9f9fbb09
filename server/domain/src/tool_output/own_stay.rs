//! Result of `search_rooms_on_behalf_of_guest`, and of a guest's `search_bookings`.

use jiff::civil::Date;

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::BookingStatus,
};

tool_output! {
    /// A stay as its guest sees it: neither who occupies the room nor its housekeeping state.
    OwnStay in "stays" {
        booking_number: BookingNumber,
        booking_status: BookingStatus,
        check_in_date: Option<Date>,
        check_out_date: Option<Date>,
        room_number: Option<RoomNumber>,
        room_type: Option<String>,
        beds: Option<String>,
        view: Option<String>,
        number_of_guests: Option<i64>,
        special_requests: Option<String>,
        /// Whether the room is ready, once the guest is expected.
        room_ready: Option<bool>,
        /// Price of the whole stay, without charges.
        total: Option<Cents>,
        /// Booked price of a night.
        nightly_rate: Option<Cents>,
        currency: Currency,
    }
}
