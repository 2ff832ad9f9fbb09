//! Port for what anyone may see of the hotel: rooms for sale, without an account.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    error_code::ErrorCode,
    inventory::{MissingField, RoomFacts},
    money::{Cents, Currency},
    nights::Nights,
    room_number::RoomNumber,
};

/// A room for sale, without anything about its guests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicRoom {
    /// `302`.
    pub number: RoomNumber,
    /// `Deluxe`.
    pub kind: String,
    /// `1 King`.
    pub beds: Option<String>,
    /// `Ocean`.
    pub view: Option<String>,
    /// Maximum number of guests.
    pub sleeps: i64,
    pub accessible: bool,
    /// Size.
    pub square_feet: Option<i64>,
    /// Price per night.
    pub rate: Cents,
}

impl PublicRoom {
    /// The public part of a room; `None` without a known number, price or size, because it is
    /// not for sale then.
    #[must_use]
    pub fn of(room: &RoomFacts) -> Option<Self> {
        let incomplete = [
            MissingField::RoomNumber,
            MissingField::NightlyRate,
            MissingField::MaxOccupancy,
        ]
        .iter()
        .any(|what| room.missing.contains(what));
        (!incomplete && !room.kind.is_empty()).then(|| Self {
            number: room.room.number.clone(),
            kind: room.kind.clone(),
            beds: room.beds.clone(),
            view: room.view.clone(),
            sleeps: room.sleeps,
            accessible: room.accessible,
            square_feet: room.square_footage,
            rate: room.rate,
        })
    }
}

/// Rooms for sale, as read at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicRooms {
    /// By room number.
    pub rooms: Vec<PublicRoom>,
    pub currency: Currency,
}

/// Rooms shown to visitors, from a shared cache: a page view makes no call to Salesforce. Bookings
/// never rely on it; they read fresh data.
#[async_trait]
pub trait PublicInventory: Send + Sync + std::fmt::Debug {
    /// All rooms for sale, a few minutes old at most while the booking system answers.
    ///
    /// # Errors
    /// Any error of the booking system, if nothing was read before.
    async fn rooms(&self) -> Result<Arc<PublicRooms>, ErrorCode>;

    /// Rooms that are free for all of these nights, at most a minute old.
    ///
    /// # Errors
    /// `RATE_LIMITED` when visitors ask for more different dates than the hotel's share of calls
    /// allows, and any error of the booking system.
    async fn free(&self, nights: Nights) -> Result<Arc<PublicRooms>, ErrorCode>;
}
