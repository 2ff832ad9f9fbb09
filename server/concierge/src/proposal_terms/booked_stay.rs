//! Stay that an action is about.

use dewy_domain::{
    booking_number::BookingNumber, error_code::ErrorCode, room_number::RoomNumber,
    tool_answer::ToolError, tool_output::FolioLine, vocabulary::BookingStatus,
};
use jiff::civil::Date;
use serde_json::json;

/// Stay with its folio.
pub(crate) struct BookedStay {
    pub number: BookingNumber,
    pub from: Date,
    pub to: Date,
    pub room: RoomNumber,
    /// Price of the whole stay.
    pub price: i64,
    pub paid: i64,
    /// `None` while an amount on the folio is missing.
    pub balance: Option<i64>,
    /// Whether other bookings are on the same bill, which has no price of its own for this stay.
    pub shared: bool,
    pub status: BookingStatus,
    pub lines: Vec<FolioLine>,
}

impl BookedStay {
    /// Refuses an action that this stay's status does not allow: nobody is asked for what can't be
    /// done.
    pub fn must_be(&self, allowed: &[BookingStatus]) -> Result<(), ToolError> {
        if self.status.as_str().is_empty() || allowed.contains(&self.status) {
            return Ok(());
        }
        let status = json!({ "booking_status": self.status });
        Err(ToolError::with(ErrorCode::InvalidTransition, status))
    }
}
