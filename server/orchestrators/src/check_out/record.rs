//! What is kept and shown beside the journal: the compensation record, labels, and what a pending caller is told.

use dewy_domain::{
    money::Cents,
    view::{Difference, MoneyView},
};
use dewy_saga::{
    Context, Phase, Progress, State, Way,
    journal::{Beside, Record},
};
use serde_json::json;

use super::facts;
use crate::bridge;

/// One compensation per payment: the row is unique by the payment's id.
pub(super) fn compensation(cx: Context<'_>) -> Option<Beside> {
    let decision = cx.progress.decision.as_ref()?;
    let payment = facts::payment(cx.progress)?;
    let facts = facts::facts(cx.progress)?;
    let refund = facts::refund(cx.progress);
    let back = cx.progress.side("move", Way::Back);
    let undone = |phase: Option<Phase>| matches!(phase, Some(Phase::Done | Phase::Skipped));
    let status = match cx.progress.state {
        Some(State::Compensated) => "compensated",
        Some(State::NeedsAttention) => "needs_attention",
        _ if refund.is_some() => "refunded_reverting",
        _ => "refunding",
    };
    let report = back.filter(|s| undone(Some(s.phase))).and_then(|s| s.value.clone());
    Some(Beside {
        kind: "compensation".to_owned(),
        key: payment.id.clone(),
        body: json!({
            "execution_id": cx.id,
            "payment_intent_id": payment.id,
            "booking_number": facts.stay.booking.number,
            "room_number": facts.stay.room.number,
            "captured": payment.received,
            "currency": facts.currency,
            "refund_id": refund.as_ref().map(|r| &r.id),
            "refunded": refund.as_ref().map_or(Cents(0), |r| r.amount),
            "refund_status": refund.as_ref().map(|r| &r.status),
            "because": decision.because,
            "cause": decision.fault.code,
            "triggers": [decision.trigger],
            "status": status,
            "reason": cx.progress.ended.as_ref().and_then(|(_, reason, _)| reason.as_ref()),
            "revert": report,
        }),
    })
}

/// Labels that only the payment brings.
pub(super) fn labels(cx: Context<'_>) -> Vec<(String, String)> {
    facts::payment(cx.progress).map(|p| ("payment_intent_id".to_owned(), p.id)).into_iter().collect()
}

/// Money as the journal knows it; `None` while none moved.
pub(crate) fn money(progress: &Progress) -> Option<MoneyView> {
    let payment = facts::payment(progress)?;
    let refunded = facts::refund(progress).map_or(Cents(0), |r| r.amount);
    Some(MoneyView { captured: payment.received, refunded, currency: payment.currency })
}

/// What the compensation left as others had changed it.
pub(crate) fn differences(progress: &Progress) -> Vec<Difference> {
    let report = progress.side("move", Way::Back).and_then(|s| s.value.as_ref());
    report.and_then(|v| bridge::read(&v["left"])).unwrap_or_default()
}

/// Where the guest has to act, while the execution waits for that.
pub(crate) fn next_action_url(record: &Record) -> Option<String> {
    if record.state != State::Waiting {
        return None;
    }
    let progress = Progress::replay(record.id, &record.rows, &record.audit).ok()?;
    let value = progress.side("pay", Way::Forward)?.value.clone()?;
    value["next_action_url"].as_str().map(str::to_owned)
}

/// Where it stands, for a caller who does not wait any longer.
pub(crate) fn pending_note(record: &Record) -> String {
    let refunded = Progress::replay(record.id, &record.rows, &record.audit).is_ok_and(|p| facts::refund(&p).is_some());
    match record.state {
        State::Compensating if refunded => "The payment was refunded; we are putting everything else back.",
        State::Compensating => "The check-out could not be finished; we are giving the payment back.",
        State::Waiting => "Your bank asks you to confirm the payment.",
        State::Retrying => "An outside system is slow; we keep trying.",
        _ => "We are working on it.",
    }
    .to_owned()
}
