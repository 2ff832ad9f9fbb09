//! Version 2 of the check-out, for a stay with a live hold: no money moves before the guest has left.
//!
//! ```text
//! read     stay (one SOQL) ∥ customer (one GET) ── its payments: live holds ── rules ──► facts
//! extend   + hold the rest, if the hold is too small    − release the second hold
//! move     + one composite, its payment lines pending   − revert what is still exactly as we wrote it
//! capture, capture_rest   exactly the balance; what the holds have too much is released with it
//! release  every hold that is not captured, such as that of a stay with nothing to pay
//! charge   the saved card, for what no hold paid any more
//! record   the pending lines: completed, or failed
//! open     a case for the front desk, for what is still open
//! ```

use dewy_domain::{
    case::OpenCaseRequest,
    locale::Locale,
    money::{Cents, Money},
    payment_intent_id::PaymentIntentId,
    said,
    sentence::Sentence,
    vocabulary::{CaseOrigin, CasePriority, CaseType},
};
use dewy_saga::{Context, End, Plan, Saga};
use futures::FutureExt;
use serde_json::Value;

use super::{
    RECHECKS,
    capture_hold::CaptureHold,
    charge_card::ChargeCard,
    compensation_data::CheckOutCompensation,
    facts::{self, CAPTURE, CAPTURE_REST, CHARGE, CHECK_OUT, EXTEND, Facts, MOVE, RECORD, RELEASE},
    hold_effects::HoldEffects,
    move_out::MoveOut,
    presentation, projections,
    record_payment::RecordPayment,
    release_unneeded::ReleaseUnneeded,
    rules, second_hold, tool_answer,
};
use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    open_case, outbox,
    place_hold::PlaceHold,
    reconciled_write::{ReconciledWrite, missing_fact},
    refund_and_revert::Revert,
    release_hold::ReleaseHold,
    settings::Settings,
};

/// Version of the saga that fits these facts, if it is not the first.
pub(super) fn version_for(facts: &Value) -> Option<u32> {
    let held = facts["holds"].as_array().is_some_and(|all| !all.is_empty());
    held.then_some(2)
}

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let saga = Saga::new(CHECK_OUT, 2, "Check out and pay")
        .finishes_only_if(true)
        .prepare(
            parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).map(Ok).boxed()),
        )
        .step(
            EXTEND,
            "Reserve the rest on the card",
            PlaceHold::new(parts, second_hold::terms),
        )
        .undo(
            EXTEND,
            "Release the rest on the card",
            ReleaseHold::new(parts, second),
        )
        .money()
        .until_known()
        .contingent()
        .pivot(
            MOVE,
            "Check out of the room",
            ReconciledWrite::new(parts, MoveOut),
        )
        .undo(
            MOVE,
            "Revert the booking",
            Revert::new(parts, CheckOutCompensation),
        )
        .retriable(
            CAPTURE,
            "Charge the reserved amount",
            CaptureHold::new(parts, from_first),
        )
        .no_undo("the guest has left and owes it; a refund by staff gives it back")
        .until_known()
        .retriable(
            CAPTURE_REST,
            "Charge the rest that was reserved",
            CaptureHold::new(parts, from_second),
        )
        .no_undo("the guest has left and owes it; a refund by staff gives it back")
        .until_known()
        .contingent()
        .retriable(
            RELEASE,
            "Release what is not needed",
            ReleaseUnneeded::new(parts),
        )
        .no_undo("nothing was charged")
        .until_known()
        .contingent()
        .retriable(CHARGE, "Charge the card instead", ChargeCard::new(parts))
        .no_undo("the guest has left and owes it; a refund by staff gives it back")
        .until_known()
        .contingent()
        .retriable(
            RECORD,
            "Record the payment",
            ReconciledWrite::new(parts, RecordPayment),
        )
        .no_undo("it records what happened")
        .until_known();
    open_case::step(saga, parts, open_balance_case)
        .contingent()
        .recheck_after(RECHECKS, HoldEffects(parts.clone()))
        .attention(tool_answer::left_otherwise)
        .attention(captured_by_others)
        .attention(tool_answer::open_balance)
        .projection(outbox::after(
            End::Completed,
            "check_out",
            &parts.settings,
            presentation::check_out_text,
        ))
        .projection(outbox::after(
            End::NeedsAttention,
            "check_out",
            &parts.settings,
            uncollected_text,
        ))
        .projection(outbox::email(outbox::RECEIPT, parts.mail.is_some()))
        .projection(projections::ended_stay)
        .labels(projections::labels)
        .answer(tool_answer::answer)
}

fn second(cx: &Context<'_>) -> Result<PaymentIntentId, Plan> {
    let second = cx.output(EXTEND).map(|payment| payment.id);
    second.ok_or_else(|| Plan::Refuse(missing_fact("the second hold")))
}

fn from_first(cx: &Context<'_>) -> Result<(PaymentIntentId, Cents), Plan> {
    let facts = cx.facts::<Facts>();
    let first = facts.and_then(|facts| Some((facts.captured()?.id, facts.first_part())));
    first.ok_or_else(second_hold::not_needed)
}

fn from_second(cx: &Context<'_>) -> Result<(PaymentIntentId, Cents), Plan> {
    let second = cx.output(EXTEND).map(|hold| (hold.id, hold.amount));
    second.ok_or_else(second_hold::not_needed)
}

/// Somebody at Stripe captured what was to be released.
fn captured_by_others(cx: Context<'_>) -> Option<String> {
    cx.output(RELEASE)?.attention()
}

/// Case about what could not be collected.
fn open_balance_case(cx: &Context<'_>) -> Option<OpenCaseRequest> {
    let left = facts::uncollected(cx.progress)?;
    let facts = cx.facts::<Facts>()?;
    let sum = Locale::default().money(Money {
        cents: left,
        currency: facts.currency,
    });
    let (booking, room) = (&facts.stay.booking, &facts.stay.room);
    let charged = cx.output(CHARGE).and_then(|charged| charged.fault);
    let why = charged.map_or_else(
        || "the card could not be charged for it".to_owned(),
        |fault| format!("the card was refused ({}: {})", fault.code, fault.message),
    );
    Some(OpenCaseRequest {
        execution_id: cx.id.to_string(),
        subject: format!("{sum} still open after the check-out of {}", booking.number),
        description: format!(
            "The guest of booking {} has left room {}, and {sum} is not paid: the amount reserved on the card was no longer there, \
             and {why}. Please settle it with the guest.",
            booking.number, room.number
        ),
        kind: CaseType::Concierge,
        priority: CasePriority::High,
        origin: CaseOrigin::Internal,
        contact_id: Some(booking.guest_id.clone()),
        booking_id: Some(booking.id.clone()),
        room_id: Some(room.id.clone()),
    })
}

/// Text message to a guest whose card could not be charged.
fn uncollected_text(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    let left = facts::uncollected(cx.progress)?;
    let facts = cx.facts::<Facts>()?;
    let hotel = &settings.hotel.name;
    let sum = settings.money(left, facts.currency);
    let booking = &facts.stay.booking.number;
    Some(said!("text-checked-out-open", hotel, sum, booking))
}
