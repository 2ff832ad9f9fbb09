//! Row of `search_cases_on_behalf_of_staff`.

use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::{CasePriority, CaseStatus, CaseType},
};
use jiff::Timestamp;

tool_output! {
    /// Case as staff see it.
    CaseListItem in "cases" {
        case_number: String,
        subject: String,
        description: String,
        /// Team that is responsible for it.
        kind as "type": CaseType,
        case_status: CaseStatus,
        priority: CasePriority,
        room_number: Option<RoomNumber>,
        /// Booking number, for staff who know guests: `BK-0042`.
        booking_number: Option<BookingNumber>,
        /// Name of the guest, for staff who know guests.
        guest_name: Option<String>,
        /// Email of the guest, for staff who know guests.
        guest_email: Option<EmailAddress>,
        /// Email of the person it is assigned to.
        assignee: Option<String>,
        created_at: Timestamp,
        /// Whether the guest's stay is over.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        guest_has_left: bool,
        /// Comments, newest first.
        comments: Vec<CommentItem>,
    }
}

impl CaseListItem {
    /// Whether it is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.case_status == CaseStatus::Closed
    }
}

tool_output! {
    /// Comment on a case.
    CommentItem {
        /// Email of the staff member, or name of the Salesforce user; empty if unknown.
        author: String,
        body: String,
        at: Timestamp,
    }
}
