//! Cases: requests and problems that guests and staff report.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    room_number::RoomNumber,
    stay::Stamp,
    vocabulary::{CaseOrigin, CasePriority, CaseStatus, CaseType},
};

/// A case as listed and changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Record id.
    pub id: String,
    /// `CaseNumber`.
    pub number: String,
    /// One-line summary.
    pub subject: String,
    /// Full text.
    pub description: String,
    /// `Status`.
    pub status: CaseStatus,
    /// `Priority`.
    pub priority: CasePriority,
    /// `Type`.
    pub kind: CaseType,
    /// `IsClosed`.
    pub closed: bool,
    /// Creation time.
    pub created_at: Timestamp,
    /// The room's record id.
    pub room_id: Option<String>,
    /// Room number.
    pub room_number: Option<RoomNumber>,
    /// Booking number: `BK-…`.
    pub booking_number: Option<BookingNumber>,
    /// Contact record id of the guest.
    pub contact_id: Option<String>,
    /// The guest's name.
    pub guest_name: Option<String>,
    /// Guest's email, lower case.
    pub guest_email: Option<EmailAddress>,
    /// `External_ID__c`: the execution that opened it, if one of ours did.
    pub external_id: Option<String>,
    /// Last modification.
    pub stamp: Stamp,
    /// Comments, newest first.
    pub comments: Vec<CaseComment>,
}

/// A comment on a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseComment {
    /// Record id; empty in journals written by older releases.
    #[serde(default)]
    pub id: String,
    /// Text.
    pub body: String,
    /// Creation time.
    pub at: Timestamp,
    /// Author's user id.
    pub by: String,
}

/// Filters for reading cases; all given filters must match.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CaseQuery {
    /// Case number.
    pub number: Option<String>,
    /// Execution that opened it.
    pub execution_id: Option<String>,
    /// Guest's email.
    pub guest_email: Option<EmailAddress>,
    /// True for open cases, false for closed ones.
    pub open: Option<bool>,
    /// `Status`.
    pub status: Option<CaseStatus>,
    /// `Priority`.
    pub priority: Option<CasePriority>,
    /// `Type`.
    pub kind: Option<CaseType>,
    /// Room number.
    pub room_number: Option<RoomNumber>,
    /// Maximum number of results, newest first.
    pub limit: u32,
}

impl CaseQuery {
    /// Query for a case number, with leading zeros added if people leave them out.
    #[must_use]
    pub fn numbered(number: &str) -> Self {
        Self {
            number: Some(format!("{number:0>8}")),
            limit: 1,
            ..Self::default()
        }
    }
}

/// A case to open. Our reference is unique among cases, so the case is opened once however often
/// the request is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCaseRequest {
    /// Our reference.
    pub execution_id: String,
    /// One-line summary.
    pub subject: String,
    /// Full text.
    pub description: String,
    /// `Type`.
    pub kind: CaseType,
    /// `Priority`.
    pub priority: CasePriority,
    /// `Origin`.
    pub origin: CaseOrigin,
    /// Contact record id of the guest.
    pub contact_id: Option<String>,
    /// Booking record id.
    pub booking_id: Option<String>,
    /// Room record id.
    pub room_id: Option<String>,
}

/// Changes to a case.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CaseChange {
    /// `Status`.
    pub status: Option<CaseStatus>,
    /// `Priority`.
    pub priority: Option<CasePriority>,
    /// `Type`.
    pub kind: Option<CaseType>,
    /// One-line summary.
    pub subject: Option<String>,
    /// Full text.
    pub description: Option<String>,
    /// Room record id.
    pub room_id: Option<String>,
    /// Contact record id of the guest.
    pub contact_id: Option<String>,
    /// Comment to add.
    pub comment: Option<String>,
}
