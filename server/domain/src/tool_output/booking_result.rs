//! Result of `create_booking` and `manage_bookings`.

use jiff::civil::Date;

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, OpportunityStage},
};

tool_output! {
    /// Booking as created or changed.
    BookingResult {
        booking_number: BookingNumber,
        booking_status: BookingStatus,
        /// Room number: `302`; missing, as the dates, in a canceled booking that never had one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room_number: Option<RoomNumber>,
        /// Room type of a new booking: `Deluxe`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room_type: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check_in_date: Option<Date>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check_out_date: Option<Date>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nights: Option<i64>,
        number_of_guests: Option<i64>,
        /// Special requests of a changed booking.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        special_requests: Option<String>,
        /// Price of the whole stay; missing if the booking has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<Cents>,
        currency: Currency,
        opportunity_stage: OpportunityStage,
        /// Whether the guest was created with the booking.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contact_created: Option<bool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        changed: Option<Vec<String>>,
        /// What else the caller should know.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
}

impl BookingResult {
    /// Room, arrival and departure; `None` for a booking that never had all of them.
    #[must_use]
    pub fn place(&self) -> Option<(&RoomNumber, Date, Date)> {
        let room = self.room_number.as_ref()?;
        Some((room, self.check_in_date?, self.check_out_date?))
    }
}
