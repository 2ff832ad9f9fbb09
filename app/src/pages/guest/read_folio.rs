//! Guest folio as returned by `get_folio`.

use dewy_domain::{
    booking_number::BookingNumber, room_number::RoomNumber, tool_catalog::GetFolio,
    tool_output::Folio,
};
use serde::Deserialize;

use crate::pages::{prelude::*, read_tools::read};

/// One of several stays to choose from.
#[derive(Clone, Debug, Deserialize)]
pub struct StayChoice {
    /// `BK-0042`.
    pub booking_number: BookingNumber,
    /// `302`.
    #[serde(default)]
    pub room_number: Option<RoomNumber>,
    #[serde(default)]
    pub check_in_date: Option<Date>,
    #[serde(default)]
    pub check_out_date: Option<Date>,
}

impl StayChoice {
    /// Address of a page for this stay, with its room and dates.
    pub fn choice(self, page: &str) -> (String, String, String) {
        let href = page_url::with_booking(page, &self.booking_number);
        let room = self.room_number.map_or_else(
            || self.booking_number.to_string(),
            |room| t!("room-number", number = room.as_str()),
        );
        let dates = match (self.check_in_date, self.check_out_date) {
            (Some(from), Some(to)) => date_range(from, to),
            _ => self.booking_number.into(),
        };
        (href, room, dates)
    }
}

#[derive(Clone, Debug)]
pub enum FolioLookup {
    One(Box<Folio>),
    Several(Vec<StayChoice>),
    /// No current stay.
    None,
}

/// Reads the folio of this guest's stay.
pub async fn read_folio(
    ctx: &PageContext,
    user: &SignedIn,
    booking: Option<&str>,
    here: &str,
) -> Result<FolioLookup, PageError> {
    let input = booking.map_or_else(|| json!({}), |number| json!({ "booking_number": number }));
    let trouble = |code| PageError::from(ErrorPage::of(code, Persona::Guest, here));
    match read::<GetFolio>(ctx, user, input).await {
        Ok(folio) => Ok(FolioLookup::One(Box::new(folio))),
        Err((code, details)) => match code {
            ErrorCode::MultipleBookings => Ok(FolioLookup::Several(choices(&details))),
            ErrorCode::BookingNotFound | ErrorCode::GuestNotFound => Ok(FolioLookup::None),
            // The booking number in the URL is not a valid one
            ErrorCode::ValidationFailed | ErrorCode::NotYourStay => Err(PageError::NotFound),
            other => Err(trouble(other)),
        },
    }
}

fn choices(details: &Value) -> Vec<StayChoice> {
    let list = details
        .get("bookings")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    list.into_iter()
        .filter_map(|one| serde_json::from_value(one).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_to_choose_from_are_read_from_the_error() {
        let details = json!({ "bookings": [{ "booking_number": "BK-0010", "room_number": "102" }, { "booking_number": "BK-0011", "room_number": "103" }, 5] });
        let rooms: Vec<_> = choices(&details)
            .into_iter()
            .filter_map(|c| c.room_number)
            .collect();
        assert_eq!(rooms, ["102", "103"]);
    }
}
