//! Row of `search_cases_on_behalf_of_staff`.

use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    room_number::RoomNumber,
    vocabulary::{CasePriority, CaseStatus, CaseType},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ListRow;

/// Case as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseListItem {
    /// Case number: `00001042`.
    pub case_number: String,
    /// One-line summary.
    pub subject: String,
    /// Full text.
    pub description: String,
    /// Team that is responsible for it.
    #[serde(rename = "type")]
    pub kind: CaseType,
    /// Status.
    pub case_status: CaseStatus,
    /// Priority.
    pub priority: CasePriority,
    /// Room number, if it is about a room.
    pub room_number: Option<RoomNumber>,
    /// Booking number, for staff who know guests: `BK-0042`.
    pub booking_number: Option<BookingNumber>,
    /// Name of the guest, for staff who know guests.
    pub guest_name: Option<String>,
    /// Email of the guest, for staff who know guests.
    pub guest_email: Option<EmailAddress>,
    /// Email of the person it is assigned to.
    pub assignee: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Whether the guest's stay is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest_has_left: bool,
    /// Comments, newest first.
    pub comments: Vec<CommentItem>,
}

impl CaseListItem {
    /// Whether it is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.case_status == CaseStatus::Closed
    }
}

impl ListRow for CaseListItem {
    const LIST: &'static str = "cases";
}

/// Comment on a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentItem {
    /// Email of the staff member, or name of the Salesforce user; empty if unknown.
    pub author: String,
    /// Text.
    pub body: String,
    /// Creation time.
    pub at: Timestamp,
}
