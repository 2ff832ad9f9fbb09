//! Author and time of a record's last change, for the loser of a conflict.

use dewy_domain::{
    answer_body::AnswerBody,
    tool_catalog::{ManageBookings, ManageCases, SearchExecutions, SetRoomStatus},
    tool_output::{BookingResult, CaseResult, RoomResult},
};

use crate::pages::{prelude::*, staff::staff_reads};

/// Number of recent executions searched.
const MAX_EXECUTIONS: u32 = 10;

/// Record whose last change is looked for.
#[derive(Clone, Debug)]
pub enum ChangedRecord {
    /// Number of a case that was changed.
    Case(String),
    /// Number of a booking that was changed.
    Booking(String),
    /// Number of a room whose status was set.
    Room(String),
}

impl ChangedRecord {
    const fn tool(&self) -> &'static str {
        match self {
            Self::Case(_) => ManageCases::NAME,
            Self::Booking(_) => ManageBookings::NAME,
            Self::Room(_) => SetRoomStatus::NAME,
        }
    }

    /// Its name: `case 00001001`.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Case(number) => format!("case {number}"),
            Self::Booking(number) => format!("booking {number}"),
            Self::Room(number) => format!("room {number}"),
        }
    }

    fn is_in(&self, answer: &AnswerBody) -> bool {
        match self {
            Self::Case(number) => answer
                .result()
                .is_some_and(|it: CaseResult| it.case_number == *number),
            Self::Booking(number) => answer
                .result()
                .is_some_and(|it: BookingResult| it.booking_number == *number),
            Self::Room(number) => answer
                .result()
                .is_some_and(|it: RoomResult| it.room_number == *number),
        }
    }
}

/// `housekeeping@… at the desk, Nov 20, 2026, 14:03 UTC`: who changed that record last. Only the front desk may see other people's executions; everybody else
/// sees just the current value.
pub async fn who_did(
    ctx: &PageContext,
    clock: &HotelClock,
    user: &SignedIn,
    record: &ChangedRecord,
) -> Option<String> {
    if !user.caller.is_front_desk() {
        return None;
    }
    let input = json!({ "tool": record.tool(), "state": ExecutionState::Completed, "limit": MAX_EXECUTIONS });
    let list = staff_reads::read_tool::<SearchExecutions>(ctx, user, input, "/staff")
        .await
        .ok()?
        .ok()?;
    for item in list.rows {
        let Some(view) = ctx.execution(&user.caller, &item.execution_id).await else {
            continue;
        };
        if record.is_in(&view.body()) {
            let by = labels::asked_by(&view.asked_by.unwrap_or_default());
            return Some(format!("{by}, {}", moment(clock, view.updated_at)));
        }
    }
    None
}
