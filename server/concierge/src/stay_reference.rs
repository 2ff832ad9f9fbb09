//! Which stay an input means.

use dewy_domain::{
    booking_number::BookingNumber, email_address::EmailAddress, room_number::RoomNumber,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The fields by which an input of any tool names a stay; none of them is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StayReference {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_email: Option<EmailAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub booking_number: Option<BookingNumber>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_number: Option<RoomNumber>,
}

impl StayReference {
    pub fn to_booking(number: &BookingNumber) -> Self {
        Self {
            booking_number: Some(number.clone()),
            ..Self::default()
        }
    }

    /// Stay that this input names; nothing if it can't be read.
    pub fn of(input: &Value) -> Self {
        let named = Self::deserialize(input).unwrap_or_default();
        Self {
            guest_email: named.guest_email.filter(|email| !email.is_empty()),
            booking_number: named.booking_number.filter(|number| !number.is_empty()),
            room_number: named.room_number.filter(|number| !number.is_empty()),
        }
    }
}
