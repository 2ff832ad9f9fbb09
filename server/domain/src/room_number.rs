//! Numbers of rooms.

use crate::text_type::text_type;

text_type! {
    /// Room number, as guests read it on the door: `302`.
    RoomNumber
}

impl From<&str> for RoomNumber {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for RoomNumber {
    fn from(text: String) -> Self {
        Self(text)
    }
}
