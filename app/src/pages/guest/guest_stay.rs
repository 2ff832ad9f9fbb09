//! Booking of a guest, and its phase.

use std::ops::Deref;

use dewy_domain::{
    hotel_calendar::HotelDay, tool_catalog::SearchRoomsOnBehalfOfGuest, tool_output::OwnStay,
};

use crate::{
    labels::{beds_text, view_text},
    pages::{
        prelude::*,
        read_tools::{ReadFailure, read, stop},
    },
};

/// Limit of the tool; no guest has more.
const MAX_RESULTS: u32 = 100;

/// Booking of a guest, with the texts of their pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestStay(OwnStay);

impl Deref for GuestStay {
    type Target = OwnStay;

    fn deref(&self) -> &OwnStay {
        &self.0
    }
}

impl From<OwnStay> for GuestStay {
    fn from(stay: OwnStay) -> Self {
        Self(stay)
    }
}

/// Phase of a stay on a given day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Begins in this many days.
    Upcoming(i32),
    /// Can be checked in.
    Arriving,
    NoShow,
    InHouse,
    /// Checked in, and the departure date is today or earlier.
    DueOut,
    Departed,
    Cancelled,
    /// In a status that we don't know.
    Unclear,
}

impl GuestStay {
    /// Bookings of the guest whose page this is; an error page in its place if they can't be read.
    pub async fn of_page(request: &PageRequest, user: &SignedIn) -> Result<Vec<Self>, PageError> {
        let stays = Self::all(&request.ctx, user).await;
        stays.map_err(|no| stop(no, &request.here))
    }

    /// Booking with the number in the URL.
    pub async fn numbered(request: &PageRequest, user: &SignedIn) -> Result<Self, PageError> {
        let stays = Self::of_page(request, user).await?.into_iter();
        let mut stays = stays.filter(|stay| stay.booking_number == request.id);
        stays.next().ok_or(PageError::NotFound)
    }

    /// All bookings of a guest, latest first. One CRM call.
    ///
    /// # Errors
    /// The tool's error.
    pub async fn all(ctx: &PageContext, user: &SignedIn) -> Result<Vec<Self>, ReadFailure> {
        let input = json!({ "filter": "all", "limit": MAX_RESULTS });
        let stays = read::<SearchRoomsOnBehalfOfGuest>(ctx, user, input)
            .await?
            .rows;
        Ok(stays.into_iter().map(Self).collect())
    }

    pub fn phase(&self, today: HotelDay) -> Phase {
        let since = |day: Option<Date>| day.map(|day| today.since(day));
        let over = since(self.check_out_date).is_some_and(|days| days >= 0);
        match self.booking_status {
            BookingStatus::CheckedIn if over => Phase::DueOut,
            BookingStatus::CheckedIn => Phase::InHouse,
            BookingStatus::Reserved => {
                match (since(self.check_in_date), since(self.check_out_date)) {
                    (Some(days @ ..0), _) => Phase::Upcoming(-days),
                    // Guests may arrive until the end of the day of departure
                    (_, Some(1..)) => Phase::NoShow,
                    _ => Phase::Arriving,
                }
            }
            BookingStatus::Cancelled => Phase::Cancelled,
            BookingStatus::NoShow => Phase::NoShow,
            BookingStatus::CheckedOut => Phase::Departed,
            BookingStatus::Other(_) => Phase::Unclear,
        }
    }

    pub fn nights(&self) -> i64 {
        match (self.check_in_date, self.check_out_date) {
            (Some(from), Some(to)) => (to - from).get_days().max(0).into(),
            _ => 0,
        }
    }

    /// `Wed, Nov 18 to Fri, Nov 20, 2026`.
    pub fn days(&self) -> String {
        stay_days(self.check_in_date, self.check_out_date)
            .unwrap_or_else(|| t!("stay-open-dates").to_owned())
    }

    /// `Room 302`, or the room type.
    pub fn room(&self) -> String {
        match (&self.room_number, &self.room_type) {
            (Some(number), _) => t!("room-number", number = number.as_str()),
            (None, Some(kind)) => t!("room-kind", kind = kind.as_str()),
            (None, None) => t!("stay-your-room").to_owned(),
        }
    }

    /// `Deluxe, 1 King, ocean view`.
    pub fn description(&self) -> String {
        let view = self.view.as_deref().map(view_text);
        [
            self.room_type.clone(),
            self.beds.as_deref().map(beds_text),
            view,
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
    }

    /// `2 people`.
    pub fn people(&self) -> Option<String> {
        self.number_of_guests.map(people)
    }
}

#[cfg(test)]
pub fn sample(number: &str, status: &str, from: &str, to: &str) -> GuestStay {
    let stay = serde_json::from_value(json!({
        "booking_number": number, "booking_status": status, "check_in_date": from, "check_out_date": to,
        "room_number": "302", "room_type": "Deluxe", "beds": "1 King", "view": "Ocean", "number_of_guests": 2, "currency": "usd"
    }));
    GuestStay(stay.expect("a stay"))
}

#[cfg(test)]
impl GuestStay {
    /// The same stay in another room.
    pub fn in_room(&self, number: &str) -> Self {
        Self(OwnStay {
            room_number: Some(number.into()),
            ..self.0.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stay_has_a_phase_before_during_and_after() {
        let day: Date = "2026-11-20".parse().unwrap();
        let today = HotelDay::from(day);
        for (status, from, to, phase) in [
            ("Reserved", "2026-11-23", "2026-11-25", Phase::Upcoming(3)),
            ("Reserved", "2026-11-20", "2026-11-22", Phase::Arriving),
            ("Reserved", "2026-11-19", "2026-11-21", Phase::Arriving),
            ("Reserved", "2026-11-18", "2026-11-20", Phase::Arriving),
            ("Reserved", "2026-11-18", "2026-11-19", Phase::NoShow),
            ("Checked In", "2026-11-18", "2026-11-21", Phase::InHouse),
            ("Checked In", "2026-11-18", "2026-11-20", Phase::DueOut),
            ("Checked Out", "2026-11-18", "2026-11-20", Phase::Departed),
            ("Cancelled", "2026-11-28", "2026-11-30", Phase::Cancelled),
            ("No Show", "2026-11-19", "2026-11-30", Phase::NoShow),
            ("Waitlisted", "2026-11-18", "2026-11-20", Phase::Unclear),
            ("", "2026-11-28", "2026-11-30", Phase::Unclear),
        ] {
            assert_eq!(
                sample("BK-0001", status, from, to).phase(today),
                phase,
                "{status} {from}"
            );
        }
        // Before the hotel's day changes, both days run
        let night = HotelDay {
            calendar: day.tomorrow().unwrap(),
            ..today
        };
        for (status, from, to, phase) in [
            ("Reserved", "2026-11-21", "2026-11-22", Phase::Arriving),
            ("Reserved", "2026-11-22", "2026-11-23", Phase::Upcoming(1)),
            ("Checked In", "2026-11-19", "2026-11-21", Phase::DueOut),
        ] {
            assert_eq!(
                sample("BK-0001", status, from, to).phase(night),
                phase,
                "{status} {from}"
            );
        }
        let stay = sample("BK-0001", "Reserved", "2026-11-20", "2026-11-22");
        assert_eq!(
            (stay.nights(), stay.description().as_str()),
            (2, "Deluxe, 1 King, ocean view")
        );
    }
}
