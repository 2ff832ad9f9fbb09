//! A booking with everything that making, changing and cancelling one decides on.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    guest::Guest,
    inventory::{AvailabilityQuery, Rival, RoomFacts},
    money::Cents,
    nights::Nights,
    stay::Stay,
};

/// A booking, its room, its guest, its opportunity and its folio.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Booking, room, opportunity and folio.
    pub stay: Stay,
    /// The room's rate, type and size.
    pub room: RoomFacts,
    /// The guest's email, lower case, where there is one.
    pub guest_email: Option<String>,
    /// `Number_of_Guests__c`.
    pub guests: Option<i64>,
    /// `Special_Requests__c`.
    pub requests: Option<String>,
    /// `External_ID__c`: the execution that made it, if one of ours did.
    pub external_id: Option<String>,
}

impl Reservation {
    /// Its nights.
    #[must_use]
    pub const fn nights(&self) -> Nights {
        Nights {
            from: self.stay.booking.check_in,
            to: self.stay.booking.check_out,
        }
    }

    /// Its part of the opportunity's amount: all of it, unless another booking shares the folio.
    #[must_use]
    pub fn share(&self) -> Cents {
        if self.stay.shares_folio_with.is_empty() {
            self.stay.opportunity.amount
        } else {
            Cents(self.room.rate.0 * self.nights().count())
        }
    }
}

/// Which booking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhichBooking {
    /// By its number.
    Number(String),
    /// By the execution that made it.
    Execution(String),
}

/// For whom a booking is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "snake_case")]
pub enum Booker {
    /// Somebody we know; never overwritten.
    Known {
        /// As read; the stamp is the guard of the whole write.
        guest: Guest,
    },
    /// Somebody new.
    New {
        /// To be created.
        guest: NewGuest,
    },
}

/// A contact to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGuest {
    /// Lower case; unique among contacts.
    pub email: String,
    /// `FirstName`.
    pub first_name: String,
    /// `LastName`.
    pub last_name: String,
    /// `MobilePhone`.
    pub phone: Option<String>,
    /// `Contact_Type__c`.
    pub kind: String,
}

/// A booking to be made: contact if new, opportunity and booking, all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookingOrder {
    /// Our own reference, by which it is recognized.
    pub execution_id: String,
    /// For whom.
    pub booker: Booker,
    /// In which room, and for how long; refused where the room is taken by then.
    pub room: RoomFacts,
    /// The nights, and who does not count.
    pub wish: AvailabilityQuery,
    /// How many people.
    pub guests: i64,
    /// What they ask for.
    pub requests: Option<String>,
    /// Nights × rate.
    pub amount: Cents,
    /// The opportunity's name.
    pub name: String,
}

/// What a booking is to look like. Whatever equals what is there is not written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// `Status__c`.
    pub status: String,
    /// Its nights.
    pub nights: Nights,
    /// Its room.
    pub room_id: String,
    /// Its guest's contact.
    pub guest_id: String,
    /// How many people.
    pub guests: Option<i64>,
    /// What they ask for.
    pub requests: Option<String>,
    /// The opportunity's stage.
    pub stage: String,
    /// The opportunity's amount.
    pub amount: Cents,
    /// The opportunity's close date.
    pub close_date: Date,
}

impl Shape {
    /// The shape of what is there.
    #[must_use]
    pub fn of(there: &Reservation) -> Self {
        let (booking, opportunity) = (&there.stay.booking, &there.stay.opportunity);
        Self {
            status: booking.status.clone(),
            nights: there.nights(),
            room_id: there.stay.room.id.clone(),
            guest_id: booking.guest_id.clone(),
            guests: there.guests,
            requests: there.requests.clone().filter(|r| !r.is_empty()),
            stage: opportunity.stage.clone(),
            amount: opportunity.amount,
            close_date: opportunity.close_date,
        }
    }
}

/// A change of a booking, all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOrder {
    /// As it was read; every row that is written is guarded by its stamp.
    pub there: Reservation,
    /// As it is to be.
    pub wanted: Shape,
    /// The room it moves to, when that is another one.
    pub new_room: Option<RoomFacts>,
    /// Refused where the wanted room is taken for these nights; `None` when neither room nor nights
    /// change.
    pub wish: Option<AvailabilityQuery>,
    /// The guest is in the house: the rooms' statuses and guests move with the booking.
    pub in_house: bool,
    /// Putting back: the room left behind becomes what it was, instead of Cleaning.
    pub left_as: &'static str,
}

/// What a booking's write found when it was done, or what is there of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booked {
    /// The booking now.
    pub there: Reservation,
    /// Others that have the same room for one of its nights.
    pub rivals: Vec<Rival>,
}

/// Which bookings to list; all that is given must fit.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BookingQuery {
    /// Of this guest.
    pub guest_email: Option<String>,
    /// In one of these statuses; empty for any.
    pub statuses: Vec<String>,
    /// With at least one night on or after this day.
    pub from: Option<Date>,
    /// Arriving on or before this day.
    pub to: Option<Date>,
    /// In this room.
    pub room_number: Option<String>,
    /// Or checked in, whatever else was asked for: a guest who stayed on is not lost for being
    /// overdue.
    pub or_in_house: bool,
    /// Or not over and without arrival or departure: somebody has to fill them in, and no other
    /// question finds them.
    pub or_undated: bool,
    /// By arrival, the latest first.
    pub newest_first: bool,
    /// At most so many, by arrival.
    pub limit: u32,
}

/// A booking in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingRow {
    /// `BK-…`.
    pub booking_number: String,
    /// `Status__c`.
    pub booking_status: String,
    /// Arrival.
    pub check_in_date: Option<Date>,
    /// Departure.
    pub check_out_date: Option<Date>,
    /// The room.
    pub room_number: Option<String>,
    /// Its type.
    pub room_type: Option<String>,
    /// Its status.
    pub room_status: Option<String>,
    /// Its beds.
    pub beds: Option<String>,
    /// Its view.
    pub view: Option<String>,
    /// How many people.
    pub number_of_guests: Option<i64>,
    /// What they ask for.
    pub special_requests: Option<String>,
    /// The guest's name.
    pub guest_name: Option<String>,
    /// The guest's email.
    pub guest_email: Option<String>,
}

impl BookingRow {
    /// What somebody has to fill in, while the booking is not over: `Booking BK-0042: room is
    /// empty`.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        if matches!(
            self.booking_status.as_str(),
            "Checked Out" | "Cancelled" | "No Show"
        ) {
            return Vec::new();
        }
        let fields = [
            ("status", self.booking_status.is_empty()),
            ("arrival", self.check_in_date.is_none()),
            ("departure", self.check_out_date.is_none()),
            ("room", self.room_number.is_none()),
        ];
        let missing = fields.into_iter().filter(|(_, is_missing)| *is_missing);
        missing
            .map(|(field, _)| format!("Booking {}: {field} is empty", self.booking_number))
            .collect()
    }
}
