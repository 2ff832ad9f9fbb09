//! Whom a proposal of staff is about, where the input has only a number.

use dewy_domain::{
    caller::{Caller, Persona},
    sentence::Sentence,
    tool::Tool,
    tool_answer::ToolAnswer,
    tool_catalog::{ManageBookings, PostCharge, ProcessGuestCheckout, SearchBookings, UndoCheckIn},
    vocabulary::BookingStatus,
};
use serde_json::{Value, json};

use crate::{concierge_service::Inner, stay_reference::StayReference};

/// Tools that name a stay by its room or booking number.
const BY_NUMBER: [&str; 4] = [
    ManageBookings::NAME,
    PostCharge::NAME,
    UndoCheckIn::NAME,
    ProcessGuestCheckout::NAME,
];

impl Inner {
    /// `Guest: Beth Gibbs, room 302.`
    ///
    /// # Errors
    /// The error of a read.
    pub(crate) async fn subject(
        &self,
        caller: &Caller,
        tool: &Tool,
        input: &Value,
    ) -> Result<Option<Sentence>, ToolAnswer> {
        let stay = StayReference::of(input);
        if caller.persona == Persona::Guest || !BY_NUMBER.contains(&tool.name) {
            return Ok(None);
        }
        // The booking number takes precedence; the room may be what changes
        let query = match (&stay.booking_number, &stay.room_number) {
            (Some(_), _) => json!({ "from_date": self.today().to_string(), "limit": 200 }),
            (None, Some(room)) => {
                json!({ "room_number": room, "status": BookingStatus::CheckedIn, "limit": 2 })
            }
            (None, None) => return Ok(None),
        };
        let found = self.read::<SearchBookings>(caller, query).await?;
        let number = stay.booking_number.as_ref();
        let rows = found.rows.into_iter().map(|row| row.booking);
        let meant = rows.filter(|row| number.is_none_or(|number| row.booking_number == *number));
        // Of two guests in one room, none is named
        let row = <[_; 1]>::try_from(Vec::from_iter(meant)).ok();
        let row = row.map(|[row]| row);
        Ok(row.and_then(|row| {
            let room = row.room_number.map(|room| format!(", room {room}"));
            let (guest, room) = (row.guest_name?, room.unwrap_or_default());
            Some(format!("Guest: {guest}{room}.").into())
        }))
    }
}
