//! The hotel at a glance: what every board shows, read once for all who look.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};

use crate::{
    caller::Caller,
    case::Case,
    error_code::ErrorCode,
    inventory::RoomFacts,
    money::{Cents, Currency},
    reservation::BookingRow,
};

/// Rooms, bookings around today, and open cases, all of one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotelSnapshot {
    /// Another number means that something is different.
    pub seq: i64,
    /// When it was read.
    pub as_of: Timestamp,
    /// What today is in the hotel's time zone.
    pub today: Date,
    /// In what the balances are.
    pub currency: Currency,
    /// Every room, by number.
    pub rooms: Vec<RoomFacts>,
    /// Bookings that touch the days from a week ago to four weeks ahead, whoever is in the house,
    /// and those without dates, by arrival. Housekeeping and maintenance see them without names,
    /// emails and wishes.
    pub bookings: Vec<BookingRow>,
    /// What the guests in the house owe, by booking number; empty for housekeeping and maintenance.
    pub balances: BTreeMap<String, Cents>,
    /// Cases that are not closed, newest first.
    pub cases: Vec<Case>,
    /// Names of lists above that hold not everything, because there was more than is read: `rooms`,
    /// `bookings`, `cases`.
    pub cut: Vec<&'static str>,
}

impl HotelSnapshot {
    /// Records in which something is missing, by name: `Room 204: status is empty`.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let rooms = self.rooms.iter().flat_map(RoomFacts::problems);
        rooms
            .chain(self.bookings.iter().flat_map(BookingRow::problems))
            .collect()
    }
}

/// What is known of the hotel without asking it.
#[derive(Clone, Debug, Default)]
pub struct Latest {
    /// The newest snapshot, if it may still be shown.
    pub snapshot: Option<Arc<HotelSnapshot>>,
    /// The booking system does not answer: the last reading failed.
    pub failing: bool,
}

/// Boards many people look at. Decisions are never made on them: a tool reads anew what it decides
/// on.
#[async_trait]
pub trait Board: Send + Sync + std::fmt::Debug {
    /// The hotel as it was at most five seconds ago; one reading serves everybody who asks
    /// meanwhile.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for who is not staff, and whatever kept the booking system from answering.
    async fn snapshot(&self, caller: &Caller) -> Result<Arc<HotelSnapshot>, ErrorCode>;

    /// Returns the number of the newest snapshot when it differs from `after`, or after `at_most`.
    /// While somebody waits here, the hotel is looked at from time to time, the same few times for
    /// one viewer and for a hundred.
    async fn glance_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;

    /// The same for a guest: a number that differs when anything of theirs does, their bookings
    /// around today with the rooms and what is owed, their open cases, or what was done for them. A
    /// guest who looks costs no more than staff who look.
    async fn guest_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;

    /// What is known already. The hotel is read for it only where somebody has just changed it from
    /// a board.
    async fn latest(&self, caller: &Caller) -> Latest;

    /// Somebody has just changed the hotel from a board and is shown it next: what was read before
    /// is old.
    async fn acted(&self) {}
}
