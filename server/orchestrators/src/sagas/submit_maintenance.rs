//! The maintenance saga: files a defect reported by staff as a case; on request, first takes the
//! room out of service.

use dewy_domain::{
    caller::Role,
    case::OpenCaseRequest,
    error_code::ErrorCode,
    guest::GuestStay,
    guest_identity::GuestIdentity,
    inventory::RoomFacts,
    tool_answer::ToolError,
    tool_catalog::SubmitMaintenanceRequest,
    tool_output::CaseResult,
    vocabulary::{BookingStatus, CaseOrigin, RoomStatus},
};
use dewy_saga::{Context, PrerequisitesResult, Saga, StepId};
use futures::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    saga_parts::{
        find_stay::{guest_or_booking, only_one},
        hotel_dependencies::HotelDependencies,
        not_ready::{NotReady, label, ready},
        open_case::{self, OPEN, subject},
        presentation,
        room_lookup::{no_such_room, room},
        started_by::StartedBy,
        tool_answer,
    },
    sagas::set_room_status,
};

const TAKE_OUT_OF_SERVICE: StepId<RoomFacts> = StepId::new("close");

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let close = set_room_status::set(parts, |cx| cx.facts::<Facts>()?.close);
    let declared = Saga::new(
        SubmitMaintenanceRequest::NAME,
        1,
        "Report a maintenance issue",
    )
    .prepare(parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed()))
    .pivot(TAKE_OUT_OF_SERVICE, "Take the room out of service", close)
    .no_undo("setting it back is a separate call")
    .until_known();
    open_case::step(declared, parts, |cx| Some(cx.facts::<Facts>()?.case))
        .answer(tool_answer::of_result(result))
}

pub(crate) static PRESENTATION: presentation::Labels<CaseResult> = presentation::Labels {
    done: |case| {
        format!(
            "Reported for room {}: {}.",
            case.room_number.as_deref().unwrap_or_default(),
            case.subject.trim_end_matches('.')
        )
        .into()
    },
    doing: || "Reporting the defect.".into(),
    not_done: || "The defect was not reported.".into(),
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    close: Option<set_room_status::Facts>,
    room_status: RoomStatus,
    case: OpenCaseRequest,
}

/// Contact of the reporting guest, and the stay in the room concerned.
async fn reporter(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &SubmitMaintenanceRequest,
) -> Result<Option<(String, GuestStay)>, NotReady> {
    let guest = input.guest_email.clone().map(GuestIdentity::whoever_has);
    let named = (guest, input.booking_number.as_ref());
    if named == (None, None) {
        return Ok(None);
    }
    let role = StartedBy::of(cx).role();
    if !role.is_some_and(Role::knows_guests) {
        let field = match input.guest_email {
            Some(_) => "guest_email",
            None => "booking_number",
        };
        let message = "Only the front desk may report by guest; pass room_number instead.";
        return Err(problem(field, message));
    }
    let guest = guest_or_booking(parts.crm.as_ref(), named, None).await?;
    let booking = input.booking_number.as_deref();
    let room = input.room_number.as_deref();
    let stays = guest
        .stays
        .into_iter()
        .filter(|stay| stay.booking_status == BookingStatus::CheckedIn)
        .filter(|stay| booking.is_none_or(|one| stay.booking_number.eq_ignore_ascii_case(one)))
        .filter(|stay| room.is_none_or(|room| stay.room_number.eq_ignore_ascii_case(room)))
        .collect();
    let stay = only_one(stays)?.ok_or_else(|| {
        let details = json!({ "room_number": room });
        ToolError::with(ErrorCode::BookingNotFound, details)
    })?;
    Ok(Some((guest.id, stay)))
}

fn problem(field: &str, message: &str) -> NotReady {
    ToolError::problem(field, message).into()
}

async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: SubmitMaintenanceRequest,
) -> Result<PrerequisitesResult, NotReady> {
    let reporter = reporter(parts, &cx, &input).await?;
    let number = match (input.room_number.as_ref(), &reporter) {
        (Some(number), _) => number,
        (None, Some((_, stay))) => &stay.room_number,
        (None, None) => {
            let message =
                "Pass room_number, or the guest_email or booking_number of a checked-in guest.";
            return Err(problem("room_number", message));
        }
    };
    let room = room(parts.crm.as_ref(), number).await?;
    let room = room.ok_or_else(|| no_such_room(number))?.room;
    let out = input.take_out_of_service;
    if out && (room.status == RoomStatus::Occupied || room.current_guest.is_some()) {
        let why = "Nothing was reported yet: report it without taking the room out of service.";
        let details = json!({ "room_number": room.number, "room_status": room.status, "why": why });
        return Err(ToolError::with(ErrorCode::RoomOccupied, details).into());
    }
    let case = OpenCaseRequest {
        execution_id: cx.id.to_string(),
        subject: subject(&input.description),
        description: input.description,
        kind: input.kind,
        priority: input.priority,
        origin: CaseOrigin::Internal,
        booking_id: reporter
            .as_ref()
            .filter(|(_, stay)| stay.room_id == room.id)
            .map(|(_, stay)| stay.booking_id.clone()),
        contact_id: reporter.map(|(guest, _)| guest),
        room_id: Some(room.id.clone()),
    };
    let closes = out && room.status != RoomStatus::OutOfService;
    let claims = if closes {
        vec![format!("room:{}", room.id)]
    } else {
        Vec::new()
    };
    let labels = vec![label("room_number", &room.number)];
    let room_status = room.status.clone();
    let close = closes.then_some(set_room_status::Facts {
        room,
        status: RoomStatus::OutOfService,
    });
    let facts = Facts {
        close,
        room_status,
        case,
    };
    ready(&facts, claims, labels)
}

/// The new case, and the room's status.
fn result(cx: Context<'_>) -> Option<(CaseResult, bool)> {
    let closed = cx.output(TAKE_OUT_OF_SERVICE).map(|room| room.room.status);
    let result = CaseResult {
        room_status: closed.or_else(|| Some(cx.facts::<Facts>()?.room_status)),
        ..CaseResult::from(&cx.output(OPEN)?)
    };
    Some((result, true))
}
