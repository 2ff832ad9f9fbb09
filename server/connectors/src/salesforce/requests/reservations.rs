//! Bookings: listed, created and changed.
//!
//! ```text
//! contact ─→ known, free ─→ opportunity ─→ booking ─→ booked, rivals    create
//! PATCH/POST  queries        POST           POST       queries
//!
//! guard, free ─→ opportunity ─→ rooms ─→ booking ─→ booked, rivals     change
//! queries        PATCH          PATCH×2  PATCH       queries
//! ```
//!
//! `free` doesn't find an occupied room; the booking refers to its result, so nothing is written
//! then. A known contact is touched, and then found only if none of its bookings has this order's
//! reference: of two deliveries of one order the later fails. A new contact has a unique email, to
//! the same effect.

use dewy_domain::{
    inventory::AvailabilityQuery,
    reservation::{
        BookingField, BookingGuest, BookingOrder, BookingQuery, BookingTarget, ChangeOrder,
        WhichBooking,
    },
    upstream_request::Call,
    vocabulary::{BookingStatus, OpportunityStage},
};

use super::{Requests, guests::guest_touch, stay_queries};
use crate::salesforce::{composite::Composite, fields::Fields, soql};

const ROW: &str = "Name, Status__c, Check_In_Date__c, Check_Out_Date__c, Number_of_Guests__c, Special_Requests__c, \
    Room__r.Room_Number__c, Room__r.Room_Type__c, Room__r.Status__c, Room__r.Bed_Configuration__c, Room__r.View_Type__c, \
    Primary_Guest__c, Primary_Guest__r.Name, Primary_Guest__r.Email, Opportunity__r.Amount";

impl Requests {
    /// Matching bookings, by arrival.
    pub(crate) fn bookings(&self, query: &BookingQuery) -> Call {
        self.query(&self.bookings_soql(query))
    }

    pub(super) fn bookings_soql(&self, query: &BookingQuery) -> String {
        let mut fits = Vec::new();
        if let Some(guest) = &query.guest {
            fits.push(soql::of_guest(
                guest,
                "Primary_Guest__r.Email",
                "Primary_Guest__c",
            ));
        }
        if !query.statuses.is_empty() {
            let all: Vec<_> = query
                .statuses
                .iter()
                .map(|status| self.literal(status))
                .collect();
            fits.push(format!("Status__c IN ({})", all.join(", ")));
        }
        if let Some(from) = query.from {
            fits.push(format!("Check_Out_Date__c > {from}"));
        }
        if let Some(to) = query.to {
            fits.push(format!("Check_In_Date__c <= {to}"));
        }
        if let Some(number) = &query.booking_number {
            fits.push(format!("Name = {}", soql::text(number)));
        }
        if let Some(number) = &query.room_number {
            fits.push(format!("Room__r.Room_Number__c = {}", soql::text(number)));
        }
        let mut fits = fits.join(" AND ");
        if query.or_in_house && !fits.is_empty() {
            fits = format!(
                "(({fits}) OR Status__c = {})",
                self.literal(&BookingStatus::CheckedIn)
            );
        }
        if query.or_undated && !fits.is_empty() {
            fits = format!(
                "(({fits}) OR ((Check_In_Date__c = null OR Check_Out_Date__c = null) AND Status__c NOT IN ({})))",
                self.over()
            );
        }
        let fits = if fits.is_empty() {
            fits
        } else {
            format!(" WHERE {fits}")
        };
        let order = if query.newest_first { " DESC" } else { "" };
        format!(
            "SELECT {ROW} FROM Booking__c{fits} ORDER BY Check_In_Date__c{order}, Name{order} LIMIT {}",
            query.limit
        )
    }

    pub(crate) fn reservation(&self, which: &WhichBooking) -> Call {
        self.query(&stay_queries::reservation(&self.fits(which)))
    }

    /// Other bookings of that room for any of these nights.
    pub(crate) fn others(
        &self,
        room_id: &str,
        availability: &AvailabilityQuery,
        which: &WhichBooking,
    ) -> Call {
        self.query(&self.rivals(room_id, availability, ours(which)))
    }

    fn fits(&self, which: &WhichBooking) -> String {
        match which {
            WhichBooking::Number(number) | WhichBooking::Incomplete(number, _) => {
                format!("Name = {}", soql::text(number))
            }
            WhichBooking::Execution(id) => format!("External_ID__c = {}", soql::text(id)),
        }
    }

