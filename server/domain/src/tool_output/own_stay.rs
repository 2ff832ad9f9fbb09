//! Result of `search_rooms_on_behalf_of_guest`, and of a guest's `search_bookings`.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::ListRow;
use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    room_number::RoomNumber,
    vocabulary::BookingStatus,
};

/// A stay as its guest sees it: neither who occupies the room nor its housekeeping state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnStay {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Status of the booking.
    pub booking_status: BookingStatus,
    /// Arrival date.
    pub check_in_date: Option<Date>,
    /// Departure date.
    pub check_out_date: Option<Date>,
    /// Room number.
    pub room_number: Option<RoomNumber>,
    /// Room type.
    pub room_type: Option<String>,
    /// Bed configuration.
    pub beds: Option<String>,
    /// View.
    pub view: Option<String>,
    /// Number of guests.
    pub number_of_guests: Option<i64>,
    /// Special requests.
    pub special_requests: Option<String>,
    /// Whether the room is ready, once the guest is expected.
    pub room_ready: Option<bool>,
    /// Price of the whole stay, without charges.
    pub total: Option<Cents>,
    /// Booked price of a night.
    pub nightly_rate: Option<Cents>,
    /// Currency.
    pub currency: Currency,
}

impl ListRow for OwnStay {
    const LIST: &'static str = "stays";
}
