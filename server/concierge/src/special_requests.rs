//! Special requests of a booking in a proposal: what stands there already stays, an allergy for
//! example, and what a guest in the house asks for is no note on the booking but a request of now.

use dewy_domain::{
    booking_number::BookingNumber,
    caller::{Caller, Persona},
    tool::Tool,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::{ManageBookings, NO_REQUESTS, SearchBookings, SearchRoomsOnBehalfOfGuest},
    tool_output::ListResult,
    vocabulary::BookingStatus,
};
use serde_json::{Value, json};

use crate::{concierge_service::Inner, stay_reference::StayReference};

/// Maximum length of the field.
const MAX_CHARS: usize = 2000;
const NOW: &str = "The guest is in the house, so this is a request of now and no note on the booking. Nothing was proposed; \
    propose submit_guest_service_request of type Concierge with their words, or hand over.";
const TOO_LONG: &str = "Too long beside what is noted on the booking already. Nothing was proposed; it is for the front desk.";

impl Inner {
    /// The input with the booking's earlier special requests before the new ones.
    ///
    /// # Errors
    /// The guest is in the house, both are too long, or the error of a read.
    pub(crate) async fn with_earlier_requests(
        &self,
        caller: &Caller,
        tool: &Tool,
        input: &Value,
    ) -> Result<Value, ToolAnswer> {
        let mut input = input.clone();
        let new = input["special_requests"].as_str().unwrap_or_default();
        let number = StayReference::of(&input).booking_number;
        let (Some(number), ManageBookings::NAME, false) = (number, tool.name, new.is_empty())
        else {
            return Ok(input);
        };
        let (status, earlier) = self.noted_requests(caller, &number).await?;
        if caller.persona == Persona::Guest && status == Some(BookingStatus::CheckedIn) {
            return Err(refused(NOW));
        }
        let earlier = earlier.unwrap_or_default();
        let both = match (new.contains(&earlier), earlier.contains(new)) {
            _ if new.trim() == NO_REQUESTS => new.to_owned(),
            (true, _) => new.to_owned(),
            (_, true) => earlier,
            _ => format!("{earlier}; {new}"),
        };
        if both.chars().count() > MAX_CHARS {
            return Err(refused(TOO_LONG));
        }
        input["special_requests"] = json!(both);
        Ok(input)
    }

    /// Status and special requests of a booking; nothing if it is not among those of today and later.
    async fn noted_requests(
        &self,
        caller: &Caller,
        number: &BookingNumber,
    ) -> Result<(Option<BookingStatus>, Option<String>), ToolAnswer> {
        if caller.persona == Persona::Guest {
            for filter in ["current", "upcoming"] {
                let query = json!({ "filter": filter, "limit": 50 });
                let read = self.read::<SearchRoomsOnBehalfOfGuest>(caller, query);
                let ListResult { rows, .. } = read.await?;
                if let Some(stay) = rows.into_iter().find(|one| one.booking_number == *number) {
                    return Ok((Some(stay.booking_status), stay.special_requests));
                }
            }
            return Ok((None, None));
        }
        let query = json!({ "from_date": self.today(), "limit": 200 });
        let read = self.read::<SearchBookings>(caller, query);
        let ListResult { rows, .. } = read.await?;
        let mut rows = rows.into_iter().map(|row| row.booking);
        let row = rows.find(|one| one.booking_number == *number);
        Ok(row.map_or((None, None), |row| {
            (Some(row.booking_status), row.special_requests)
        }))
    }
}

fn refused(message: &str) -> ToolAnswer {
    ToolError::problem("special_requests", message).into()
}
