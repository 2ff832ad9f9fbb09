//! A booking with everything needed to create, change or cancel one.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    guest::Guest,
    guest_identity::GuestIdentity,
    inventory::{AvailabilityQuery, ConflictingBooking, RoomFacts},
    money::Cents,
    nights::Nights,
    room_number::RoomNumber,
    stay::{Room, Stamp, Stay},
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};

/// A booking, its room, its guest, its opportunity and its folio.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Booking, room, opportunity and folio.
    pub stay: Stay,
    /// Rate, type and size of the room.
    pub room: RoomFacts,
    /// Guest's email, lower case, if any.
    pub guest_email: Option<EmailAddress>,
    /// `Number_of_Guests__c`.
    pub guests: Option<i64>,
    /// `Special_Requests__c`.
    pub requests: Option<String>,
    /// `External_ID__c`: the execution that created it, if one of ours did.
    pub external_id: Option<String>,
    /// Fields that are empty in the booking system; here they have the values that will fill them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<BookingField>,
}

/// Field of a booking that others may have left empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BookingField {
    /// `Check_In_Date__c`.
    CheckInDate,
    /// `Check_Out_Date__c`.
    CheckOutDate,
    /// `Room__c`.
    Room,
    /// `Primary_Guest__c`.
    Guest,
}

/// Values for the empty fields of a booking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookingFill {
    /// Arrival.
    pub check_in: Option<Date>,
    /// Departure.
    pub check_out: Option<Date>,
    pub room: Option<RoomFacts>,
    /// Contact record id of the guest.
    pub guest_id: Option<String>,
}

impl BookingFill {
    /// Stand-ins for whatever is empty, to end a booking that was never complete.
    #[must_use]
    pub fn unknown() -> Self {
        let room = RoomFacts {
            room: Room {
                id: String::new(),
                number: "".into(),
                status: RoomStatus::default(),
                current_guest: None,
                stamp: Stamp::default(),
            },
            kind: String::new(),
            floor: None,
            rate: Cents(0),
            sleeps: 0,
            beds: None,
            view: None,
            accessible: false,
            square_footage: None,
            missing: Vec::new(),
        };
        Self {
            check_in: Some(Date::ZERO),
            check_out: Some(Date::ZERO),
            room: Some(room),
            guest_id: Some(String::new()),
        }
    }

    /// The values that fill this reservation's empty fields.
    #[must_use]
    pub fn of(there: &Reservation) -> Self {
        let lacks = |field| there.missing.contains(&field);
        let booking = &there.stay.booking;
        Self {
            check_in: lacks(BookingField::CheckInDate).then_some(booking.check_in),
            check_out: lacks(BookingField::CheckOutDate).then_some(booking.check_out),
            room: lacks(BookingField::Room).then(|| there.room.clone()),
            guest_id: lacks(BookingField::Guest).then(|| booking.guest_id.clone()),
        }
    }
}

impl Reservation {
    #[must_use]
    pub const fn nights(&self) -> Nights {
        Nights {
            from: self.stay.booking.check_in,
            to: self.stay.booking.check_out,
        }
    }

    /// Its share of the opportunity's amount: all of it, unless another booking shares the folio; none
    /// while its room or its nights are not known. `None` if the amount is empty.
    #[must_use]
    pub fn share(&self) -> Option<Cents> {
        if self.stay.shares_folio_with.is_empty() {
            self.stay.opportunity.amount
        } else if self
            .missing
            .iter()
            .any(|field| *field != BookingField::Guest)
        {
            Some(Cents(0))
        } else {
            Some(Cents(self.room.rate.0 * self.nights().count()))
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhichBooking {
    Number(BookingNumber),
    /// Execution that created it.
    Execution(String),
    /// Booking number of a booking with empty fields, and what they are read as.
    Incomplete(BookingNumber, Box<BookingFill>),
}

impl WhichBooking {
    /// The booking as it was read, whatever it lacks.
    #[must_use]
    pub fn of(there: &Reservation) -> Self {
        let number = there.stay.booking.number.clone();
        match there.missing.is_empty() {
            true => Self::Number(number),
            false => Self::Incomplete(number, Box::new(BookingFill::of(there))),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "snake_case")]
pub enum BookingGuest {
    /// An existing contact; never overwritten.
    Known {
        /// Contact as read; its stamp is the precondition of the whole write.
        guest: Guest,
    },
    /// A new contact.
    New {
        /// Contact to create.
        guest: NewGuest,
    },
}

/// A contact to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGuest {
    /// Email, lower case; unique among contacts.
    pub email: EmailAddress,
    /// The guest has none: the email is a stand-in, unique for the order, and never sent to.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_email: bool,
    /// `FirstName`.
    pub first_name: String,
    /// `LastName`.
    pub last_name: String,
    /// `MobilePhone`.
    pub phone: Option<String>,
    /// `Contact_Type__c`.
    pub kind: String,
}

/// A booking to create: contact if new, opportunity and booking, all or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookingOrder {
    /// Our reference, which identifies it.
    pub execution_id: String,
    pub booker: BookingGuest,
    /// Room; refused if it is taken by then.
    pub room: RoomFacts,
    /// Nights, and the booking to ignore.
    pub availability: AvailabilityQuery,
    /// Number of guests.
    pub guests: i64,
    /// Special requests.
    pub requests: Option<String>,
    /// Amount: nights × rate.
    pub amount: Cents,
    /// Name of the opportunity.
    pub name: String,
}

/// Target state of a booking. Values equal to the current ones are not written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingTarget {
    /// `Status__c`.
    pub status: BookingStatus,
    pub nights: Nights,
    /// Room record id.
    pub room_id: String,
    /// Contact record id of the guest.
    pub guest_id: String,
    /// Number of guests.
    pub guests: Option<i64>,
    /// Special requests.
    pub requests: Option<String>,
    /// Opportunity's stage.
    pub stage: OpportunityStage,
    /// Opportunity's amount; `None` if it is empty.
    pub amount: Option<Cents>,
    pub close_date: Date,
    /// Fields that are empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<BookingField>,
}

impl BookingTarget {
    /// State of the current reservation.
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
            missing: there.missing.clone(),
        }
    }
}

