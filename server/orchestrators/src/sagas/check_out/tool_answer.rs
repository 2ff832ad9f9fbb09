//! Answers of the check-out tool: what was done or not done, and what happened to the money.

use dewy_domain::{
    booking_number::BookingNumber,
    error_code::ErrorCode,
    money::Cents,
    payment_intent_id::PaymentIntentId,
    room_number::RoomNumber,
    stay::{self, Stay},
    tool_answer::FinalAnswer,
    tool_output::CheckOutResult,
    vocabulary::AttentionReason,
};
use dewy_saga::{Context, End};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    facts::{self, EXTEND, Facts, MOVE, PAY, RECORD},
    rules,
};
use crate::saga_parts::{
    create_customer::CUSTOMER,
    engine_conversions, payment_refusal,
    refund_and_revert::CHECKED_OUT_STATE,
    tool_answer::{attention_error_code, not_done},
};

pub(super) fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    let settled = match end {
        End::Completed => done(cx, None),
        End::NeedsAttention if cx.progress.decision.is_none() && cx.output(MOVE).is_some() => {
            let is = |wanted: AttentionReason| reason == Some(wanted.as_str());
            let note = if is(AttentionReason::ForeignEdit) {
                "Your check-out went through. The hotel's records were changed at the same moment; the front desk is looking into it."
            } else if is(AttentionReason::OpenBalance) {
                match cx.facts::<Facts>().and_then(|facts| facts.left_open) {
                    _ if facts::uncollected(cx.progress).is_some() => {
                        "You are checked out. Your card could not be charged, and the balance is still open; the front desk will be in touch about it."
                    }
                    Some(Cents(..0)) => {
                        "Checked out. The bill is overpaid; the front desk gives the difference back."
                    }
                    Some(_) => {
                        "Checked out. A small balance is left open; the front desk settles it."
                    }
                    None => {
                        "You are checked out. A charge was added meanwhile; the front desk will be in touch about it."
                    }
                }
            } else {
                "You are checked out. The front desk is looking into the rest."
            };
            done(cx, Some(note))
        }
        End::Refused => refused(cx),
        End::Compensated if facts::reserved(cx.progress).is_some() => uncharged(cx),
        End::Compensated => FinalAnswer::Failed {
            code: ErrorCode::CheckoutCompensated,
            details: engine_conversions::value(&compensated(cx)),
        },
        End::NeedsAttention | End::SettledByHand => FinalAnswer::Failed {
            code: attention_error_code(end),
            details: engine_conversions::value(&Unresolved {
                reason,
                compensated: compensated(cx),
            }),
        },
    };
    engine_conversions::value(&settled)
}

fn done(cx: Context<'_>, note: Option<&str>) -> FinalAnswer {
    let stay = cx.facts::<Facts>();
    let payment = facts::payments(cx.progress).into_iter().next();
    let moved = cx.output(RECORD).or_else(|| cx.output(MOVE));
    let mut result = CheckOutResult {
        amount: facts::paid(cx.progress),
        currency: stay.as_ref().map(|facts| facts.currency),
        reserved: facts::reserved(cx.progress),
        released: facts::released(cx.progress),
        left_open: stay
            .as_ref()
            .and_then(|facts| facts.left_open)
            .or_else(|| facts::uncollected(cx.progress)),
        note: note.map(str::to_owned),
        ..CheckOutResult::default()
    };
    if let Some(Stay { booking, room, .. }) = stay.map(|facts| facts.stay) {
        result.booking_number = Some(booking.number);
        result.room_number = Some(room.number);
    }
    if let Some(moved) = moved {
        result.booking_status = Some(moved.booking.status);
        result.room_status = Some(moved.room.status);
        result.opportunity_stage = Some(moved.opportunity.stage);
    }
    if let Some(payment) = payment {
        result.payment_intent_id = Some(payment.id);
        result.charge_id = payment.charge_id;
        result.receipt_url = payment.receipt_url;
        // A payment without a card has neither
        result.card_brand =
            (payment.last4.as_ref()).map(|_| payment.card_brand.unwrap_or_default());
        result.card_last4 = payment.last4;
    }
    FinalAnswer::Done {
        data: engine_conversions::value(&result),
        created: false,
    }
}

