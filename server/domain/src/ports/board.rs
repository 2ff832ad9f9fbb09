//! The hotel snapshot behind every board, read once for all viewers.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};

use crate::{
    booking_number::BookingNumber,
    caller::Caller,
    case::Case,
    double_booking::{DoubleBooking, double_bookings},
    execution_view::GuestActivity,
    guest_identity::GuestIdentity,
    hotel_calendar::HotelDay,
    inventory::RoomFacts,
    money::{Cents, Currency},
    reservation::BookingRow,
    room_number::RoomNumber,
    tool_answer::ToolError,
    vocabulary::BookingStatus,
};

/// Number of a guest's newest activities that their pages follow.
pub const GUEST_ACTIVITIES: usize = 20;

/// Rooms, current bookings and open cases, read at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotelSnapshot {
    /// Change number: a different one means different content.
    pub seq: i64,
    /// Time of the read.
    pub as_of: Timestamp,
    /// The hotel's day.
    pub today: Date,
    /// Date of the calendar, which is ahead until the hotel's day changes.
    pub date: Date,
    pub currency: Currency,
    pub rooms: Vec<RoomFacts>,
    /// Bookings from a week ago to four weeks ahead, everyone in house, and bookings without dates,
    /// by arrival. Housekeeping and maintenance see them without names, emails and special
    /// requests.
    pub bookings: Vec<BookingRow>,
    /// Balances of in-house guests by booking number; empty for housekeeping and maintenance.
    pub balances: BTreeMap<BookingNumber, Cents>,
    /// Open cases, newest first.
    pub cases: Vec<Case>,
    /// Names of the lists above that are truncated: `rooms`, `bookings`, `cases`.
    pub cut: Vec<&'static str>,
}

impl HotelSnapshot {
    /// The days that run.
    #[must_use]
    pub const fn day(&self) -> HotelDay {
        HotelDay {
            hotel: self.today,
            calendar: self.date,
        }
    }

    /// Rooms that people can name; the others are among the problems.
    pub fn numbered_rooms(&self) -> impl Iterator<Item = &RoomFacts> {
        self.rooms.iter().filter(|room| room.has_number())
    }

    /// Incomplete records, with what is missing: `Room 204: status is empty`.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let rooms = self.rooms.iter().flat_map(RoomFacts::problems);
        rooms
            .chain(self.bookings.iter().flat_map(BookingRow::problems))
            .collect()
    }

    /// Bookings that share a room for a night from today on.
    #[must_use]
    pub fn double_bookings(&self) -> Vec<DoubleBooking<'_>> {
        double_bookings(&self.bookings, self.today)
    }

    pub fn bookings_of_guest(&self, guest: &GuestIdentity) -> impl Iterator<Item = &BookingRow> {
        self.bookings.iter().filter(|booking| {
            guest.owns(booking.guest_email.as_deref(), booking.guest_id.as_deref())
        })
    }

    /// Booking of that guest; one in house comes first.
    #[must_use]
    pub fn booking_of_guest(&self, guest: &GuestIdentity) -> Option<&BookingRow> {
        let bookings = self.bookings_of_guest(guest);
        bookings.min_by_key(|booking| booking.booking_status != BookingStatus::CheckedIn)
    }

    /// Rooms in which that guest stays now.
    #[must_use]
    pub fn rooms_of_guest(&self, guest: &GuestIdentity) -> Vec<RoomNumber> {
        let here = |booking: &&BookingRow| booking.booking_status == BookingStatus::CheckedIn;
        let bookings = self.bookings_of_guest(guest).filter(here);
        let mut rooms: Vec<_> = bookings.filter_map(|one| one.room_number.clone()).collect();
        rooms.sort();
        rooms
    }
}

/// What is known about the hotel without a new read.
#[derive(Clone, Debug, Default)]
pub struct Latest {
    /// The newest snapshot, if it is recent enough to show.
    pub snapshot: Option<Arc<HotelSnapshot>>,
    /// The booking system does not answer: the last read failed.
    pub failing: bool,
}

/// Boards with many viewers. No decision may depend on them: a tool always reads fresh data.
#[async_trait]
pub trait Board: Send + Sync + std::fmt::Debug {
    /// A snapshot at most five seconds old; concurrent callers share one read.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for callers who are not staff, and any error of the booking system.
    async fn snapshot(&self, caller: &Caller) -> Result<Arc<HotelSnapshot>, ToolError>;

    /// Returns the number of the newest snapshot once it differs from `after`, or after `at_most`.
    /// While anyone waits here, the hotel is polled, at the same rate for one viewer as for a
    /// hundred.
    async fn snapshot_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;

    /// The same for a guest: a number that changes when their bookings, rooms, balance, open cases
    /// or activities do. A guest viewer costs no more than a staff viewer.
    async fn guest_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;

    /// The current number for a guest with these [`GUEST_ACTIVITIES`] newest activities, or -1.
    async fn guest_number(&self, caller: &Caller, activities: &[GuestActivity]) -> i64;

    /// What is already known; reads nothing.
    async fn known(&self, caller: &Caller) -> Latest;

    /// What is already known. Reads the hotel only if someone has just changed it from a board.
    async fn latest(&self, caller: &Caller) -> Latest;

    /// Marks earlier reads as outdated, because someone has just changed the hotel from a board.
    async fn acted(&self) {}
}
