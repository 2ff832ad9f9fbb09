//! Row of `search_cases_on_behalf_of_guest`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ListRow;
use crate::{
    case::Case,
    room_number::RoomNumber,
    vocabulary::{CasePriority, CaseStatus, CaseType},
};

/// A case as its guest sees it: neither its assignee nor the staff's comments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnCase {
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
    /// Creation time.
    pub created_at: Timestamp,
    /// Whether it lapsed with the stay: nobody brings towels to a guest who has left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lapsed: bool,
}

impl ListRow for OwnCase {
    const LIST: &'static str = "cases";
}

impl From<Case> for OwnCase {
    fn from(case: Case) -> Self {
        // A question, or something lost, outlives the stay
        let outlived = case.stay_is_over && !case.closed && case.kind != CaseType::Concierge;
        Self {
            lapsed: outlived || case.closed_by_check_out(),
            case_number: case.number,
            subject: case.subject,
            description: case.description,
            kind: case.kind,
            case_status: case.status,
            priority: case.priority,
            room_number: case.room_number,
            created_at: case.created_at,
        }
    }
}
