//! How much one guest may book by themselves: rooms held by somebody who never comes are rooms
//! nobody else can have.

use dewy_domain::{answer::ToolError, error_code::ErrorCode, guest::GuestStay, nights::Nights};
use serde_json::json;

/// The hotel's policy for guests; staff book without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookingLimit {
    /// Number of bookings that are not over.
    pub bookings: u32,
    /// Sum of their nights.
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
    /// Whether a guest with these open stays may have these nights as well.
    ///
    /// # Errors
    /// `BOOKING_LIMIT`, with what there is and what is allowed.
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
