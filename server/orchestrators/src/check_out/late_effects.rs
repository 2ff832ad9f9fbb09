//! Rechecks after the end: a timed-out call may take effect later, and a refund may fail days
//! later.

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentStatus},
    vocabulary::AttentionReason,
};
use dewy_saga::{
    Context, Decision, Fault, Found, Phase, Recheck, Rechecks, SOLVED_BY_HAND, State,
    progress::StepDirection,
};

use super::{
    facts::{self, MOVE, PAY},
    take_payment,
};
use crate::{engine_conversions, hotel_parts::Parts, reconciled_write::stay::query};

/// Rechecks through the ports.
pub(super) struct LateEffects(pub Parts);

#[async_trait]
impl Rechecks for LateEffects {
    fn wanted(&self, cx: Context<'_>) -> bool {
        // The network may deliver a request that was turned away again later, when it is accepted.
        // A declined card stays declined: Stripe repeats the answer for that key.
        let open = |side: Option<&StepDirection>| {
            side.is_some_and(|s| s.ever_unknown || (s.intents > 0 && s.phase == Phase::TryLater))
        };
        let progress = cx.progress;
        progress.decision.is_some()
            || progress.state == Some(State::SettledByHand)
            || (facts::moved(progress).is_none()
                && (open(progress.forward(PAY)) || open(progress.forward(MOVE))))
    }

    async fn recheck(&self, cx: Context<'_>) -> Recheck {
        recheck_effects(&self.0, cx).await
    }
}

async fn recheck_effects(parts: &Parts, cx: Context<'_>) -> Recheck {
    let Some(facts) = facts::facts(cx.progress) else {
        return Recheck::Quiet;
    };
    // Completed check-outs are paid for: there is nothing to find. Those that need attention have a
    // person. Journals of older releases store what a person resolved as completed, refused or
    // compensated.
    let by_hand =
        matches!(&cx.progress.ended, Some((_, Some(reason), _)) if reason == SOLVED_BY_HAND);
    if matches!(
        cx.progress.state,
        Some(State::Completed | State::NeedsAttention)
    ) {
        return Recheck::Quiet;
    }
    if by_hand {
        return settled(parts, cx).await;
    }
    match facts::payment(cx.progress) {
        None => match take_payment::find(parts.payments.as_ref(), &cx).await {
            Ok(Some(payment))
                if payment.status == PaymentStatus::Succeeded
                    && payment.refunded < payment.received =>
            {
                Recheck::Found {
                    decision: decision(
                        PAY.name,
                        "late_payment",
                        "a payment of ours turned up after the execution had ended without one",
                    ),
                    found: Some(Found {
                        step: PAY.name.to_owned(),
                        value: engine_conversions::value(&payment),
                    }),
                }
            }
            Ok(_) => Recheck::Quiet,
            Err(_) => Recheck::TryLater,
        },
        Some(payment) => {
            let Ok(refunds) = parts.payments.refunds(&payment.id).await.answered() else {
                return Recheck::TryLater;
            };
            let given_back: Cents = refunds
                .iter()
                .filter(|r| r.status.is_effective())
                .map(|r| r.amount)
                .sum();
            // Compares sums: others refund parts, and each part may fail on its own.
            if given_back < payment.received {
                return Recheck::Found {
                    decision: decision(
                        PAY.name,
                        "refund_failed_later",
                        "the refund did not reach the guest",
                    ),
                    found: Some(Found {
                        step: PAY.name.to_owned(),
                        value: engine_conversions::value(&payment),
                    }),
                };
            }
            match parts
                .crm
                .trace(&query(cx.id.to_string(), &facts.stay))
                .await
                .answered()
            {
                Ok(Some(trace)) => {
                    let report = cx.progress.undone(MOVE);
                    let applied_before = report.is_some_and(|report| report.applied);
                    if trace.marker.is_some() && !applied_before {
                        return Recheck::Found {
                            decision: decision(
                                MOVE.name,
                                "late_effect",
                                "our write took effect after it had been looked for",
                            ),
                            found: Some(Found {
                                step: MOVE.name.to_owned(),
                                value: engine_conversions::value(&trace),
                            }),
                        };
                    }
                    Recheck::Quiet
                }
                Ok(None) => Recheck::Quiet,
                Err(_) => Recheck::TryLater,
            }
        }
    }
}

/// What a person resolved by hand stays as it is. Money they cannot have known about is reported to
/// a person, not moved.
async fn settled(parts: &Parts, cx: Context<'_>) -> Recheck {
    let attention = |decision: Decision, payment: &Payment| Recheck::Attention {
        reason: if decision.fault.code == "late_payment" {
            AttentionReason::LatePayment
        } else {
            AttentionReason::RefundFailedLater
        }
        .to_string(),
        decision,
        found: Found {
            step: PAY.name.to_owned(),
            value: engine_conversions::value(payment),
        },
    };
    let Some(known) = facts::payment(cx.progress) else {
        return match take_payment::find(parts.payments.as_ref(), &cx).await {
            Ok(Some(payment))
                if payment.status == PaymentStatus::Succeeded
                    && payment.refunded < payment.received =>
            {
                let words = "a payment turned up after the execution had been settled by hand";
                attention(decision(PAY.name, "late_payment", words), &payment)
            }
            Ok(_) => Recheck::Quiet,
            Err(_) => Recheck::TryLater,
        };
    };
    let Some(refund) = facts::refund(cx.progress) else {
        return Recheck::Quiet;
    };
    match parts.payments.refunds(&known.id).await.answered() {
        Ok(refunds)
            if refunds
                .iter()
                .any(|r| r.id == refund.id && !r.status.is_effective()) =>
        {
            attention(
                decision(
                    PAY.name,
                    "refund_failed_later",
                    "the refund did not reach the guest",
                ),
                &known,
            )
        }
        Ok(_) => Recheck::Quiet,
        Err(_) => Recheck::TryLater,
    }
}

fn decision(because: &str, code: &str, message: &str) -> Decision {
    Decision {
        because: because.to_owned(),
        fault: Fault::new(code, message),
        trigger: "watch".to_owned(),
    }
}
