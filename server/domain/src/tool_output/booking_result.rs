//! Result of `create_booking` and `manage_bookings`.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage},
};

/// Booking as created or changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingResult {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Status of the booking now.
    pub booking_status: BookingStatus,
    /// Room number: `302`; missing, as the dates, in a canceled booking that never had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_number: Option<RoomNumber>,
    /// Room type of a new booking: `Deluxe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_type: Option<String>,
    /// Arrival date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_in_date: Option<Date>,
    /// Departure date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_out_date: Option<Date>,
    /// Number of nights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nights: Option<i64>,
    /// Number of guests.
    pub number_of_guests: Option<i64>,
    /// Special requests of a changed booking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special_requests: Option<String>,
    /// Price of the whole stay.
    pub amount: Cents,
    /// Currency.
    pub currency: Currency,
    /// Stage of the opportunity now.
    pub opportunity_stage: OpportunityStage,
    /// Whether the guest was created with the booking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_created: Option<bool>,
    /// Names of the changed fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
    /// What else the caller should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl BookingResult {
    /// Room, arrival and departure; `None` for a booking that never had all of them.
    #[must_use]
    pub fn place(&self) -> Option<(&RoomNumber, Date, Date)> {
        let room = self.room_number.as_ref()?;
        Some((room, self.check_in_date?, self.check_out_date?))
    }
}
