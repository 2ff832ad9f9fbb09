//! Cases: requests and problems that guests and staff report.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
    room_number::RoomNumber,
    stay::Stamp,
    vocabulary::{CaseOrigin, CasePriority, CaseStatus, CaseType},
};

/// Beginning of the subject of a case in which a guest asks for a person in the chat; a reason may
/// follow.
pub const HAND_OVER_SUBJECT: &str = "Asked for a person in the chat";

/// A case as listed and changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
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
    pub created_at: Timestamp,
    /// The room's record id.
    pub room_id: Option<String>,
    pub room_number: Option<RoomNumber>,
    /// Booking number: `BK-…`.
    pub booking_number: Option<BookingNumber>,
    /// Whether its stay is over; not in journals of older releases.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stay_is_over: bool,
    /// Contact record id of the guest.
    pub contact_id: Option<String>,
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseComment {
    /// Record id; empty in journals written by older releases.
    #[serde(default)]
    pub id: String,
    pub body: String,
    pub at: Timestamp,
    /// Author's user id.
    pub by: String,
    /// Author's name in Salesforce; empty in journals written by older releases.
    #[serde(default)]
    pub by_name: String,
}

/// Comment on a case that was open when its guest checked out.
pub const GUEST_HAS_CHECKED_OUT: &str = "The guest has checked out.";

impl Case {
    /// Whether the check-out closed it: nobody brings towels to a guest who has left.
    #[must_use]
    pub fn closed_by_check_out(&self) -> bool {
        let says_so = |comment: &CaseComment| comment.body.trim_end() == GUEST_HAS_CHECKED_OUT;
        self.closed && self.kind.ends_with_the_stay() && self.comments.iter().any(says_so)
    }
}

/// Ends the first line of a comment that names its author.
const WROTE: &str = " wrote:";

/// Text of a comment as it is stored. In Salesforce all comments of the hotel's staff are by our own
/// user, so the first line names the author.
#[must_use]
pub fn signed_comment(author: &str, text: &str) -> String {
    format!("{author}{WROTE}\n{text}")
}

impl CaseComment {
    /// Author and text: the staff member that the first line names, or else the Salesforce user.
    #[must_use]
    pub fn author_and_text(&self) -> (&str, &str) {
        let signed = self.body.split_once('\n').and_then(|(line, text)| {
            let author = line.trim_end().strip_suffix(WROTE)?;
            let email = author.contains('@') && !author.contains(char::is_whitespace);
            email.then_some((author, text))
        });
        signed.unwrap_or((&self.by_name, &self.body))
    }
}

/// Filters for reading cases; all given filters must match.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CaseQuery {
    pub number: Option<String>,
    /// Execution that opened it.
    pub execution_id: Option<String>,
    pub guest: Option<GuestIdentity>,
    /// Booking it belongs to.
    pub booking_number: Option<BookingNumber>,
    /// True for open cases, false for closed ones.
    pub open: Option<bool>,
    /// `Status`.
    pub status: Option<CaseStatus>,
    /// `Priority`.
    pub priority: Option<CasePriority>,
    /// `Type`.
    pub kind: Option<CaseType>,
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
    pub comment: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_the_staff_member_or_else_the_salesforce_user() {
        let comment = |body: &str| CaseComment {
            id: "00a1".to_owned(),
            body: body.to_owned(),
            at: Timestamp::UNIX_EPOCH,
            by: "0051".to_owned(),
            by_name: "Ana Ruiz".to_owned(),
        };
        let ours = comment(&signed_comment(
            "frontdesk@dewy.example",
            "On my way.\nAt noon.",
        ));
        let (author, text) = ("frontdesk@dewy.example", "On my way.\nAt noon.");
        assert_eq!(ours.author_and_text(), (author, text));
        let returned = comment(&ours.body.replace('\n', "\r\n"));
        assert_eq!(returned.author_and_text().0, author);
        for theirs in [
            "On my way.",
            "The guest wrote:\nIt leaks.",
            "a@b wrote: it leaks",
            "",
        ] {
            assert_eq!(comment(theirs).author_and_text(), ("Ana Ruiz", theirs));
        }
    }
}
