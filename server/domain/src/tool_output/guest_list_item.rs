//! Row of `search_guests`.

use crate::{
    booking_number::BookingNumber, email_address::EmailAddress, output_schema::tool_output,
    room_number::RoomNumber, vocabulary::BookingStatus,
};
use jiff::civil::Date;

tool_output! {
    /// Guest with current and future stays.
    GuestListItem in "guests" {
        guest_email: Option<EmailAddress>,
        first_name: String,
        last_name: String,
        phone: Option<String>,
        loyalty_number: Option<String>,
        /// Stays that are not over.
        stays: Vec<GuestStayItem>,
    }
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

tool_output! {
    /// Current or future stay of a guest.
    GuestStayItem {
        booking_number: BookingNumber,
        booking_status: BookingStatus,
        /// Room number; empty if none is assigned.
        room_number: RoomNumber,
        check_in_date: Date,
        check_out_date: Date,
    }
}
