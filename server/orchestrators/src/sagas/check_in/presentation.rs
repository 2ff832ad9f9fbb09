//! Presentation of a check-in: answer, text message, summary.

use dewy_domain::{
    answer_body::AnswerBody,
    said,
    sentence::Sentence,
    stay::{Booking, Opportunity, Room, Stay},
    tool_output::CheckInResult,
};
use dewy_saga::{Context, State};

use super::move_in::{self, MOVE};
use crate::saga_parts::{
    outbox::day_text,
    presentation::{Presentation, Presented},
    settings::Settings,
};

/// Stay data of a guest who was checked in before.
pub(super) fn present(stay: Stay) -> CheckInResult {
    let read = stay.booking.clone();
    CheckInResult {
        note: Some("This guest was checked in before; nothing was changed now.".to_owned()),
        ..result(&read, stay.booking, stay.room, stay.opportunity)
    }
}

/// Stay data: the nights as read, the rest as it is now.
fn result(read: &Booking, now: Booking, room: Room, opportunity: Opportunity) -> CheckInResult {
    CheckInResult {
        booking_number: now.number,
        room_number: room.number,
        check_in_date: read.check_in,
        check_out_date: read.check_out,
        booking_status: now.status,
        room_status: room.status,
        opportunity_stage: opportunity.stage,
        note: None,
    }
}

/// The stay as it was checked in.
pub(super) fn checked_in(cx: Context<'_>) -> Option<(CheckInResult, bool)> {
    let (moved, stay) = (cx.output(MOVE)?, move_in::stay(&cx)?);
    let now = result(&stay.booking, moved.booking, moved.room, moved.opportunity);
    Some((now, false))
}

pub(super) fn text(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    move_in::stay(&cx).map(|stay| welcome(&stay, settings))
}

/// Text to a guest who has just been checked in.
pub(crate) fn welcome(stay: &Stay, settings: &Settings) -> Sentence {
    let (room, until, booking) = (
        &stay.room.number,
        day_text(stay.booking.check_out),
        &stay.booking.number,
    );
    said!(
        "text-checked-in",
        hotel = settings.hotel.name,
        room,
        until,
        booking
    )
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress, body) = (of.record, of.progress, of.body);
        let room = record.label("room_number").unwrap_or("the room");
        match record.state {
            State::Completed => said!("in-done", room),
            State::Retrying | State::Waiting => said!("booking-slow"),
            State::Refused => {
                let failure = body.and_then(AnswerBody::failure);
                failure.unwrap_or_else(|| said!("in-not-done"))
            }
            State::NeedsAttention => said!("in-desk"),
            _ if progress.facts.is_some() => said!("in-doing", room),
            _ => said!("in-looking-up"),
        }
    }
}
