//! Room on the board: occupancy, condition, and today's events.

use dewy_domain::{
    inventory::RoomFacts,
    ports::HotelSnapshot,
    reservation::BookingRow,
    vocabulary::{BookingStatus, RoomStatus},
};

use crate::pages::staff::board::{ArrivalStatus, arrival_status};

/// Condition of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Ready.
    Clean,
    /// Being cleaned, or waiting for it.
    Dirty,
    /// Under repair or out of service.
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
    /// Room.
    pub facts: &'a RoomFacts,
    /// Whether it is occupied.
    pub occupied: bool,
    /// Condition.
    pub condition: Condition,
    /// Current guest.
    pub guest: Option<&'a BookingRow>,
    /// Guest who departs today, or should have departed.
    pub leaves: Option<&'a BookingRow>,
    /// Guest who arrives today, or should have arrived.
    pub arrives: Option<&'a BookingRow>,
}

impl<'a> RoomState<'a> {
    /// Creates the tile from the snapshot.
    pub fn of(facts: &'a RoomFacts, snapshot: &'a HotelSnapshot) -> Self {
        let status = &facts.room.status;
        let occupied = *status == RoomStatus::Occupied || facts.room.current_guest.is_some();
        let condition = match status {
            RoomStatus::Cleaning => Condition::Dirty,
            // A room without a status is not let.
            RoomStatus::Maintenance | RoomStatus::OutOfService => Condition::Out,
            RoomStatus::Other(status) if status.is_empty() => Condition::Out,
            _ if occupied => Condition::InUse,
            _ => Condition::Clean,
        };
        let here = || {
            snapshot
                .bookings
                .iter()
                .filter(|b| b.room_number.as_deref() == Some(facts.room.number.as_str()))
        };
        let is = |booking: &&BookingRow, wanted: fn(ArrivalStatus) -> bool| {
            wanted(arrival_status(booking, snapshot.today))
        };
        Self {
            facts,
            occupied,
            condition,
            guest: here().find(|b| b.booking_status == BookingStatus::CheckedIn),
            leaves: here().find(|b| {
                is(b, |s| {
                    matches!(s, ArrivalStatus::Leaves | ArrivalStatus::Overdue(_))
                })
            }),
            arrives: here().find(|b| is(b, |s| matches!(s, ArrivalStatus::Arrives))),
        }
    }

    /// `Clean`, `Needs cleaning`, `Under repair`, `Out of service`, `In use`.
    pub fn label(&self) -> &'static str {
        match (self.condition, &self.facts.room.status) {
            (Condition::Clean, _) => "Clean",
            (Condition::Dirty, _) => "Needs cleaning",
            (Condition::Out, RoomStatus::Maintenance) => "Under repair",
            (Condition::Out, RoomStatus::Other(status)) if status.is_empty() => "Status missing",
            (Condition::Out, _) => "Out of service",
            (Condition::InUse, _) => "In use",
        }
    }

    /// Whether the tile matches the filter.
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
