//! Rechecks after the end: a timed-out call may take effect later, and a refund may fail days
//! later.

use async_trait::async_trait;
use dewy_domain::{
    payment::{Payment, PaymentStatus, Refund},
    vocabulary::AttentionReason,
};
use dewy_saga::{
    Context, Decision, Fault, FoundEffect, RESOLVED_BY_HAND, RecheckResult, Rechecks, State,
};
use serde::Serialize;

use super::facts::{self, Facts, MOVE, PAY};
use crate::saga_parts::{
    create_customer::customer,
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    payment_attempt::{PaymentAttempt, PaymentKind, may_turn_up},
    reconciled_write::stay_write::query,
};

/// Rechecks through the ports.
pub(super) struct LateEffects(pub HotelDependencies);

#[async_trait]
impl Rechecks for LateEffects {
    fn wanted(&self, cx: Context<'_>) -> bool {
        let progress = cx.progress;
        progress.decision.is_some()
            || progress.state == Some(State::SettledByHand)
            || (progress.output(MOVE).is_none()
                && (may_turn_up(progress.forward(PAY)) || may_turn_up(progress.forward(MOVE))))
    }

    async fn recheck(&self, cx: Context<'_>) -> RecheckResult {
        recheck_effects(&self.0, cx).await
    }
}

async fn recheck_effects(parts: &HotelDependencies, cx: Context<'_>) -> RecheckResult {
    let Some(facts) = cx.facts::<Facts>() else {
        return RecheckResult::Quiet;
    };
    // Completed check-outs are paid for: there is nothing to find. Those that need attention have a
    // person. Journals of older releases store what a person resolved as completed, refused or
    // compensated.
    let by_hand =
        matches!(&cx.progress.ended, Some((_, Some(reason), _)) if reason == RESOLVED_BY_HAND);
    if matches!(
        cx.progress.state,
        Some(State::Completed | State::NeedsAttention)
    ) {
        return RecheckResult::Quiet;
    }
    if by_hand {
        return settled(parts, cx).await;
    }
    let Some(payment) = cx.output(PAY) else {
        return match late_payment(parts, &cx).await {
            Ok(Some(payment)) => RecheckResult::Found {
                decision: decision(
                    PAY.name,
                    "late_payment",
                    "a payment of ours turned up after the execution had ended without one",
                ),
                found: Some(found(PAY.name, &payment)),
            },
            Ok(None) => RecheckResult::Quiet,
            Err(_) => RecheckResult::TryLater,
        };
    };
    let Ok(refunds) = parts.payments.refunds(&payment.id).await.answered() else {
        return RecheckResult::TryLater;
    };
    // Compares sums: others refund parts, and each part may fail on its own.
    if Refund::effective_sum(&refunds) < payment.received {
        return RecheckResult::Found {
            decision: refund_failed_later(),
            found: Some(found(PAY.name, &payment)),
        };
    }
    late_write(parts, &cx, &facts).await
}

/// Whether our write to the stay took effect after it had been looked for.
pub(super) async fn late_write(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    facts: &Facts,
) -> RecheckResult {
    let query = query(cx.id.to_string(), &facts.stay);
    match parts.crm.check_out_records(&query).await.answered() {
        Ok(Some(trace)) => {
            let report = cx.progress.undone(MOVE);
            let applied_before = report.is_some_and(|report| report.applied);
            if trace.marker.is_none() || applied_before {
                return RecheckResult::Quiet;
            }
            RecheckResult::Found {
                decision: decision(
                    MOVE.name,
                    "late_effect",
                    "our write took effect after it had been looked for",
                ),
                found: Some(found(MOVE.name, &trace)),
            }
        }
        Ok(None) => RecheckResult::Quiet,
        Err(_) => RecheckResult::TryLater,
    }
}

/// Executions that a person resolved manually stay as they are. Money that this person could not
/// have known about is reported to a person and never moved automatically.
async fn settled(parts: &HotelDependencies, cx: Context<'_>) -> RecheckResult {
    let attention =
        |reason: AttentionReason, decision, payment: &Payment| RecheckResult::Attention {
            reason: reason.to_string(),
            decision,
            found: found(PAY.name, payment),
        };
    let Some(known) = cx.output(PAY) else {
        return match late_payment(parts, &cx).await {
            Ok(Some(payment)) => {
                let words = "a payment turned up after the execution had been settled by hand";
                let decision = decision(PAY.name, "late_payment", words);
                attention(AttentionReason::LatePayment, decision, &payment)
            }
            Ok(None) => RecheckResult::Quiet,
            Err(_) => RecheckResult::TryLater,
        };
    };
    let Some(refund) = facts::refund(cx.progress) else {
        return RecheckResult::Quiet;
    };
    match parts.payments.refunds(&known.id).await.answered() {
        Ok(refunds)
            if refunds
                .iter()
                .any(|r| r.id == refund.id && !r.status.is_effective()) =>
        {
            attention(
                AttentionReason::RefundFailedLater,
                refund_failed_later(),
                &known,
            )
        }
        Ok(_) => RecheckResult::Quiet,
        Err(_) => RecheckResult::TryLater,
    }
}

/// A payment of this execution that stands, although it ended without one.
async fn late_payment(
    parts: &HotelDependencies,
    cx: &Context<'_>,
) -> Result<Option<Payment>, Fault> {
    let attempt = PaymentAttempt::new(parts, PaymentKind::Charge);
    let customer = customer(cx.progress);
    let payment = attempt.find(cx, customer.as_deref()).await?;
    Ok(payment.filter(|p| p.status == PaymentStatus::Succeeded && p.refunded < p.received))
}

pub(super) fn found(step: &str, value: &impl Serialize) -> FoundEffect {
    FoundEffect {
        step: step.to_owned(),
        value: engine_conversions::value(value),
    }
}

fn refund_failed_later() -> Decision {
    decision(
        PAY.name,
        "refund_failed_later",
        "the refund did not reach the guest",
    )
}

pub(super) fn decision(because: &str, code: &str, message: &str) -> Decision {
    Decision {
        because: because.to_owned(),
        fault: Fault::new(code, message),
        trigger: "watch".to_owned(),
    }
}
