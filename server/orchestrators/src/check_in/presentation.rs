//! Presentation of a check-in: answer, text message, summary.

use dewy_domain::{answer::Settled, error_code::ErrorCode, stay::Stay};
use dewy_saga::{Context, End, Progress, State, journal::Record};
use serde_json::{Value, json};

use super::move_in::{self, MOVE};
use crate::{
    bridge,
    presentation::Presentation,
    settings::Settings,
    tool_answer::{not_done, with_staff},
};

/// Stay data after the check-in.
pub(super) fn present(stay: &Stay) -> Value {
    json!({
        "booking_number": stay.booking.number,
        "room_number": stay.room.number,
        "check_in_date": stay.booking.check_in,
        "check_out_date": stay.booking.check_out,
        "booking_status": stay.booking.status,
        "room_status": stay.room.status,
        "opportunity_stage": stay.opportunity.stage,
        "note": "This guest was checked in before; nothing was changed now.",
    })
}

pub(super) fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    let settled = match (end, cx.output(MOVE), move_in::stay(&cx)) {
        (End::Completed, Some(moved), Some(stay)) => Settled::Done {
            data: json!({
                "booking_number": moved.booking.number,
                "room_number": moved.room.number,
                "check_in_date": stay.booking.check_in,
                "check_out_date": stay.booking.check_out,
                "booking_status": moved.booking.status,
                "room_status": moved.room.status,
                "opportunity_stage": moved.opportunity.stage,
            }),
            created: false,
        },
        (End::NeedsAttention | End::SettledByHand, ..) => Settled::Failed {
            code: with_staff(end),
            details: json!({ "reason": reason }),
        },
        _ => {
            let fault = cx.failure();
            match fault.map(|f| f.code.as_str()) {
                Some("foreign_edit" | "booking_gone") => Settled::Failed {
                    code: ErrorCode::InvalidTransition,
                    details: json!({ "cause": fault.map(|f| &f.code), "difference": fault.map(|f| &f.details["difference"]) }),
                },
                _ => not_done(&cx, fault, json!({ "checked_in": false })),
            }
        }
    };
    bridge::value(&settled)
}

/// Text message that confirms the check-in.
pub(super) fn text(cx: Context<'_>, settings: &Settings) -> Option<String> {
    let stay = move_in::stay(&cx)?;
    let (room, until, booking) = (
        stay.room.number,
        settings.hotel.locale.day(stay.booking.check_out),
        stay.booking.number,
    );
    Some(format!(
        "Welcome to {}. You are checked in: room {room} until {until}. Booking {booking}.",
        settings.hotel.name
    ))
}

/// Presentation of the check-in saga.
pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(
        &self,
        record: &Record,
        progress: &Progress,
        body: Option<&Value>,
        _: &Settings,
    ) -> String {
        let room = record
            .labels
            .iter()
            .find(|(n, _)| n == "room_number")
            .map_or("the room", |(_, v)| v.as_str());
        match record.state {
            State::Completed => format!("Checked in. Room {room}."),
            State::Retrying | State::Waiting => {
                "The booking system is slow. We keep checking until we know; nothing is done twice."
                    .to_owned()
            }
            State::Refused => {
                let told = body.and_then(|b| b["error_message"].as_str());
                told.unwrap_or("The check-in was not made; nothing was changed.")
                    .to_owned()
            }
            State::NeedsAttention => "The front desk is looking into this check-in.".to_owned(),
            _ if progress.facts.is_some() => format!("Checking in to room {room}."),
            _ => "Looking up the reservation.".to_owned(),
        }
    }
}
