//! The room status saga, for housekeeping and maintenance. It never sets Occupied, and leaves it only
//! where nobody is checked in; otherwise check-in and check-out change it.

use async_trait::async_trait;
use dewy_domain::{
    error_code::ErrorCode,
    inventory::{RoomFacts, RoomStatusOrder},
    ports::Crm,
    reservation::{BookingQuery, BookingRow},
    room_number::RoomNumber,
    stay::Room,
    tool_answer::ToolError,
    tool_catalog::SetRoomStatus,
    tool_output::RoomResult,
    upstream_request::{Call, Outcome},
    vocabulary::{BookingStatus, FaultCode, RoomStatus},
};
use dewy_saga::{Activity, Context, Fault, Plan, PrerequisitesResult, Saga, StepId};
use futures::FutureExt;
use jiff::{Timestamp, ToSpan, civil::Date};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    not_ready::{NotReady, finished, label, ready},
    presentation,
    reconciled_write::{
        Lookup, LookupResult, Precondition, ReconciledWrite, Write, conflict_fault,
    },
    room_lookup::{no_such_room, room},
    tool_answer::{self, unchanged},
};

const SET: StepId<RoomFacts> = StepId::new("set");

/// Maximum number of bookings read of one room for tonight; those of all rooms that lack a date are
/// among them.
const MAX_TONIGHT: u32 = 1000;

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(SetRoomStatus::NAME, 1, "Set a room's status")
        .prepare(parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed()))
        .pivot(SET, "Set the room's status", set(parts, |cx| cx.facts()))
        .no_undo("it is the only effect; setting it back is a separate call")
        .until_known()
        .answer(tool_answer::of_result(result))
}

pub(crate) static PRESENTATION: presentation::Labels<RoomResult> = presentation::Labels {
    done: |set| {
        let (room, status) = (set.room_number, set.room_status);
        match set.reason.filter(|reason| !reason.is_empty()) {
            None => format!("Room {room} is {status} now.").into(),
            Some(reason) => format!("Room {room} is {status} now: {reason}").into(),
        }
    },
    doing: || "Setting the room's status.".into(),
    not_done: || "The room's status was not changed.".into(),
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub room: Room,
    pub status: RoomStatus,
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
) -> Result<PrerequisitesResult, NotReady> {
    let SetRoomStatus {
        room_number,
        status,
        reason: _,
        shown,
    } = input;
    let room = room(parts.crm.as_ref(), &room_number).await?;
    let room = room.ok_or_else(|| no_such_room(&room_number))?.room;
    let labels = vec![label("room_number", &room.number)];
    let details = json!({ "room_number": room.number, "room_status": room.status });
    let now = [("status", room.status.as_str())];
    unchanged(shown.as_ref(), &now, details)?;
    let is_occupied = room.status == RoomStatus::Occupied || room.current_guest.is_some();
    let refuse = |code, allowed: &[RoomStatus]| {
        let details =
            json!({ "room_number": room.number, "room_status": room.status, "allowed": allowed });
        Err(ToolError::with(code, details).into())
    };
    if is_occupied {
        // Its stay may have been moved elsewhere by others
        let today = parts.settings.today(cx.now);
        if may_be_in_house(parts.crm.as_ref(), &room.number, today).await? {
            return refuse(ErrorCode::RoomOccupied, &[]);
        }
    }
    if room.status == status && !is_occupied {
        return finished(room_result(&room, &status, "No changes needed."), labels);
    }
    if !is_occupied && !room.status.next().contains(&status) {
        return refuse(ErrorCode::InvalidTransition, room.status.next());
    }
    let claims = vec![format!("room:{}", room.id)];
    ready(&Facts { room, status }, claims, labels)
}

/// Whether somebody may be checked in there: what the org means by a status of its own is unknown.
async fn may_be_in_house(crm: &dyn Crm, room: &RoomNumber, today: Date) -> Result<bool, Fault> {
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
) -> impl Activity<Output = RoomFacts> + 'static {
    ReconciledWrite::new(parts, Set(facts))
}

/// Write of the step, with room and status from the saga's facts.
struct Set(fn(&Context<'_>) -> Option<Facts>);

#[async_trait]
impl Write for Set {
    type Facts = Facts;
    type Found = RoomFacts;
    type Output = RoomFacts;

    fn facts(&self, cx: &Context<'_>) -> Result<Facts, Plan> {
        (self.0)(cx).ok_or_else(|| Plan::Skip(json!({ "note": "the room stays as it is" })))
    }

    fn build_request(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        Facts { room, status }: Facts,
        found: Option<RoomFacts>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        let room = found.map_or(room, |found| found.room);
        let stamp = room.stamp.at;
        let order = RoomStatusOrder { room, status };
        Ok((crm.set_room_status(&order), Some(stamp)))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<RoomFacts> {
        crm.send_room_status(call).await
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        facts: Facts,
    ) -> Result<Lookup<Self>, Fault> {
        let Some(now) = room(crm, &facts.room.number).await? else {
            let words = "the room is not there any more";
            let gone = Fault::new(FaultCode::BookingGone, words);
            return Ok(LookupResult::Refused(gone));
        };
        let (before, after) = (&facts.room, &now.room);
        if after.status == facts.status && after.current_guest.is_none() {
            return Ok(LookupResult::Applied(now));
        }
        if (&after.status, &after.current_guest) == (&before.status, &before.current_guest) {
            return Ok(LookupResult::NotApplied {
                precondition: Precondition::Row(after.stamp.at, crm.touch_room(&now)),
                found: now,
            });
        }
        let difference = json!({ "object": "room", "field": "Status__c", "ours": before.status,
            "found": after.status });
        let words = "somebody else changed the room meanwhile";
        Ok(LookupResult::Refused(conflict_fault(words, difference)))
    }
}
