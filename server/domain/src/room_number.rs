//! Numbers of rooms.

use crate::text_type::{any_text, text_type};

text_type! {
    /// Room number, as guests read it on the door: `302`.
    RoomNumber
}

any_text!(RoomNumber);
