//! Result of `post_charge`.

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::LineStatus,
};

tool_output! {
    /// Folio line as posted or voided.
    ChargeResult {
        booking_number: BookingNumber,
        room_number: RoomNumber,
        charge_number: Option<String>,
        charge_status: Option<LineStatus>,
        amount: Cents,
        currency: Currency,
        /// Text on the bill; empty for a void.
        description: String,
        /// Balance of the folio now; missing if an amount on it is empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        balance: Option<Cents>,
    }
}
