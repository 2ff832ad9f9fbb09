//! Result of `submit_guest_service_request`, `submit_maintenance_request`, and `manage_cases`.

use crate::{
    case::Case,
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::{CasePriority, CaseStatus, CaseType, RoomStatus},
};

tool_output! {
    /// Case as opened or changed.
    CaseResult {
        case_number: String,
        case_status: CaseStatus,
        priority: CasePriority,
        /// Team that is responsible for it.
        kind as "type": CaseType,
        subject: String,
        room_number: Option<RoomNumber>,
        /// Email of the person it was assigned to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        assignee: Option<String>,
        /// Status of the room now, for a maintenance issue.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room_status: Option<RoomStatus>,
    }
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
