//! The room status saga, for housekeeping and maintenance. It never sets Occupied, and leaves it only
//! where nobody is checked in; otherwise check-in and check-out change it.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    error_code::ErrorCode,
    inventory::{RoomFacts, RoomQuery, RoomStatusOrder},
    ports::Crm,
    reservation::{BookingQuery, BookingRow},
    room_number::RoomNumber,
    stay::Room,
    tool_answer::ToolError,
    tool_catalog::SetRoomStatus,
    tool_input::ToolInput,
    tool_output::RoomResult,
    upstream_request::{Call, Reply, UpstreamError},
    vocabulary::{BookingStatus, FaultCode, RoomStatus},
};
use dewy_saga::{Activity, Context, Fault, PrerequisitesResult, Saga, StepId};
use futures::FutureExt;
use jiff::{ToSpan, civil::Date};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    presentation,
    reconciled_write::{
        LookupResult, Precondition, ReconciledWrite, Write, WriteRequest, conflict_fault,
        missing_fact,
    },
    tool_answer::{self, prerequisites_unavailable, refused, succeeded},
};

const SET: StepId<RoomFacts> = StepId::new("set");

/// Maximum number of bookings read of one room for tonight; those of all rooms that lack a date are
/// among them.
const MAX_TONIGHT: u32 = 1000;

/// The room status saga.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(SetRoomStatus::NAME, 1, "Set a room's status")
        .prepare(parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed()))
        .pivot(SET, "Set the room's status", set(parts, |cx| cx.facts()))
        .no_undo("it is the only effect; setting it back is a separate call")
        .until_known()
        .answer(tool_answer::of_result(result))
}

/// Presentation of the room status saga.
pub(crate) static PRESENTATION: presentation::Labels<RoomResult> = presentation::Labels {
    done: |set| {
        let (room, status) = (set.room_number, set.room_status);
        match set.reason.filter(|reason| !reason.is_empty()) {
            None => format!("Room {room} is {status} now."),
            Some(reason) => format!("Room {room} is {status} now: {reason}"),
        }
    },
    doing: "Setting the room's status.",
    not_done: "The room's status was not changed.",
};

/// Facts of a status change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Room as read.
    pub room: Room,
    /// New status.
    pub status: RoomStatus,
}

/// The room with that number.
pub(crate) async fn room(crm: &dyn Crm, number: &RoomNumber) -> Reply<Option<RoomFacts>> {
    let query = RoomQuery {
        number: Some(number.clone()),
        limit: 1,
        ..RoomQuery::default()
    };
    crm.rooms(&query)
        .await
        .map(|rooms| rooms.into_iter().next())
}

fn room_result(room: &Room, before: &RoomStatus, note: &str) -> RoomResult {
    RoomResult {
        room_number: room.number.clone(),
        room_status: room.status.clone(),
        previous_status: before.clone(),
        note: note.to_owned(),
        reason: None,
    }
}

async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: SetRoomStatus,
) -> PrerequisitesResult {
    let SetRoomStatus {
        room_number,
        status,
        reason: _,
    } = input;
    let room = match room(parts.crm.as_ref(), &room_number).await.answered() {
        Ok(Some(facts)) => facts.room,
        Ok(None) => {
            return refused(ToolError::with(
                ErrorCode::RoomNotFound,
                json!({ "room_number": room_number }),
            ));
        }
        Err(error) => return prerequisites_unavailable(error),
    };
    let labels = vec![("room_number".to_owned(), room.number.to_string())];
    let is_occupied = room.status == RoomStatus::Occupied || room.current_guest.is_some();
    if is_occupied {
        // Its stay may have been moved elsewhere by others
        let today = parts.settings.today(cx.now);
        match may_be_in_house(parts.crm.as_ref(), &room.number, today).await {
            Ok(false) => {}
            Ok(true) => {
                let details = json!({ "room_number": room.number, "room_status": room.status, "allowed": [] });
                return refused(ToolError::with(ErrorCode::RoomOccupied, details));
            }
            Err(error) => return prerequisites_unavailable(error),
        }
    }
    if room.status == status && !is_occupied {
        return PrerequisitesResult::Finished {
            answer: succeeded(room_result(&room, &status, "No changes needed.")),
            labels,
        };
    }
    if !is_occupied && !room.status.next().contains(&status) {
        let details = json!({ "room_number": room.number, "room_status": room.status, "allowed": room.status.next() });
        return refused(ToolError::with(ErrorCode::InvalidTransition, details));
    }
    let claims = vec![format!("room:{}", room.id)];
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&Facts { room, status }),
        claims,
        labels,
    }
}

