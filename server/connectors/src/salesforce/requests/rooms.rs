//! Rooms: search, availability guard, and status.

use dewy_domain::{
    inventory::{AvailabilityQuery, RoomFacts, RoomQuery, RoomStatusOrder},
    stay::Room,
    upstream_request::Call,
    vocabulary::BookingStatus,
};

use super::Requests;
use crate::salesforce::{Picklist, composite::Composite, fields::Fields, soql};

pub(super) const ROOM: &str = "Id, Room_Number__c, Status__c, Current_Guest__c, LastModifiedDate, LastModifiedById, Room_Type__c, \
    Floor__c, Nightly_Rate__c, Max_Occupancy__c, Bed_Configuration__c, View_Type__c, Accessible__c, Square_Footage__c";

impl Requests {
    /// Matching rooms by number; one more than requested shows whether the list is truncated.
    pub(crate) fn rooms(&self, query: &RoomQuery) -> Call {
        let mut fits = Vec::new();
        if let Some(number) = &query.number {
            fits.push(format!("Room_Number__c = {}", soql::text(number)));
        }
        if let Some(kind) = &query.kind {
            fits.push(format!(
                "Room_Type__c = {}",
                soql::text(self.vocabulary.theirs(Picklist::RoomType, kind))
            ));
        }
        if let Some(floor) = query.floor {
            fits.push(format!("Floor__c = {floor}"));
        }
        if let Some(status) = &query.status {
            fits.push(format!("Status__c = {}", self.literal(status)));
        }
        // Rooms without a known size are listed as such
        let sized = self.access.reads("Hotel_Room__c", "Max_Occupancy__c");
        if let Some(sleeps) = query.sleeps.filter(|_| sized) {
            fits.push(format!("Max_Occupancy__c >= {sleeps}"));
        }
        if let Some(availability) = &query.free {
            fits.push(self.free(availability));
        }
        let fits = soql::all_of(&fits);
        self.query(&format!(
            "SELECT {ROOM} FROM Hotel_Room__c{fits} ORDER BY Room_Number__c LIMIT {}",
            query.limit
        ))
    }

    /// Condition for an available room: not taken, and in a status in which it can be let; one that
    /// only the org knows may mean anything. A room under repair may be ready by another day.
    pub(super) fn free(&self, availability: &AvailabilityQuery) -> String {
        let lettable = availability.lettable();
        let lettable: Vec<_> = lettable.iter().map(|status| self.literal(status)).collect();
        format!(
            "Status__c IN ({}) AND Id NOT IN (SELECT Room__c FROM Booking__c WHERE Room__c != null AND {})",
            lettable.join(", "),
            self.taken(availability)
        )
    }

    /// Condition for a booking that occupies a room. Nights are half-open. A guest who is still
    /// checked in after the departure date occupies the room until check-out.
    pub(super) fn taken(&self, availability: &AvailabilityQuery) -> String {
        let in_house = self.literal(&BookingStatus::CheckedIn);
        let leaves_late = if availability.nights.from <= availability.today {
            format!(
                " OR (Status__c = {in_house} AND Check_Out_Date__c < {})",
                availability.today
            )
        } else {
            String::new()
        };
        let mut taken = format!(
            "Status__c NOT IN ({}) AND Check_In_Date__c < {} AND (Check_Out_Date__c > {}{leaves_late})",
            self.over(),
            availability.nights.to,
            availability.nights.from,
        );
        if let Some(but) = &availability.but {
            taken.push_str(&format!(" AND Id != {}", soql::text(but)));
        }
        taken
    }

    /// Bookings that occupy the room on any of these nights, earliest first.
    pub(super) fn rivals(
        &self,
        room_id: &str,
        availability: &AvailabilityQuery,
        but_of: Option<&str>,
    ) -> String {
        let but = but_of.map_or_else(String::new, |id| {
            format!(" AND External_ID__c != {}", soql::text(id))
        });
        format!(
            "SELECT Id, Name, CreatedDate, CreatedById FROM Booking__c WHERE Room__c = {} AND {}{but} ORDER BY CreatedDate, Id",
            soql::text(room_id),
            self.taken(availability)
        )
    }

    /// Sets a room's status, guarded by its previous status.
    pub(crate) fn set_room_status(&self, order: &RoomStatusOrder) -> Call {
        let room = &order.room;
        let mut status = Fields::new().value(&self.vocabulary, &order.status);
        // Left behind by a stay that others moved: whoever lives here is not asked about
        if room.current_guest.is_some() {
            status = status.text_or_null("Current_Guest__c", None);
        }
        Composite::new(self)
            .query("guard", &self.room_guard(room))
            .change_found("change", "Hotel_Room__c", "guard", &room.stamp, status)
            .query(
                "room",
                &format!(
                    "SELECT {ROOM} FROM Hotel_Room__c WHERE Id = {}",
                    soql::text(&room.id)
                ),
            )
            .call()
    }

    /// Finds the room only if it is as it was read.
    pub(super) fn room_guard(&self, room: &Room) -> String {
        format!(
            "SELECT Id FROM Hotel_Room__c WHERE Id = {} AND Status__c = {} AND Current_Guest__c {} AND LastModifiedById = {}",
            soql::text(&room.id),
            self.literal(&room.status),
            soql::equals(room.current_guest.as_deref()),
            soql::text(&room.stamp.by)
        )
    }

    /// Writes the room's size unchanged, so that its stamp moves: no decision depends on it, and it
    /// is rarely edited. A size that is empty or was hidden is not written: it could be there by now.
    pub(crate) fn touch_room(&self, facts: &RoomFacts) -> Call {
        let size = facts.square_footage.map(|feet| {
            let size = Fields::new().raw("Square_Footage__c", feet.to_string());
            self.access.writable("Hotel_Room__c", size)
        });
        let own = size
            .filter(|size| !size.is_empty())
            .unwrap_or_else(|| Fields::new().value(&self.vocabulary, &facts.room.status));
        self.update("Hotel_Room__c", &facts.room.id, &facts.room.stamp, own)
    }
}
