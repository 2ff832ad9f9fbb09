//! Numbers of rooms.

use crate::{
    auto_number::without_words,
    text_type::{any_text, text_type},
};

text_type! {
    /// Room number, as guests read it on the door: `302`.
    RoomNumber
}

any_text!(RoomNumber);

/// What people put before a room's number, in guests' languages.
const ROOM_WORDS: [&str; 7] = ["room", "rm", "no", "nr", "number", "habitación", "hab"];

/// The name behind the words for "room"; `None` if the text doesn't begin with one.
#[must_use]
pub fn without_room_words(text: &str) -> Option<&str> {
    without_words(text, &ROOM_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_a_room_are_not_its_name() {
        for (text, name) in [
            ("Room 302", Some("302")),
            ("room302", Some("302")),
            ("RM. 302", Some("302")),
            ("#302", Some("302")),
            ("№ 302", Some("302")),
            ("Room no. 302", Some("302")),
            ("Room #A-101", Some("A-101")),
            ("habitación 302", Some("302")),
            ("Room Azul", Some("Azul")),
            ("302", None),
            ("A-101", None),
            ("Suite 12", None),
            ("Rooms", None),
            ("Room", None),
            ("#", None),
            ("Nobel", None),
        ] {
            assert_eq!(without_room_words(text), name, "{text}");
        }
    }
}
