//! Cases: what guests and staff ask to have done.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::stay::Stamp;

/// A case as it is listed and changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Record id.
    pub id: String,
    /// `CaseNumber`.
    pub number: String,
    /// In a line.
    pub subject: String,
    /// In full.
    pub description: String,
    /// `Status`.
    pub status: String,
    /// `Priority`.
    pub priority: String,
    /// `Type`.
    pub kind: String,
    /// `IsClosed`.
    pub closed: bool,
    /// When it was opened.
    pub created_at: Timestamp,
    /// The room's record id.
    pub room_id: Option<String>,
    /// The room.
    pub room_number: Option<String>,
    /// `BK-…`.
    pub booking_number: Option<String>,
    /// The guest's record id.
    pub contact_id: Option<String>,
    /// The guest's name.
    pub guest_name: Option<String>,
    /// The guest's email, lower case.
    pub guest_email: Option<String>,
    /// `External_ID__c`: the execution that opened it, if one of ours did.
    pub external_id: Option<String>,
    /// Stamp.
    pub stamp: Stamp,
    /// What was said about it, newest first.
    pub comments: Vec<CaseComment>,
}

/// Something said about a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseComment {
    /// Record id; empty in what older releases journaled.
    #[serde(default)]
    pub id: String,
    /// The words.
    pub body: String,
    /// When.
    pub at: Timestamp,
    /// By which user.
    pub by: String,
}

/// Which cases to read; all that is given must fit.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CaseQuery {
    /// This one.
    pub number: Option<String>,
    /// The one that this execution opened.
    pub execution_id: Option<String>,
    /// Of this guest.
    pub guest_email: Option<String>,
    /// Open ones, or closed ones.
    pub open: Option<bool>,
    /// In this status.
    pub status: Option<String>,
    /// Of this priority.
    pub priority: Option<String>,
    /// Of this type.
    pub kind: Option<String>,
    /// About this room.
    pub room_number: Option<String>,
    /// At most so many, newest first.
    pub limit: u32,
}

impl CaseQuery {
    /// The case of that number; people leave out the zeros in front.
    #[must_use]
    pub fn numbered(number: &str) -> Self {
        Self {
            number: Some(format!("{number:0>8}")),
            limit: 1,
            ..Self::default()
        }
    }
}

/// A case to be opened. Our own reference is unique among cases, so that it is opened once however
/// often it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseOrder {
    /// Our own reference.
    pub execution_id: String,
    /// In a line.
    pub subject: String,
    /// In full.
    pub description: String,
    /// `Type`.
    pub kind: String,
    /// `Priority`.
    pub priority: String,
    /// `Origin`.
    pub origin: String,
    /// The guest's contact.
    pub contact_id: Option<String>,
    /// The guest's booking.
    pub booking_id: Option<String>,
    /// The room.
    pub room_id: Option<String>,
}

/// What of a case is to be different.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CaseChange {
    /// `Status`.
    pub status: Option<String>,
    /// `Priority`.
    pub priority: Option<String>,
    /// `Type`.
    pub kind: Option<String>,
    /// In a line.
    pub subject: Option<String>,
    /// In full.
    pub description: Option<String>,
    /// The room's record id.
    pub room_id: Option<String>,
    /// The guest's record id.
    pub contact_id: Option<String>,
    /// Something to be said about it.
    pub comment: Option<String>,
}