fn refused(cx: Context<'_>) -> FinalAnswer {
    let payment = cx.progress.forward(PAY);
    let direction_progress = payment.or_else(|| cx.progress.forward(EXTEND));
    let fault = direction_progress.and_then(|s| s.fault.as_ref());
    if let Some(declined) = fault.and_then(|fault| payment_refusal::declined(&cx, fault)) {
        return declined;
    }
    if facts::reserved(cx.progress).is_some() {
        return uncharged(cx);
    }
    let customer = cx.progress.forward(CUSTOMER);
    let fault = fault.or_else(|| customer?.fault.as_ref());
    // A payment that could not be found may still turn up and is then refunded. That is not
    // the same as "not charged".
    let details = match direction_progress {
        Some(direction_progress) if direction_progress.ever_unknown => json!({}),
        _ => json!({ "charged": false }),
    };
    not_done(&cx, fault, details)
}

/// A check-out with a hold that could not be finished: no money moved, and the hold stands.
fn uncharged(cx: Context<'_>) -> FinalAnswer {
    let facts = cx.facts::<Facts>();
    let stay = facts.as_ref().map(|facts| &facts.stay);
    let details = json!({
        "charged": false,
        "booking_number": stay.map(|stay| &stay.booking.number),
        "room_number": stay.map(|stay| &stay.room.number),
    });
    not_done(&cx, cx.failure(), details)
}

/// Details of a compensated check-out.
#[derive(Serialize)]
struct Compensated {
    booking_number: Option<BookingNumber>,
    room_number: Option<RoomNumber>,
    amount: Option<String>,
    payment_intent_id: Option<PaymentIntentId>,
    refund_id: Option<String>,
    refunded: bool,
    cause: Option<String>,
}

/// Details of a check-out that needs a person, or was settled by one.
#[derive(Serialize)]
struct Unresolved<'a> {
    reason: Option<&'a str>,
    #[serde(flatten)]
    compensated: Compensated,
}

fn compensated(cx: Context<'_>) -> Compensated {
    let facts = cx.facts::<Facts>();
    let payment = cx.output(PAY);
    let refund = facts::refund(cx.progress);
    Compensated {
        amount: facts.as_ref().map(rules::balance_text),
        booking_number: (facts.as_ref()).map(|facts| facts.stay.booking.number.clone()),
        room_number: facts.map(|facts| facts.stay.room.number),
        payment_intent_id: payment.map(|payment| payment.id),
        refunded: refund.is_some(),
        refund_id: refund.map(|refund| refund.id),
        cause: (cx.progress.decision.as_ref()).map(|decision| decision.fault.code.clone()),
    }
}

/// Others wrote the rows before or at the time of our write, such as a flow of the org: the marker is
/// there, but the stay does not say that the guest has left, or somebody else lives in its room.
pub(super) fn left_otherwise(cx: Context<'_>) -> Option<String> {
    let now = cx.output(MOVE)?;
    let stands = now.booking.status == CHECKED_OUT_STATE.booking
        && now.opportunity.stage == CHECKED_OUT_STATE.stage
        && now.room.current_guest.is_none();
    (cx.progress.decision.is_none() && !stands).then(|| AttentionReason::ForeignEdit.to_string())
}

/// A charge posted while the payment ran is never marked paid: the check-out stands, and the front
/// desk is informed.
pub(super) fn open_balance(cx: Context<'_>) -> Option<String> {
    let moved = cx.output(RECORD).or_else(|| cx.output(MOVE))?;
    let owed = stay::balance(moved.opportunity.amount, &moved.lines);
    (cx.progress.decision.is_none() && owed != Some(Cents(0)))
        .then(|| AttentionReason::OpenBalance.to_string())
}
