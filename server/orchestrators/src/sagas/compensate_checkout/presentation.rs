//! Presentation of a compensation: answer, record, text message.

use dewy_domain::{
    answer_body::AnswerBody,
    error_code::ErrorCode,
    execution_view::{Difference, MoneyView},
    money::Cents,
    payment::Payment,
    payment_intent_id::PaymentIntentId,
    said,
    sentence::Sentence,
    tool_output::CompensationResult,
    vocabulary::{AttentionReason, CompensationStatus},
};
use dewy_saga::{
    Context, End, Phase, Progress, RESOLVED_BY_HAND, State,
    journal::{ExecutionRecord, Projection},
};
use serde_json::{Value, json};

use super::facts::{self, Facts, REFUND, REVERT};
use crate::saga_parts::{
    compensation_record::CompensationRecord,
    not_ready::label,
    presentation::{Presentation, Presented},
    settings::Settings,
    signal_execution::{ASK, FOLLOW},
    tool_answer::{attention_error_code, failed, succeeded},
};

/// Part of the compensation record that is the tool's result.
pub(super) fn compensation_result(record: CompensationRecord) -> CompensationResult {
    CompensationResult {
        payment_intent_id: record.payment_intent_id,
        refund_id: record.refund_id,
        refunded: record.refunded,
        currency: record.currency,
        status: record.status,
        booking_number: record.booking_number,
        compensated_by: record.execution_id.to_string(),
        triggers: record.triggers,
    }
}

pub(super) fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    let Some(facts) = cx.facts::<Facts>() else {
        return failed(ErrorCode::Internal, Value::Null);
    };
    let pi = &facts.payment.id;
    let followed = cx.output(FOLLOW);
    let by = facts
        .owner
        .map_or_else(|| cx.id.to_string(), |owner| owner.to_string());
    if matches!(end, End::NeedsAttention | End::SettledByHand) {
        return failed(
            attention_error_code(end),
            json!({ "payment_intent_id": pi, "reason": reason }),
        );
    }
    if end == End::Refused {
        let progress = cx.progress;
        let compensations = [
            progress.forward(REFUND),
            progress.forward(REVERT),
            progress.forward(ASK),
            progress.forward(FOLLOW),
        ];
        let fault = compensations
            .into_iter()
            .flatten()
            .find_map(|s| s.fault.as_ref());
        let cause = fault.map(|f| &f.code);
        return failed(
            ErrorCode::PaymentNotRefundable,
            json!({ "payment_intent_id": pi, "cause": cause }),
        );
    }
    if let Some(followed) = followed {
        let details =
            json!({ "payment_intent_id": pi, "execution_id": by, "reason": followed.reason });
        return match followed.state {
            State::Compensated if followed.payment.is_some_and(|other| other != *pi) => failed(
                ErrorCode::PaymentNotRefundable,
                json!({ "payment_intent_id": pi, "cause": "second_payment" }),
            ),
            State::Compensated => succeeded(CompensationResult {
                payment_intent_id: pi.clone(),
                refund_id: None,
                refunded: facts.payment.received,
                currency: facts.payment.currency,
                status: CompensationStatus::Compensated,
                booking_number: facts.booking_number,
                compensated_by: by.to_string(),
                triggers: Vec::new(),
            }),
            State::Completed => failed(ErrorCode::CheckoutCompleted, details),
            State::Refused => failed(ErrorCode::PaymentNotRefundable, details),
            _ => failed(ErrorCode::NeedsAttention, details),
        };
    }
    let refund = facts::refund(cx.progress);
    succeeded(CompensationResult {
        payment_intent_id: pi.clone(),
        refunded: refund.as_ref().map_or(Cents(0), |refund| refund.amount),
        refund_id: refund.map(|refund| refund.id),
        currency: facts.payment.currency,
        status: CompensationStatus::Compensated,
        booking_number: facts.booking_number,
        compensated_by: by.to_string(),
        triggers: vec![crate::saga_parts::signal_execution::requester(&cx)],
    })
}