/// Whether somebody may be checked in there: what the org means by a status of its own is unknown.
async fn may_be_in_house(
    crm: &dyn Crm,
    room: &RoomNumber,
    today: Date,
) -> Result<bool, UpstreamError> {
    let checked_in = BookingQuery {
        room_number: Some(room.clone()),
        statuses: vec![BookingStatus::CheckedIn],
        limit: 1,
        ..BookingQuery::default()
    };
    // Also a guest who leaves today
    let tonight = BookingQuery {
        statuses: Vec::new(),
        from: Some(today.saturating_sub(1.day())),
        to: Some(today),
        or_undated: true,
        limit: MAX_TONIGHT,
        ..checked_in.clone()
    };
    let (checked_in, tonight) = futures::join!(crm.bookings(&checked_in), crm.bookings(&tonight));
    let unknown = |booking: &BookingRow| {
        booking.room_number.as_ref() == Some(room)
            && matches!(booking.booking_status, BookingStatus::Other(_))
    };
    Ok(!checked_in.answered()?.is_empty() || tonight.answered()?.iter().any(unknown))
}

/// The room as set.
fn result(cx: Context<'_>) -> Option<(RoomResult, bool)> {
    let (now, facts) = (cx.output(SET)?, cx.facts::<Facts>()?);
    let input = engine_conversions::input::<SetRoomStatus>(&cx).ok();
    let result = RoomResult {
        reason: input.and_then(|input| input.reason),
        ..room_result(&now.room, &facts.room.status, "")
    };
    Some((result, false))
}

/// Writes a room's status, as a step of any saga; skipped if its facts name no room.
pub(crate) fn set(
    parts: &HotelDependencies,
    facts: fn(&Context<'_>) -> Option<Facts>,
) -> impl Activity + 'static {
    let crm = Arc::clone(&parts.crm);
    ReconciledWrite::new(Set { crm, facts }, &parts.settings)
}

/// Write of the step.
struct Set {
    crm: Arc<dyn Crm>,
    /// Room and status, from the saga's facts.
    facts: fn(&Context<'_>) -> Option<Facts>,
}

#[async_trait]
impl Write for Set {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let Some(facts) = (self.facts)(cx) else {
            return Ok(WriteRequest::Skip(
                json!({ "note": "the room stays as it is" }),
            ));
        };
        let room = found
            .and_then(engine_conversions::read::<RoomFacts>)
            .map_or(facts.room, |found| found.room);
        let stamp = room.stamp.at;
        Ok(WriteRequest::Send(
            self.crm.set_room_status(&RoomStatusOrder {
                room,
                status: facts.status,
            }),
            Some(stamp),
        ))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.crm
            .send_room_status(call)
            .await
            .map(|room| engine_conversions::value(&room))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let Some(facts) = (self.facts)(cx) else {
            return Reply::Done(LookupResult::Refused(missing_fact("the facts")));
        };
        room(self.crm.as_ref(), &facts.room.number).await.map(|now| match now {
            None => LookupResult::Refused(Fault::new(FaultCode::BookingGone, "the room is not there any more")),
            Some(now) if now.room.status == facts.status && now.room.current_guest.is_none() => LookupResult::Applied(engine_conversions::value(&now)),
            Some(now) if now.room.status == facts.room.status && now.room.current_guest == facts.room.current_guest => {
                LookupResult::NotApplied {
                    precondition: Precondition::Row(now.room.stamp.at, self.crm.touch_room(&now)),
                    found: engine_conversions::value(&now),
                }
            }
            Some(now) => {
                let difference = json!({ "object": "room", "field": "Status__c", "ours": facts.room.status,
                    "found": now.room.status });
                LookupResult::Refused(conflict_fault("somebody else changed the room meanwhile", difference))
            }
        })
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.crm.send_touch(call).await
    }
}