/// A change of a booking, all or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOrder {
    /// Reservation as read; each written row has its stamp as precondition.
    pub there: Reservation,
    /// Target state.
    pub wanted: BookingTarget,
    /// New room, if the booking moves.
    pub new_room: Option<RoomFacts>,
    /// Refused where the wanted room is taken for these nights; `None` when neither room nor nights
    /// change.
    pub availability: Option<AvailabilityQuery>,
    /// The guest is in house: the rooms' statuses and guests change with the booking.
    pub in_house: bool,
    /// Status of the room left behind: Cleaning, unless somebody closed it during the stay; its
    /// former status when reverting.
    pub left_as: RoomStatus,
    /// Status of the room moved into: Occupied, or its former status when reverting.
    pub taken_as: RoomStatus,
}

/// Result of a booking write, or the current state of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservationState {
    /// Current booking.
    pub there: Reservation,
    /// Other bookings of the same room for at least one of its nights.
    #[serde(rename = "rivals")]
    pub conflicts: Vec<ConflictingBooking>,
}

/// Filters for listing bookings; all given filters must match.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BookingQuery {
    pub guest: Option<GuestIdentity>,
    /// Allowed statuses; empty for any.
    pub statuses: Vec<BookingStatus>,
    /// First day: at least one night on or after it.
    pub from: Option<Date>,
    /// Latest day of arrival.
    pub to: Option<Date>,
    pub booking_number: Option<BookingNumber>,
    pub room_number: Option<RoomNumber>,
    /// Also include everyone who is checked in, whatever the other filters: a guest who overstays
    /// must not disappear.
    pub or_in_house: bool,
    /// Also include bookings that are not over and lack arrival or departure: no other query finds
    /// them, and staff must complete them.
    pub or_undated: bool,
    /// Sort by arrival, latest first.
    pub newest_first: bool,
    /// Maximum number of results, by arrival.
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingRow {
    /// Booking number: `BK-…`.
    pub booking_number: BookingNumber,
    /// `Status__c`.
    pub booking_status: BookingStatus,
    /// Arrival date.
    pub check_in_date: Option<Date>,
    /// Departure date.
    pub check_out_date: Option<Date>,
    pub room_number: Option<RoomNumber>,
    pub room_type: Option<String>,
    pub room_status: Option<RoomStatus>,
    /// Bed configuration.
    pub beds: Option<String>,
    pub view: Option<String>,
    pub number_of_guests: Option<i64>,
    pub special_requests: Option<String>,
    /// Record id of the guest's contact; internal.
    #[serde(skip)]
    pub guest_id: Option<String>,
    /// Guest's name.
    pub guest_name: Option<String>,
    pub guest_email: Option<EmailAddress>,
    /// Price of the whole stay, without charges.
    #[serde(default)]
    pub total: Option<Cents>,
    /// Booked price per night; `None` if the total is not divisible by the number of nights.
    #[serde(default)]
    pub nightly_rate: Option<Cents>,
}

impl BookingRow {
    /// What staff must complete while the booking is not over: `Booking BK-0042: room is empty`.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        if self.booking_status.is_over() {
            return Vec::new();
        }
        let fields = [
            ("status", self.booking_status.as_str().is_empty()),
            ("arrival", self.check_in_date.is_none()),
            ("departure", self.check_out_date.is_none()),
            ("room", self.room_number.is_none()),
            ("guest", self.guest_id.is_none()),
        ];
        let missing = fields.into_iter().filter(|(_, is_missing)| *is_missing);
        missing
            .map(|(field, _)| format!("Booking {}: {field} is empty", self.booking_number))
            .collect()
    }
}