/// The compensation record, if this execution performs the compensation: one per payment.
pub(super) fn compensation(cx: Context<'_>) -> Option<Projection> {
    let facts = cx.facts::<Facts>()?;
    let refunding = cx.progress.forward(REFUND);
    let touched = refunding.is_some_and(|s| s.phase != Phase::Untouched);
    let flagged = facts.flag.is_some() && !touched;
    if facts.owner.is_some() || !(touched || flagged) {
        return None;
    }
    let refund = facts::refund(cx.progress);
    let revert = cx.progress.forward(REVERT).and_then(|s| s.value.clone());
    let reason = cx.progress.reason().map(ToOwned::to_owned);
    let status = match cx.progress.state {
        _ if reason.as_deref() == Some(RESOLVED_BY_HAND) => CompensationStatus::Solved,
        Some(State::NeedsAttention) => CompensationStatus::NeedsAttention,
        Some(State::Completed) => CompensationStatus::Compensated,
        _ if refund.is_some() => CompensationStatus::RefundedReverting,
        _ => CompensationStatus::Refunding,
    };
    let (flag, payment) = (facts.flag, facts.payment);
    let record = CompensationRecord {
        execution_id: cx.id,
        booking_number: facts.booking_number,
        room_number: payment.metadata.get("room_number").cloned().map(Into::into),
        charged_at: Some(payment.created),
        failed_at: cx.progress.began_at,
        refunded_at: refunding
            .filter(|_| refund.is_some())
            .and_then(|step| step.last_at),
        booking_id: None,
        captured: payment.received,
        currency: payment.currency,
        refund_id: refund.as_ref().map(|r| r.id.clone()),
        refunded: refund.as_ref().map_or(Cents(0), |r| r.amount),
        refund_status: refund.map(|r| r.status),
        because: "orphan".to_owned(),
        cause: flag
            .as_ref()
            .map_or("forgotten_check_out", AttentionReason::as_str)
            .to_owned(),
        triggers: vec![crate::saga_parts::signal_execution::requester(&cx)],
        status,
        reason,
        revert,
        payment_intent_id: payment.id,
    };
    Some(record.projection())
}

pub(super) fn labels_of(
    payment: &Payment,
    owner: Option<&ExecutionRecord>,
) -> Vec<(String, String)> {
    let mut labels = vec![label("payment_intent_id", &payment.id)];
    for name in ["booking_number", "room_number"] {
        labels.extend((payment.metadata.get(name)).map(|value| label(name, value)));
    }
    let email = owner.and_then(|record| record.label("guest_email"));
    labels.extend(email.map(|email| label("guest_email", email)));
    labels
}

pub(super) fn text(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    let refund = facts::refund(cx.progress)?;
    let facts = cx.facts::<Facts>()?;
    let sum = settings.money(refund.amount, facts.payment.currency);
    Some(said!("text-refunded", hotel = settings.hotel.name, sum))
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress, body, settings) = (of.record, of.progress, of.body, of.settings);
        let facts = progress.facts::<Facts>();
        let sum = facts
            .as_ref()
            .map(|f| settings.money(f.payment.received, settings.currency));
        let refunded = facts::refund(progress).is_some();
        let flag = facts.as_ref().and_then(|f| f.flag.clone());
        match (record.state, sum) {
            (State::Completed, Some(sum)) if refunded => format!("{sum} was refunded in full.").into(),
            (State::Completed, Some(sum)) => {
                let failure = body.and_then(AnswerBody::failure);
                failure.unwrap_or_else(|| {
                    format!("{sum} was refunded in full by the check-out itself.").into()
                })
            }
            (State::NeedsAttention, Some(sum)) => match flag {
                Some(AttentionReason::OrphanOverLimit) => {
                    format!(
                        "{sum} was paid for a check-out that was never finished. It is over the limit: a manager has to decide."
                    )
                    .into()
                }
                _ if refunded => {
                    format!("{sum} was refunded in full. Somebody has to look into the rest.").into()
                }
                _ => format!("{sum} could not be given back. Somebody has to look into it.").into(),
            },
            (State::Refused, _) => {
                let failure = body.and_then(AnswerBody::failure);
                failure.unwrap_or_else(|| "Nothing was refunded.".into())
            }
            (_, Some(sum)) if refunded => {
                format!("{sum} was refunded in full. We are putting the booking back.").into()
            }
            (_, Some(sum)) => format!("{sum} is being refunded.").into(),
            (_, None) => "Looking up the payment.".into(),
        }
    }

    fn money(&self, progress: &Progress) -> Option<MoneyView> {
        let facts = progress.facts::<Facts>()?;
        // Told by the check-out itself, which is read again only when it rests
        let by_owner = progress
            .output(FOLLOW)
            .is_some_and(|followed| followed.state == State::Compensated);
        let refunded = match facts::refund(progress) {
            Some(refund) => refund.amount,
            None if by_owner => facts.payment.received,
            None => facts.payment.refunded,
        };
        Some(MoneyView {
            captured: facts.payment.received,
            refunded,
            currency: facts.payment.currency,
        })
    }

    fn payment_intents(&self, progress: &Progress) -> Vec<PaymentIntentId> {
        let id = progress.facts::<Facts>().map(|f| f.payment.id);
        id.into_iter().collect()
    }

    fn differences(&self, progress: &Progress) -> Vec<Difference> {
        let report = progress.recorded(REVERT);
        report.map(|report| report.left).unwrap_or_default()
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let mut ids = Vec::new();
        if let Some(facts) = progress.facts::<Facts>() {
            ids.push(("Stripe payment".to_owned(), facts.payment.id.into()));
            ids.extend(
                facts
                    .payment
                    .charge_id
                    .map(|id| ("Stripe charge".to_owned(), id)),
            );
            ids.extend(
                facts
                    .owner
                    .map(|id| ("Check-out".to_owned(), id.to_string())),
            );
        }
        ids.extend(facts::refund(progress).map(|r| ("Stripe refund".to_owned(), r.id)));
        ids
    }
}
