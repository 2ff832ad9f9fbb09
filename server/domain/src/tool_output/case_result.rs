//! Result of `submit_guest_service_request`, `submit_maintenance_request`, and `manage_cases`.

use serde::{Deserialize, Serialize};

use crate::{
    case::Case,
    room_number::RoomNumber,
    vocabulary::{CasePriority, CaseStatus, CaseType, RoomStatus},
};

/// Case as opened or changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseResult {
    /// Case number: `00001042`.
    pub case_number: String,
    /// Status of the case now.
    pub case_status: CaseStatus,
    /// Priority.
    pub priority: CasePriority,
    /// Team that is responsible for it.
    #[serde(rename = "type")]
    pub kind: CaseType,
    /// One-line summary.
    pub subject: String,
    /// Room number, if it is about a room.
    pub room_number: Option<RoomNumber>,
    /// Email of the person it was assigned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Status of the room now, for a maintenance issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_status: Option<RoomStatus>,
}

impl From<&Case> for CaseResult {
    fn from(case: &Case) -> Self {
        Self {
            case_number: case.number.clone(),
            case_status: case.status.clone(),
            priority: case.priority.clone(),
            kind: case.kind.clone(),
            subject: case.subject.clone(),
            room_number: case.room_number.clone(),
            assignee: None,
            room_status: None,
        }
    }
}
