//! Guests as search results.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber, email_address::EmailAddress, guest_identity::GuestIdentity,
    room_number::RoomNumber, stay::Stamp, vocabulary::BookingStatus,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guest {
    pub id: String,
    /// `FirstName`.
    pub first_name: String,
    /// `LastName`.
    pub last_name: String,
    /// Email, lower case.
    pub email: Option<EmailAddress>,
    /// Mobile phone, otherwise phone.
    pub phone: Option<String>,
    /// `Loyalty_Number__c`.
    pub loyalty_number: Option<String>,
    /// `Unique_Email__c`, empty where the contact has none; `None` in journals of older releases. A
    /// touch rewrites it.
    #[serde(default)]
    pub unique_email: Option<String>,
    /// Last modification.
    pub stamp: Stamp,
    /// Current and future stays.
    pub stays: Vec<GuestStay>,
}

/// A guest's current or future stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestStay {
    /// The booking's record id.
    pub booking_id: String,
    /// Booking number: `BK-…`.
    pub booking_number: BookingNumber,
    /// `Status__c`.
    pub booking_status: BookingStatus,
    /// The room's record id.
    pub room_id: String,
    pub room_number: RoomNumber,
    /// Arrival date.
    pub check_in_date: Date,
    /// Departure date.
    pub check_out_date: Date,
}

/// Digits of a phone number that is complete, with or without its country code.
pub const FULL_PHONE: usize = 10;

/// Guest search criteria.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuestQuery {
    /// The contact's record id.
    Id(String),
    /// Exactly this guest's email address, and their own contacts if others have it.
    Email(GuestIdentity),
    /// Part of an email address.
    EmailPart(String),
    /// A phone number that ends with the last ten of these digits; fewer than [`FULL_PHONE`] may
    /// stand anywhere in it.
    Phone(String),
    /// Words that must all occur in the name.
    Name(Vec<String>),
    /// Booking number of the guest, in any of these spellings.
    Booking(Vec<BookingNumber>),
    /// Beginning of a booking number.
    BookingStart(BookingNumber),
    /// Room number of a current or arriving guest.
    Room(RoomNumber),
}