    /// Creates a booking with everything it needs.
    pub(crate) fn book(&self, order: &BookingOrder) -> Call {
        let (room, availability) = (&order.room.room, &order.availability);
        let free = format!(
            "SELECT Id FROM Hotel_Room__c WHERE Id = {} AND {}",
            soql::text(&room.id),
            self.free(availability)
        );
        let composite = Composite::new(self).allow_duplicates(self.allow_duplicates);
        let (composite, contact) = match &order.booker {
            BookingGuest::Known { guest } => {
                let composite = composite.change(
                    "contact",
                    "Contact",
                    &guest.id,
                    &guest.stamp,
                    guest_touch(guest),
                );
                let known = format!(
                    "SELECT Id FROM Contact WHERE Id = {} AND Id NOT IN (SELECT Primary_Guest__c FROM Booking__c WHERE \
                     Primary_Guest__c != null AND External_ID__c = {})",
                    soql::text(&guest.id),
                    soql::text(&order.execution_id)
                );
                (composite.query("known", &known), "known.records[0].Id")
            }
            BookingGuest::New { guest } => (
                composite.make("contact", "Contact", self.new_guest(guest)),
                "contact.id",
            ),
        };
        let composite = composite.query("free", &free);
        let opportunity = Fields::new()
            .text("Name", &order.name)
            .value(&self.vocabulary, &OpportunityStage::BookingConfirmed)
            .money("Amount", order.amount)
            .day("CloseDate", availability.nights.to)
            .day("Arrival_Date__c", availability.nights.from)
            .day("Departure_Date__c", availability.nights.to);
        let booking = Fields::new()
            .refer("Opportunity__c", "opportunity.id")
            .refer("Primary_Guest__c", contact)
            .refer("Room__c", "free.records[0].Id")
            .text("External_ID__c", &order.execution_id)
            .value(&self.vocabulary, &BookingStatus::Reserved)
            .day("Check_In_Date__c", availability.nights.from)
            .day("Check_Out_Date__c", availability.nights.to)
            .raw("Number_of_Guests__c", order.guests.to_string())
            .text_if("Special_Requests__c", order.requests.as_deref());
        let which = WhichBooking::Execution(order.execution_id.clone());
        composite
            .make("opportunity", "Opportunity", opportunity)
            .make("booking", "Booking__c", booking)
            .query("booked", &stay_queries::reservation(&self.fits(&which)))
            .query(
                "rivals",
                &self.rivals(&room.id, availability, Some(&order.execution_id)),
            )
            .call()
    }

    pub(crate) fn change_booking(&self, order: &ChangeOrder) -> Call {
        let stay = &order.there.stay;
        let there = BookingTarget::of(&order.there);
        let wanted = &order.wanted;
        let mut composite = Composite::new(self).query("guard", &self.change_guard(order));
        let room_id = order
            .new_room
            .as_ref()
            .map_or(&stay.room.id, |room| &room.room.id);
        if let Some(availability) = &order.availability {
            let free = format!(
                "SELECT Id FROM Hotel_Room__c WHERE Id = {} AND {}",
                soql::text(room_id),
                self.free(availability)
            );
            composite = composite.query("free", &free);
        }
        let sale = self.sale(&there, wanted);
        if !sale.is_empty() {
            composite = composite.change(
                "opportunity",
                "Opportunity",
                &stay.opportunity.id,
                &stay.opportunity.stamp,
                sale,
            );
        }
        if let (true, Some(new)) = (order.in_house, &order.new_room) {
            let left = Fields::new()
                .value(&self.vocabulary, &order.left_as)
                .raw("Current_Guest__c", "null");
            let taken = Fields::new()
                .value(&self.vocabulary, &order.taken_as)
                .text("Current_Guest__c", &wanted.guest_id);
            // A booking without a room leaves none, and going back to that takes none
            let moves = [
                ("left", &there, &stay.room, left),
                ("taken", wanted, &new.room, taken),
            ];
            for (part, target, room, fields) in moves {
                if !target.missing.contains(&BookingField::Room) {
                    composite =
                        composite.change(part, "Hotel_Room__c", &room.id, &room.stamp, fields);
                }
            }
        }
        let changes = self.booking_changes(&there, wanted);
        let mut booking = self.access.writable("Booking__c", changes);
        let has_room = |target: &BookingTarget| !target.missing.contains(&BookingField::Room);
        if has_room(&there) && !has_room(wanted) {
            booking = booking.raw("Room__c", "null");
        } else if order.availability.is_some() {
            // Refers to the room that was found free, even if it is the same room: an occupied room
            // fails the reference.
            booking = booking.refer("Room__c", "free.records[0].Id");
        } else if there.room_id != wanted.room_id {
            booking = booking.text("Room__c", &wanted.room_id);
        }
        if booking.is_empty() {
            // The booking's stamp moves with every change of it.
            booking = booking.text_or_null("External_ID__c", order.there.external_id.as_deref());
        }
        composite = composite.change_found(
            "booking",
            "Booking__c",
            "guard",
            &stay.booking.stamp,
            booking,
        );
        let which = WhichBooking::Number(stay.booking.number.clone());
        composite = composite.query("booked", &stay_queries::reservation(&self.fits(&which)));
        if let Some(availability) = &order.availability {
            composite = composite.query("rivals", &self.rivals(room_id, availability, None));
        }
        composite.call()
    }

