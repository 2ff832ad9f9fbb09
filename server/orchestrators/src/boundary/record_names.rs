//! Rooms and bookings as people name them: "Room 302", "#302", "rm. 302", "bk 42".

use dewy_domain::{
    auto_number::in_form_of, caller::Caller, decimal_digits::with_ascii_digits, full_width::narrow,
    inventory::RoomQuery, room_number::RoomNumber,
};
use serde_json::{Value, json};

use crate::hotel::{hotel_service::Hotel, salesforce_call_budget::Cost};

const FIELD: &str = "room_number";
/// What people put before a room's number, in guests' languages.
const ROOM_WORDS: [&str; 7] = ["room", "rm", "no", "nr", "number", "habitación", "hab"];

impl Hotel {
    /// Replaces "Room 302", "№ 302", and full-width digits by 302, unless a room of that full name exists. Reads Salesforce only for
    /// such a text.
    pub(crate) async fn resolve_room_name(&self, caller: &Caller, input: &mut Value) {
        let Some(written) = input[FIELD].as_str() else {
            return;
        };
        let plain = with_ascii_digits(&narrow(written)).replace('№', "#");
        let plain = plain.trim().trim_end_matches('.');
        let number = without_room_words(plain).unwrap_or(plain);
        if number == written {
            return;
        }
        let affordable = self.spend_salesforce_calls(caller, Cost::PREVIEW).is_ok();
        let query = RoomQuery {
            number: Some(RoomNumber::from(written)),
            limit: 1,
            ..RoomQuery::default()
        };
        if affordable
            && let Ok(found) = self.crm.rooms(&query).await.answered()
            && !found.is_empty()
        {
            return;
        }
        input[FIELD] = json!(number);
    }
}

const BOOKING_FIELDS: [&str; 2] = ["booking_number", "same_guest_as"];

impl Hotel {
    /// Replaces "bk 42" by BK-0042, once a booking of the org has shown the form of its numbers.
    pub(crate) fn resolve_booking_numbers(&self, input: &mut Value) {
        let Some(shown) = self.crm.shown_booking_number() else {
            return;
        };
        for field in BOOKING_FIELDS {
            let written = input[field].as_str();
            if let Some(meant) = written.and_then(|written| in_form_of(&shown, written)) {
                input[field] = json!(meant);
            }
        }
    }
}

/// The name behind the words for "room"; `None` if the text doesn't begin with one.
fn without_room_words(text: &str) -> Option<&str> {
    let text = text.trim();
    let rest = text.trim_start_matches(char::is_alphabetic);
    let word = text.get(..text.len() - rest.len())?;
    let name = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_word = ROOM_WORDS.contains(&word.to_lowercase().as_str());
    let is_mark = word.is_empty() && rest.starts_with('#');
    if name.is_empty() || !(is_word || is_mark) {
        return None;
    }
    // "Room no. 302"
    without_room_words(name).or(Some(name))
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
