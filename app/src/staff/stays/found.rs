//! The booking of the address: on the board, or asked for where it is of another time.

use std::sync::Arc;

use dewy_domain::{
    ports::{HotelSnapshot, SignedIn},
    reservation::BookingRow,
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    page::{Stop, Visit},
    staff::{
        board::{ArrivalStatus, arrival_status, look, way_back},
        guests::{self, GuestRow},
        reads::ask,
    },
};

/// A booking, and the hotel around it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The booking.
    pub booking: BookingRow,
    /// Whose it is, as far as known.
    pub guest: Option<GuestRow>,
    /// The hotel.
    pub snapshot: Arc<HotelSnapshot>,
}

#[derive(Debug, Default, Deserialize)]
struct Bookings {
    bookings: Vec<BookingRow>,
}

impl Found {
    /// The stay that the address names.
    pub async fn of(visit: &Visit, who: &SignedIn) -> Result<Self, Stop> {
        let number = visit.id.to_uppercase();
        if !number.starts_with("BK-") {
            return Err(Stop::NotFound);
        }
        let snapshot = look(visit, who).await?;
        let here = way_back(visit);
        let guest = guests::find(&visit.ctx, who, &number, &here)
            .await?
            .unwrap_or_default()
            .guests
            .into_iter()
            .next();
        let same = |booking: &&BookingRow| booking.booking_number == number;
        if let Some(booking) = snapshot.bookings.iter().find(same).cloned() {
            return Ok(Self {
                booking,
                guest,
                snapshot,
            });
        }
        let email = guest
            .as_ref()
            .and_then(|guest| guest.guest_email.clone())
            .ok_or(Stop::NotFound)?;
        let input = json!({ "guest_email": email, "limit": 200 });
        let all = ask::<Bookings>(&visit.ctx, who, "search_bookings", input, &here)
            .await?
            .unwrap_or_default();
        let booking = all
            .bookings
            .into_iter()
            .find(|booking| same(&booking))
            .ok_or(Stop::NotFound)?;
        Ok(Self {
            booking,
            guest,
            snapshot,
        })
    }

    /// Where it stands today.
    pub fn arrival_status(&self) -> ArrivalStatus {
        arrival_status(&self.booking, self.snapshot.today)
    }

    /// The guest's name, or the booking's number.
    pub fn name(&self) -> String {
        self.booking
            .guest_name
            .clone()
            .unwrap_or_else(|| self.booking.booking_number.clone())
    }

    /// The guest's email; empty where there is none.
    pub fn email(&self) -> String {
        let known = || {
            self.guest
                .as_ref()
                .and_then(|guest| guest.guest_email.clone())
        };
        self.booking
            .guest_email
            .clone()
            .or_else(known)
            .unwrap_or_default()
    }

    /// Whether it is reserved or in the house.
    pub fn open(&self) -> bool {
        self.arrival_status() != ArrivalStatus::Over
    }
}