    fn change_guard(&self, order: &ChangeOrder) -> String {
        let stay = &order.there.stay;
        let guests = order.there.guests;
        let guests = guests.map_or("null".to_owned(), |guests| guests.to_string());
        let guests = if self.access.reads("Booking__c", "Number_of_Guests__c") {
            format!(" AND Number_of_Guests__c = {guests}")
        } else {
            String::new()
        };
        let now = |field, value: String| match order.there.missing.contains(&field) {
            true => "null".to_owned(),
            false => value,
        };
        let mut guard = format!(
            "SELECT Id FROM Booking__c WHERE Id = {} AND Status__c = {} AND Primary_Guest__c = {} AND Room__c = {} \
             AND Check_In_Date__c = {} AND Check_Out_Date__c = {}{guests} AND LastModifiedById = {} \
             AND Opportunity__c = {} \
             AND Opportunity__r.StageName = {} AND Opportunity__r.LastModifiedById = {}",
            soql::text(&stay.booking.id),
            self.literal(&stay.booking.status),
            now(BookingField::Guest, soql::text(&stay.booking.guest_id)),
            now(BookingField::Room, soql::text(&stay.room.id)),
            now(BookingField::CheckInDate, stay.booking.check_in.to_string()),
            now(
                BookingField::CheckOutDate,
                stay.booking.check_out.to_string()
            ),
            soql::text(&stay.booking.stamp.by),
            soql::text(&stay.opportunity.id),
            self.literal(&stay.opportunity.stage),
            soql::text(&stay.opportunity.stamp.by),
        );
        let lacks_room = order.there.missing.contains(&BookingField::Room);
        if order.in_house && order.new_room.is_some() && !lacks_room {
            guard.push_str(&format!(
                " AND Room__r.Status__c = {} AND Room__r.Current_Guest__c {}",
                self.literal(&stay.room.status),
                soql::equals(stay.room.current_guest.as_deref()),
            ));
        }
        guard
    }

    /// Changes to the opportunity.
    fn sale(&self, there: &BookingTarget, wanted: &BookingTarget) -> Fields {
        let mut fields = Fields::new();
        if there.stage != wanted.stage {
            fields = fields.value(&self.vocabulary, &wanted.stage);
        }
        if there.amount != wanted.amount {
            fields = match wanted.amount {
                Some(amount) => fields.money("Amount", amount),
                None => fields.raw("Amount", "null"),
            };
        }
        if there.close_date != wanted.close_date {
            fields = fields.day("CloseDate", wanted.close_date);
        }
        dates(
            there,
            wanted,
            fields,
            ["Arrival_Date__c", "Departure_Date__c"],
        )
    }

    /// Changes to the booking, except its room.
    fn booking_changes(&self, there: &BookingTarget, wanted: &BookingTarget) -> Fields {
        let mut fields = Fields::new();
        if there.status != wanted.status {
            fields = fields.value(&self.vocabulary, &wanted.status);
        }
        fields = dates(
            there,
            wanted,
            fields,
            ["Check_In_Date__c", "Check_Out_Date__c"],
        );
        let [had, has] = [there, wanted].map(|target| {
            let known = !target.missing.contains(&BookingField::Guest);
            known.then_some(target.guest_id.as_str())
        });
        if had != has {
            fields = fields.text_or_null("Primary_Guest__c", has);
        }
        if there.guests != wanted.guests {
            fields = fields.raw(
                "Number_of_Guests__c",
                wanted.guests.map_or("null".to_owned(), |n| n.to_string()),
            );
        }
        if there.requests != wanted.requests {
            fields = fields.text_or_null("Special_Requests__c", wanted.requests.as_deref());
        }
        fields
    }
}

/// Changed arrival and departure, in the fields with these names.
fn dates(
    there: &BookingTarget,
    wanted: &BookingTarget,
    mut fields: Fields,
    names: [&str; 2],
) -> Fields {
    let known = |target: &BookingTarget| {
        let day = |field, day| (!target.missing.contains(&field)).then_some(day);
        [
            day(BookingField::CheckInDate, target.nights.from),
            day(BookingField::CheckOutDate, target.nights.to),
        ]
    };
    for ((name, had), has) in names.into_iter().zip(known(there)).zip(known(wanted)) {
        if had != has {
            fields = match has {
                Some(day) => fields.day(name, day),
                None => fields.raw(name, "null"),
            };
        }
    }
    fields
}

fn ours(which: &WhichBooking) -> Option<&str> {
    match which {
        WhichBooking::Execution(id) => Some(id),
        WhichBooking::Number(_) | WhichBooking::Incomplete(..) => None,
    }
}
