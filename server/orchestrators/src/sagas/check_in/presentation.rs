//! Presentation of a check-in: answer, text message, summary.

use dewy_domain::{
    answer_body::AnswerBody,
    said,
    sentence::Sentence,
    stay::{Booking, Opportunity, Room, Stay},
    tool_output::CheckInResult,
};
use dewy_saga::{Context, End, Progress, State, journal::ExecutionRecord};
use serde_json::Value;

use super::{
    hold::{CheckInFacts, HOLD, HoldDecision},
    move_in::{self, MOVE},
};
use crate::saga_parts::{
    engine_conversions,
    not_ready::label,
    outbox::day_text,
    payment_refusal,
    presentation::{Presentation, Presented},
    settings::Settings,
    take_payment, tool_answer,
};

/// Stay data of a guest who was checked in before.
pub(super) fn present(stay: Stay) -> CheckInResult {
    let read = stay.booking.clone();
    CheckInResult {
        note: Some(CheckInResult::BEFORE.to_owned()),
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
        hold: None,
        currency: None,
        payment_intent_id: None,
        card_brand: None,
        card_last4: None,
        note: None,
    }
}

/// The stay as it was checked in.
fn checked_in(cx: Context<'_>) -> Option<(CheckInResult, bool)> {
    let (moved, stay) = (cx.output(MOVE)?, move_in::stay(&cx)?);
    let mut now = result(&stay.booking, moved.booking, moved.room, moved.opportunity);
    if let Some(payment) = cx.output(HOLD) {
        now.hold = payment.hold.map(|hold| hold.capturable);
        now.currency = Some(payment.currency);
        now.payment_intent_id = Some(payment.id);
        now.card_brand = payment.card_brand;
        now.card_last4 = payment.last4;
    }
    let facts: Option<CheckInFacts> = cx.facts();
    if let Some(HoldDecision::Without(why)) = facts.map(|facts| facts.hold) {
        now.note = why.note().map(str::to_owned);
    }
    Some((now, false))
}

/// A card that was declined is named; the room was not given.
pub(super) fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    let hold = cx.progress.forward(HOLD).filter(|_| end == End::Refused);
    let fault = hold.and_then(|hold| hold.fault.as_ref());
    let declined = fault.and_then(|fault| payment_refusal::declined(&cx, fault));
    match declined {
        Some(declined) => engine_conversions::value(&declined),
        None => tool_answer::of_result_or("checked_in", checked_in)(cx, end, reason),
    }
}

pub(super) fn text(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    let stay = move_in::stay(&cx)?;
    let held = cx.output(HOLD).and_then(|payment| {
        let sum = payment.hold?.capturable;
        Some(settings.money(sum, payment.currency))
    });
    let Some(held) = held else {
        return Some(welcome(&stay, settings));
    };
    let (hotel, room, booking) = (
        &settings.hotel.name,
        &stay.room.number,
        &stay.booking.number,
    );
    let until = day_text(stay.booking.check_out);
    Some(said!(
        "text-checked-in-held",
        hotel,
        room,
        until,
        held,
        booking
    ))
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
            State::Waiting => said!("in-bank"),
            State::Retrying => said!("booking-slow"),
            State::Compensating => said!("in-releasing"),
            State::Refused | State::Compensated => {
                let failure = body.and_then(AnswerBody::failure);
                failure.unwrap_or_else(|| said!("in-not-done"))
            }
            State::NeedsAttention => said!("in-desk"),
            _ if progress.facts.is_some() => said!("in-doing", room),
            _ => said!("in-looking-up"),
        }
    }

    fn next_action_url(&self, progress: &Progress) -> Option<String> {
        take_payment::next_action_url(progress, HOLD)
    }

    fn pending_note(&self, record: &ExecutionRecord, _: &Progress) -> String {
        match record.state {
            State::Waiting => "Your bank asks you to confirm the card.",
            State::Retrying => "An outside system is slow; we keep trying.",
            _ => "We are working on it.",
        }
        .to_owned()
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let hold = progress.output(HOLD);
        let hold = hold.map(|payment| label("Stripe payment", payment.id));
        hold.into_iter().collect()
    }
}
