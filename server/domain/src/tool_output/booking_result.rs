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
    /// Room number: `302`.
    pub room_number: RoomNumber,
    /// Room type of a new booking: `Deluxe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_type: Option<String>,
    /// Arrival date.
    pub check_in_date: Date,
    /// Departure date.
    pub check_out_date: Date,
    /// Number of nights.
    pub nights: i64,
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
