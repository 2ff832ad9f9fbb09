//! What a check-in is about: room, nights, guest, and price.

use dewy_domain::{
    caller::{Caller, Persona},
    reservation::BookingRow,
    said,
    sentence::Sentence,
    tool_answer::ToolAnswer,
    tool_catalog::{CheckInGuest, SearchBookings},
    vocabulary::BookingStatus,
};
use jiff::civil::Date;
use serde_json::json;

use super::{Terms, formatting::nights};
use crate::concierge_service::Inner;

impl Inner {
    /// The reservation that the check-in would use. Nothing is added when it can't be told which
    /// one that is, or when the guest is checked in already.
    pub(super) async fn arriving(
        &self,
        caller: &Caller,
        wanted: &CheckInGuest,
    ) -> Result<Terms, ToolAnswer> {
        let day = wanted.check_in_date.unwrap_or_else(|| self.today());
        let mut query = json!({ "status": BookingStatus::Reserved, "from_date": day, "to_date": day, "limit": 50 });
        if let Some(room) = wanted.room_number.as_ref().filter(|room| !room.is_empty()) {
            query["room_number"] = json!(room);
        }
        let email = wanted
            .guest_email
            .as_ref()
            .filter(|email| !email.is_empty());
        if let Some(email) = email.filter(|_| caller.persona == Persona::Staff) {
            query["guest_email"] = json!(email);
        }
        let found = self.read::<SearchBookings>(caller, query).await?;
        let number = wanted.booking_number.as_ref().filter(|n| !n.is_empty());
        let mut fitting = found
            .rows
            .into_iter()
            .map(|row| row.booking)
            .filter(|booking| {
                number.is_none_or(|number| booking.booking_number.eq_ignore_ascii_case(number))
            });
        let (Some(booking), None) = (fitting.next(), fitting.next()) else {
            return Ok(Terms::default());
        };
        Ok(self.arrival(caller, &booking).unwrap_or_default())
    }

    /// Terms of this arrival; `None` if the booking names no room or no
    /// dates, or if it is not the time to check in.
    fn arrival(&self, caller: &Caller, booking: &BookingRow) -> Option<Terms> {
        let room = booking.room_number.as_ref()?;
        let (from, to) = (booking.check_in_date?, booking.check_out_date?);
        if !self.calendar().day(self.now()).is_open(from, to) {
            return None;
        }
        let whom = match (caller.persona, &booking.guest_name) {
            (Persona::Staff, Some(name)) => format!("{name} "),
            _ => String::new(),
        };
        let mut facts = vec![self.nights_of(&booking.booking_number, from, to)];
        if let Some(total) = booking.total {
            facts.push(said!(
                "fact-stay-price",
                sum = self.money(total.0),
                paid = self.money(0)
            ));
        }
        Some(Terms {
            question: Some(said!("ask-check-in-room", whom, room)),
            facts,
            ..Terms::default()
        })
    }

    fn nights_of(&self, booking: &str, from: Date, to: Date) -> Sentence {
        let count = nights(from, to);
        said!(
            "fact-stay",
            from = self.written_day(from),
            to = self.written_day(to),
            count,
            booking
        )
    }
}
