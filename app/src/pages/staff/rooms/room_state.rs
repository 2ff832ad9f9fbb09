//! Room on the board: occupancy, condition, and today's events.

use std::collections::HashMap;

use dewy_domain::{hotel_calendar::HotelDay, inventory::RoomFacts};

use crate::pages::{
    prelude::*,
    staff::board::{ArrivalStatus, arrival_status},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Ready.
    Clean,
    /// Being cleaned, or waiting for it.
    Dirty,
    /// Under repair, out of service, or in a status that is missing or unknown.
    Out,
    /// Occupied; the CRM has no other status.
    InUse,
}

impl Condition {
    /// Name in URLs, icons and the style sheet.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Dirty => "dirty",
            Self::Out => "out",
            Self::InUse => "in-use",
        }
    }
}

/// Tile of the grid.
#[derive(Clone, Debug)]
pub struct RoomState<'a> {
    pub facts: &'a RoomFacts,
    pub occupied: bool,
    pub condition: Condition,
    pub guest: Option<&'a BookingRow>,
    /// Guest who departs today, or should have departed.
    pub leaves: Option<&'a BookingRow>,
    /// Guest who arrives today, or should have arrived.
    pub arrives: Option<&'a BookingRow>,
}

impl<'a> RoomState<'a> {
    /// Tiles of all rooms, in the snapshot's order.
    pub fn all(snapshot: &'a HotelSnapshot) -> Vec<Self> {
        let mut by_room: HashMap<&str, Vec<&BookingRow>> = HashMap::new();
        for booking in &snapshot.bookings {
            if let Some(number) = booking.room_number.as_deref() {
                by_room.entry(number).or_default().push(booking);
            }
        }
        let tile = |facts: &'a RoomFacts| {
            let here = by_room.get(facts.room.number.as_str());
            Self::with_bookings(facts, here.map_or(&[], Vec::as_slice), snapshot.day())
        };
        snapshot.numbered_rooms().map(tile).collect()
    }

    pub fn of(facts: &'a RoomFacts, snapshot: &'a HotelSnapshot) -> Self {
        let number = facts.room.number.as_str();
        let here = |booking: &&BookingRow| booking.room_number.as_deref() == Some(number);
        let here: Vec<_> = snapshot.bookings.iter().filter(here).collect();
        Self::with_bookings(facts, &here, snapshot.day())
    }

    fn with_bookings(facts: &'a RoomFacts, here: &[&'a BookingRow], today: HotelDay) -> Self {
        let status = &facts.room.status;
        let occupied = *status == RoomStatus::Occupied || facts.room.current_guest.is_some();
        let condition = match status {
            RoomStatus::Cleaning => Condition::Dirty,
            // A room whose status is missing or unknown is not let.
            RoomStatus::Maintenance | RoomStatus::OutOfService | RoomStatus::Other(_) => {
                Condition::Out
            }
            RoomStatus::Vacant | RoomStatus::Occupied if occupied => Condition::InUse,
            RoomStatus::Vacant | RoomStatus::Occupied => Condition::Clean,
        };
        let first = |wanted: fn(ArrivalStatus) -> bool| {
            let fits = |booking: &&&BookingRow| wanted(arrival_status(booking, today));
            here.iter().find(fits).copied()
        };
        let checked_in =
            |booking: &&&BookingRow| booking.booking_status == BookingStatus::CheckedIn;
        Self {
            facts,
            occupied,
            condition,
            guest: here.iter().find(checked_in).copied(),
            leaves: first(|s| matches!(s, ArrivalStatus::Leaves | ArrivalStatus::Overdue(_))),
            arrives: first(|s| matches!(s, ArrivalStatus::Arrives)),
        }
    }

    /// `Clean`, `Needs cleaning`, `Under repair`, `Out of service`, `In use`, or the org's own word.
    pub fn label(&self) -> &'a str {
        match (self.condition, &self.facts.room.status) {
            (Condition::Clean, _) => "Clean",
            (Condition::Dirty, _) => "Needs cleaning",
            (Condition::Out, RoomStatus::Maintenance) => "Under repair",
            (Condition::Out, RoomStatus::Other(_)) => self.facts.room.status.text(),
            (Condition::Out, _) => "Out of service",
            (Condition::InUse, _) => "In use",
        }
    }

    pub fn matches_filter(&self, show: &str) -> bool {
        match show {
            "occupied" => self.occupied,
            "vacant" => !self.occupied,
            "arriving" => self.arrives.is_some(),
            "leaving" => self.leaves.is_some(),
            "" => true,
            condition => self.condition.name() == condition,
        }
    }
}
