//! Row of `search_cases_on_behalf_of_guest`.

use jiff::Timestamp;

use crate::{
    case::Case,
    output_schema::tool_output,
    room_number::RoomNumber,
    vocabulary::{CasePriority, CaseStatus, CaseType},
};

tool_output! {
    /// A case as its guest sees it: neither its assignee nor the staff's comments.
    OwnCase in "cases" {
        case_number: String,
        subject: String,
        description: String,
        /// Team that is responsible for it.
        kind as "type": CaseType,
        case_status: CaseStatus,
        priority: CasePriority,
        room_number: Option<RoomNumber>,
        created_at: Timestamp,
        /// Whether it lapsed with the stay: nobody brings towels to a guest who has left.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lapsed: bool,
    }
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
