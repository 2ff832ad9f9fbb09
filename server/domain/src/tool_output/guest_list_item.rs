//! Row of `search_guests`.

use crate::{
    booking_number::BookingNumber, email_address::EmailAddress, room_number::RoomNumber,
    vocabulary::BookingStatus,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::ListRow;

/// Guest with current and future stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestListItem {
    /// Email, lower case.
    pub guest_email: Option<EmailAddress>,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Phone number.
    pub phone: Option<String>,
    /// Loyalty number: `DR-10042`.
    pub loyalty_number: Option<String>,
    /// Stays that are not over.
    pub stays: Vec<GuestStayItem>,
}

impl GuestListItem {
    /// First and last name.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
            .trim()
            .to_owned()
    }
}

impl ListRow for GuestListItem {
    const LIST: &'static str = "guests";
}

/// Current or future stay of a guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestStayItem {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Status of the booking.
    pub booking_status: BookingStatus,
    /// Room number; empty if none is assigned.
    pub room_number: RoomNumber,
    /// Arrival date.
    pub check_in_date: Date,
    /// Departure date.
    pub check_out_date: Date,
}
