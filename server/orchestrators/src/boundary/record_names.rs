//! Rooms and bookings as people name them: "Room 302", "#302", "rm. 302", "bk 42".

use dewy_domain::{
    auto_number::in_form_of,
    caller::Caller,
    decimal_digits::with_ascii_digits,
    full_width::narrow,
    inventory::RoomQuery,
    room_number::{RoomNumber, without_room_words},
};
use serde_json::{Value, json};

use crate::hotel::{hotel_service::Hotel, salesforce_call_budget::Cost};

const FIELD: &str = "room_number";
impl Hotel {
    /// Replaces "Room 302", "№ 302", and full-width digits by 302, unless a room of that full name exists. Reads Salesforce only for
    /// such a text.
    pub(crate) async fn resolve_room_name(&self, caller: &Caller, input: &mut Value) {
        let Some(written) = input[FIELD].as_str() else {
            return;
        };
        let plain = with_ascii_digits(&narrow(written));
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
