//! Guests as they are searched for.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::stay::Stamp;

/// A contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guest {
    /// Record id.
    pub id: String,
    /// `FirstName`.
    pub first_name: String,
    /// `LastName`.
    pub last_name: String,
    /// Lower case.
    pub email: Option<String>,
    /// Mobile phone, else phone.
    pub phone: Option<String>,
    /// `Loyalty_Number__c`.
    pub loyalty_number: Option<String>,
    /// `Unique_Email__c`, empty where the contact has none; `None` in what older releases
    /// journaled. A touch writes it again.
    #[serde(default)]
    pub unique_email: Option<String>,
    /// Stamp.
    pub stamp: Stamp,
    /// Stays that are not over.
    pub stays: Vec<GuestStay>,
}

/// One of a guest's stays that are not over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestStay {
    /// The booking's record id.
    pub booking_id: String,
    /// `BK-…`.
    pub booking_number: String,
    /// `Status__c`.
    pub booking_status: String,
    /// The room's record id.
    pub room_id: String,
    /// The room.
    pub room_number: String,
    /// Arrival.
    pub check_in_date: Date,
    /// Departure.
    pub check_out_date: Date,
}

/// By what guests are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuestQuery {
    /// Exactly this email.
    Email(String),
    /// An email that contains this.
    EmailPart(String),
    /// A phone number that ends with these digits.
    Phone(String),
    /// A name that contains every one of these words.
    Name(Vec<String>),
    /// Whose booking this is.
    Booking(String),
    /// Who is, or is about to be, in this room.
    Room(String),
}
