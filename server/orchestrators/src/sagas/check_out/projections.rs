//! Projections of a check-out: the compensation record and labels.

use dewy_domain::{
    money::Cents, payment_intent_id::PaymentIntentId, vocabulary::CompensationStatus,
};
use dewy_saga::{
    Context, Decision, Direction, End, Fault, Phase, Progress, RESOLVED_BY_HAND, State,
    journal::{ExecutionRecord, Projection},
};

use super::facts::{self, Facts, MOVE, PAY};
use crate::saga_parts::{compensation_record::CompensationRecord, outbox};

/// The label with the last four digits of the card that paid.
pub(crate) const CARD_LABEL: &str = "card_last4";

/// The label with the second payment of a check-out that captured two holds, or a hold and a card.
const REST_LABEL: &str = "rest_payment_intent_id";

/// Labels that name the payments of a check-out.
pub(crate) const PAYMENT_LABELS: [&str; 2] = ["payment_intent_id", REST_LABEL];

/// Whether this payment paid for a check-out, as its labels say.
pub(crate) fn is_paid_by(record: &ExecutionRecord, payment: &PaymentIntentId) -> bool {
    let labels = PAYMENT_LABELS.map(|name| record.label(name));
    labels.contains(&Some(payment.as_str()))
}

/// The compensation record. One per payment: the row is unique by the payment's id.
pub(super) fn compensation(cx: Context<'_>) -> Option<Projection> {
    let finished = finished_by_hand(cx.progress);
    let decision = cx.progress.decision.as_ref().or(finished.as_ref())?;
    let payment = cx.output(PAY)?;
    let facts = cx.facts::<Facts>()?;
    let refund = facts::refund(cx.progress);
    let back = cx.progress.back(MOVE);
    let failed = cx
        .progress
        .direction_progress(&decision.because, Direction::Forward);
    let refunding = cx.progress.back(PAY);
    let reason = cx.progress.reason().map(ToOwned::to_owned);
    let status = match cx.progress.state {
        _ if finished.is_some() => CompensationStatus::Solved,
        _ if reason.as_deref() == Some(RESOLVED_BY_HAND) => CompensationStatus::Solved,
        Some(State::Compensated) => CompensationStatus::Compensated,
        Some(State::NeedsAttention) => CompensationStatus::NeedsAttention,
        _ if refund.is_some() => CompensationStatus::RefundedReverting,
        _ => CompensationStatus::Refunding,
    };
    let report = back
        .filter(|s| matches!(s.phase, Phase::Done | Phase::Skipped))
        .and_then(|s| s.value.clone());
    let record = CompensationRecord {
        execution_id: cx.id,
        payment_intent_id: payment.id,
        charged_at: cx.progress.forward(PAY).and_then(|step| step.last_at),
        // Of a refund that a person wanted, no step failed
        failed_at: failed
            .and_then(|step| step.last_at)
            .or(refunding.and_then(|side| side.first_at)),
        refunded_at: refunding
            .filter(|_| refund.is_some())
            .and_then(|step| step.last_at),
        booking_id: Some(facts.stay.booking.id),
        booking_number: Some(facts.stay.booking.number),
        room_number: Some(facts.stay.room.number),
        captured: payment.received,
        currency: facts.currency,
        refund_id: refund.as_ref().map(|r| r.id.clone()),
        refunded: refund.as_ref().map_or(Cents(0), |r| r.amount),
        refund_status: refund.map(|r| r.status),
        because: decision.because.clone(),
        cause: decision.fault.code.clone(),
        triggers: cx.progress.triggers.clone(),
        status,
        reason,
        revert: report,
    };
    Some(record.projection())
}

/// Why a check-out was compensating that a person has finished after all: its record is closed.
fn finished_by_hand(progress: &Progress) -> Option<Decision> {
    let resumed = progress.resumed.as_ref()?;
    if progress.decision.is_some() || progress.triggers.is_empty() {
        return None;
    }
    let fault = progress.forward(MOVE).and_then(|step| step.fault.clone());
    Some(Decision {
        because: MOVE.name.to_owned(),
        fault: fault.unwrap_or_else(|| Fault::new("finished_by_hand", "a person finished it")),
        trigger: resumed.clone(),
    })
}

/// The outbox row that ends the guest's open requests with the stay.
pub(super) fn ended_stay(cx: Context<'_>) -> Option<Projection> {
    let (ended, _, _) = cx.progress.ended.as_ref()?;
    let facts = cx.facts::<Facts>().filter(|_| *ended == End::Completed)?;
    Some(outbox::ended_stay(cx.id, facts.stay.booking.number))
}

/// Labels known only after the payment.
pub(super) fn labels(cx: Context<'_>) -> Vec<(String, String)> {
    let Some(payment) = facts::payments(cx.progress).into_iter().next() else {
        return Vec::new();
    };
    let card = payment.last4.map(|last4| (CARD_LABEL.to_owned(), last4));
    let rest = facts::payments(cx.progress).into_iter().nth(1);
    let rest = rest.map(|payment| (REST_LABEL.to_owned(), payment.id.into()));
    [("payment_intent_id".to_owned(), payment.id.into())]
        .into_iter()
        .chain(card)
        .chain(rest)
        .collect()
}
