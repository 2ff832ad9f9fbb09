//! Limit on self-service bookings: rooms held by guests who never arrive are unavailable to others.

use dewy_domain::{
    error_code::ErrorCode, guest::GuestStay, nights::Nights, tool_answer::ToolError,
};
use serde_json::json;

/// The hotel's limit for guests; staff bookings have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookingLimit {
    /// Maximum number of current and future bookings.
    pub bookings: u32,
    /// Maximum total nights of those bookings.
    pub nights: u32,
}

impl Default for BookingLimit {
    fn default() -> Self {
        Self {
            bookings: 5,
            nights: 60,
        }
    }
}

impl BookingLimit {
    /// Checks whether a guest with these open stays may book these additional nights.
    ///
    /// # Errors
    /// `BOOKING_LIMIT`, with the current and the allowed numbers.
    pub(crate) fn check<'a>(
        self,
        open: impl Iterator<Item = &'a GuestStay>,
        wished: Nights,
    ) -> Result<(), ToolError> {
        let (mut bookings, mut nights) = (1_i64, wished.count());
        for stay in open {
            bookings += 1;
            nights += Nights {
                from: stay.check_in_date,
                to: stay.check_out_date,
            }
            .count();
        }
        if bookings <= i64::from(self.bookings) && nights <= i64::from(self.nights) {
            return Ok(());
        }
        Err(ToolError::with(
            ErrorCode::BookingLimit,
            json!({ "open_bookings": bookings - 1, "most_bookings": self.bookings, "nights": nights, "most_nights": self.nights }),
        ))
    }
}
