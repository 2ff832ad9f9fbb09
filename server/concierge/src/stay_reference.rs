//! Which stay an input means.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The fields by which an input of any tool names a stay; none of them is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StayReference {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub booking_number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_number: Option<String>,
}

impl StayReference {
    /// The stay of this booking.
    pub fn to_booking(number: &str) -> Self {
        Self {
            booking_number: Some(number.to_owned()),
            ..Self::default()
        }
    }

    /// Stay that this input names; nothing if it can't be read.
    pub fn of(input: &Value) -> Self {
        let named = Self::deserialize(input).unwrap_or_default();
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        Self {
            guest_email: given(named.guest_email),
            booking_number: given(named.booking_number),
            room_number: given(named.room_number),
        }
    }
}
