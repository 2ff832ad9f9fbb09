//! Result of `post_charge`.

use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    room_number::RoomNumber,
    vocabulary::LineStatus,
};

/// Folio line as posted or voided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChargeResult {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Room number: `302`.
    pub room_number: RoomNumber,
    /// Number of the folio line: `PT-00001`.
    pub charge_number: Option<String>,
    /// Status of the line now.
    pub charge_status: Option<LineStatus>,
    /// Amount of the line.
    pub amount: Cents,
    /// Currency.
    pub currency: Currency,
    /// Text on the bill; empty for a void.
    pub description: String,
    /// Balance of the folio now.
    pub balance: Cents,
}
